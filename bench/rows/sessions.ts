/**
 * Sessions: how fast they are made, and what ten thousand idle ones weigh.
 *
 * @module
 */
import type { Endpoint, FiguresRow, Load, Peer, RateRow, Setup } from '../harness/types.ts'
import { createSession, initializeMessage, post, wireFor } from '../harness/wire.ts'

const SETUP: Setup = { mode: 'stateful', form: 'json', tool: 'plain', tools: 1 }
const IDLE = 10_000
// Below the default cap of sessions, so that no peer has to refuse.
const PER_SLICE = 5000

/** `initialize`, which creates a session. */
export const sessionRateRow: RateRow = {
  kind: 'rate',
  name: 'session-create',
  about: 'initialize, creating a session',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  goal: { atMost: 1.4, of: 'ratio' },
  load: createLoad,
}

/** Heap that an idle session keeps. */
export const sessionMemoryRow: FiguresRow = {
  kind: 'figures',
  name: 'session-memory',
  about: '10 000 idle sessions',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  repeats: 3,
  figures: [{ key: 'each', unit: 'KiB', goal: { atMost: 0.5, of: 'value' } }],
  measure: weighSessions,
}

async function createLoad(peer: Peer): Promise<Load | undefined> {
  let endpoint = peer.open(SETUP)
  if (endpoint === undefined) return undefined
  await createSession(SETUP, endpoint)
  const wire = wireFor(SETUP, endpoint, { method: 'initialize' })
  const body = wire.body(initializeMessage(7))
  return {
    most: PER_SLICE,
    async run(count) {
      for (let index = 0; index < count; index++) {
        const response = await endpoint?.fetch(post(wire, body))
        await response?.arrayBuffer()
      }
    },
    async reset() {
      endpoint = peer.open(SETUP)
    },
  }
}

async function weighSessions(peer: Peer): Promise<Readonly<Record<string, number>> | undefined> {
  const warm = peer.open(SETUP)
  const endpoint = peer.open(SETUP)
  if (warm === undefined || endpoint === undefined) return undefined
  await create(warm, 200)
  const before = await settledHeap()
  await create(endpoint, IDLE)
  const after = await settledHeap()
  // Proves that the sessions are still there, and keeps the endpoint alive until now.
  await createSession(SETUP, warm)
  return { each: (after - before) / IDLE / 1024 }
}

async function create(endpoint: Endpoint, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await createSession(SETUP, endpoint)
}

async function settledHeap(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return process.memoryUsage().heapUsed
}
