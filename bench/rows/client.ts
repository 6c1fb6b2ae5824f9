/**
 * How fast the client reads a stream, beside its parsers alone.
 *
 * @module
 */
import { createParser } from 'eventsource-parser'
import { Client } from 'mcp-edge/client'
import type { FiguresRow, Peer } from '../harness/types.ts'

const CHUNK_BYTES = 65_536
const BLOCK_BYTES = 1_000_000
const BLOCKS = 100
const ROUNDS = 5
const TEXT = 'The quick brown fox jumps over the lazy dog, and the dog does not even look up. '

/** 100 MB of log messages before the answer: all of them parsed, sorted and heard. */
export const clientStreamRow: FiguresRow = {
  kind: 'figures',
  name: 'client-stream',
  about: 'a 100 MB event stream, read by the client',
  floor: 'raw',
  peers: ['raw', 'ours'],
  repeats: 5,
  figures: [{ key: 'CPU', unit: 'ms', goal: { atMost: 1.3, of: 'ratio' } }],
  measure,
}

async function measure(peer: Peer): Promise<Readonly<Record<string, number>> | undefined> {
  if (peer.name !== 'raw' && peer.name !== 'ours') return undefined
  const read = peer.name === 'raw' ? readRaw : readOurs
  const block = makeBlock()
  await read(block, 10)
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    const heard = await read(block, BLOCKS)
    const { user, system } = process.cpuUsage(before)
    if (heard !== BLOCKS * block.events) throw new Error(`${String(heard)} events were heard`)
    rounds.push((user + system) / 1000)
  }
  // What else the machine does only ever makes it longer.
  return { CPU: Math.min(...rounds) }
}

interface Block {
  readonly bytes: Uint8Array
  readonly events: number
}

/** Messages of one KiB; chunks end anywhere in them. */
function makeBlock(): Block {
  const data = {
    level: 'info',
    data: { text: TEXT.repeat(11), at: 1_700_000_000_000, tags: [1, 2] },
  }
  const message = { jsonrpc: '2.0', method: 'notifications/message', params: data }
  const event = `event: message\ndata: ${JSON.stringify(message)}\n\n`
  const events = Math.round(BLOCK_BYTES / event.length)
  return { bytes: new TextEncoder().encode(event.repeat(events)), events }
}

function streamOf({ bytes }: Block, blocks: number, answer: string): ReadableStream<Uint8Array> {
  let block = 0
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (block === blocks) {
        controller.enqueue(new TextEncoder().encode(`data: ${answer}\n\n`))
        return controller.close()
      }
      controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES))
      at += CHUNK_BYTES
      if (at < bytes.length) return
      at = 0
      block += 1
    },
  })
}

async function readRaw(block: Block, blocks: number): Promise<number> {
  let heard = 0
  const parser = createParser({
    onEvent: ({ data }) => {
      const message = JSON.parse(data) as { readonly method?: string }
      if (message.method !== undefined) heard += 1
    },
  })
  const decoder = new TextDecoder()
  const reader = streamOf(block, blocks, '{"result":{}}').getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read())
    parser.feed(decoder.decode(part.value, { stream: true }))
  return heard
}

async function readOurs(block: Block, blocks: number): Promise<number> {
  let heard = 0
  const fetch = async (request: Request): Promise<Response> => {
    const { id, method } = (await request.json()) as {
      readonly id: number
      readonly method: string
    }
    const answer = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })
    if (method === 'bench/stream') {
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(streamOf(block, blocks, answer({})), { headers })
    }
    const found = { supportedVersions: ['2026-07-28'], capabilities: { logging: {} } }
    return new Response(answer(found), { headers: { 'content-type': 'application/json' } })
  }
  const onLog = (): void => {
    heard += 1
  }
  const client = await Client.connect({ fetch }, { name: 'bench', version: '1', onLog })
  await client.request('bench/stream')
  await client.close()
  return heard
}
