/**
 * A sealed round trip: a question by `input_required`, and the retry that answers it.
 *
 * @module
 */
import { verify } from '../harness/load.ts'
import { calledName } from '../harness/tools.ts'
import type { Load, Peer, RateRow, Setup } from '../harness/types.ts'
import { post, wireFor } from '../harness/wire.ts'

const SETUP: Setup = { mode: 'modern', form: 'json', tool: 'ask', tools: 1 }
const INPUT_RESPONSES = { confirm: { action: 'accept', content: { yes: true } } }

/** Both legs; raw seals with AES-256-GCM, the official SDK signs with its HMAC codec. */
export const sealedRow: RateRow = {
  kind: 'rate',
  name: 'sealed-round-trip',
  about: 'question and answer through a sealed requestState, two requests',
  floor: 'raw',
  peers: ['raw', 'official', 'ours'],
  load,
}

async function load(peer: Peer): Promise<Load | undefined> {
  const endpoint = peer.open(SETUP)
  if (endpoint === undefined) return undefined
  const name = calledName(SETUP)
  const method = 'tools/call'
  const wire = wireFor(SETUP, endpoint, { method, name })
  const first = wire.body({ id: 1, method, params: { name, arguments: {} } })
  const retry = (requestState: unknown): string =>
    wire.body({
      id: 2,
      method,
      params: { name, arguments: {}, inputResponses: INPUT_RESPONSES, requestState },
    })
  const asked = await verify(endpoint, wire, {
    body: first,
    form: 'json',
    contains: 'input_required',
  })
  const { requestState } = JSON.parse(asked).result
  await verify(endpoint, wire, { body: retry(requestState), form: 'json', contains: 'Deployed' })
  return {
    async run(count) {
      for (let index = 0; index < count; index++) {
        const question = await endpoint.fetch(post(wire, first))
        const { result } = JSON.parse(await question.text())
        const answer = await endpoint.fetch(post(wire, retry(result.requestState)))
        await answer.arrayBuffer()
      }
    },
  }
}
