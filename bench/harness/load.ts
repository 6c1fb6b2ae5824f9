/**
 * Builds loads: verified once, then run as fast as the peer answers.
 *
 * @module
 */
import { calledArguments, calledName } from './tools.ts'
import type { Endpoint, Load, Peer, Setup } from './types.ts'
import { createSession, post, wireFor } from './wire.ts'
import type { Wire } from './wire.ts'

// Bodies with different ids, so that no peer profits from seeing one string again and again.
const BODIES = 16

/** Calls one tool; `undefined` when the peer cannot serve the setup. */
export async function callLoad(peer: Peer, setup: Setup): Promise<Load | undefined> {
  const endpoint = peer.open(setup)
  if (endpoint === undefined) return undefined
  const session = setup.mode === 'stateful' ? await createSession(setup, endpoint) : undefined
  const name = calledName(setup)
  const wire = wireFor(setup, endpoint, { method: 'tools/call', name, session })
  const params = { name, arguments: calledArguments(setup) }
  const bodies = bodiesOf(wire, 'tools/call', params)
  await verify(endpoint, wire, {
    body: bodies[0] ?? '',
    form: endpoint.always ?? setup.form,
    contains: '"text"',
  })
  return { run: repeat(endpoint, wire, bodies) }
}

/** Lists the tools. */
export async function listLoad(peer: Peer, setup: Setup): Promise<Load | undefined> {
  const endpoint = peer.open(setup)
  if (endpoint === undefined) return undefined
  const wire = wireFor(setup, endpoint, { method: 'tools/list' })
  const bodies = bodiesOf(wire, 'tools/list', undefined)
  const contains = `"forecast_${setup.tools - 1}"`
  await verify(endpoint, wire, { body: bodies[0] ?? '', form: undefined, contains })
  return { run: repeat(endpoint, wire, bodies) }
}

/** What an answer must look like before it is worth measuring. */
export interface Expectation {
  readonly body: string
  readonly form: Setup['form'] | undefined
  readonly contains: string
}

/** Sends one request and throws unless the answer is as expected. */
export async function verify(
  endpoint: Endpoint,
  wire: Wire,
  { body, form, contains }: Expectation,
): Promise<string> {
  const response = await endpoint.fetch(post(wire, body))
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const wanted = form === 'sse' ? 'text/event-stream' : 'application/json'
  const shaped = form === undefined || type.startsWith(wanted)
  if (
    response.status !== 200 ||
    !shaped ||
    !text.includes(contains) ||
    text.includes('"isError":true')
  ) {
    throw new Error(`unexpected answer ${response.status} ${type}: ${text.slice(0, 400)}`)
  }
  return text
}

function bodiesOf(
  wire: Wire,
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): string[] {
  return Array.from({ length: BODIES }, (_, index) =>
    wire.body({ id: 100 + index, method, params }),
  )
}

function repeat(endpoint: Endpoint, wire: Wire, bodies: readonly string[]): Load['run'] {
  return async (count) => {
    for (let index = 0; index < count; index++) {
      const response = await endpoint.fetch(post(wire, bodies[index % BODIES] ?? ''))
      await response.arrayBuffer()
    }
  }
}
