/**
 * Fan-out: one publish to many open streams, until the last reader has it.
 *
 * @module
 */
import { median } from '../harness/statistics.ts'
import type { Endpoint, FiguresRow, Goal, Peer, Setup } from '../harness/types.ts'
import { WATCHED, createSession, openGet, post, wireFor } from '../harness/wire.ts'

const ROUNDS = 15
const COLON = 58

/** Modern listen streams that watch one resource. */
export const listenRows: readonly FiguresRow[] = [
  row('listen-1000', { streams: 1000, mode: 'modern' }),
  row('listen-10000', { streams: 10_000, mode: 'modern' }),
]

/** Legacy GET streams, one for each session. */
export const getStreamRow: FiguresRow = row('get-fan-out', { streams: 5000, mode: 'stateful' })

interface Crowd {
  readonly streams: number
  readonly mode: 'modern' | 'stateful'
}

function row(name: string, crowd: Crowd): FiguresRow {
  const kind = crowd.mode === 'modern' ? 'listen streams' : 'GET streams'
  const large = crowd.streams === 10_000
  const ratio: Goal | undefined = large ? { atMost: 1.2, of: 'ratio', reached: 1.4 } : undefined
  return {
    kind: 'figures',
    name,
    about: `one publish to ${crowd.streams} ${kind}`,
    floor: 'raw',
    peers: ['raw', 'official', 'ours'],
    repeats: large ? 5 : 3,
    figures: [
      { key: 'CPU', unit: 'ms', goal: ratio },
      { key: 'time', unit: 'ms' },
      { key: 'longest block', unit: 'ms', goal: { atMost: 10, of: 'value', reached: 15 } },
      { key: 'memory per stream', unit: 'KiB' },
    ],
    measure: (peer) => measure(peer, crowd),
  }
}

async function measure(
  peer: Peer,
  { streams, mode }: Crowd,
): Promise<Readonly<Record<string, number>> | undefined> {
  const setup: Setup = { mode, form: mode === 'modern' ? 'json' : 'sse', tool: 'plain', tools: 1 }
  const endpoint = peer.open(setup)
  if (endpoint?.publish === undefined) return undefined
  await openOne(setup, endpoint, 1)
  const before = await settledMemory()
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = []
  for (let id = 2; id <= streams; id++) readers.push(await openOne(setup, endpoint, id))
  const each = ((await settledMemory()) - before) / readers.length / 1024
  const rounds = await publishRounds(endpoint, readers)
  return { ...rounds, 'memory per stream': each }
}

async function openOne(
  setup: Setup,
  endpoint: Endpoint,
  id: number,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const listen = setup.mode === 'modern'
  const response = await endpoint.fetch(
    listen ? listenRequest(setup, endpoint, id) : openGet(await createSession(setup, endpoint)),
  )
  if (response.status !== 200 || response.body === null) {
    throw new Error(`stream ${id} was answered ${response.status}: ${await response.text()}`)
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  if (listen) await reader.read()
  return reader
}

function listenRequest(setup: Setup, endpoint: Endpoint, id: number): Request {
  const method = 'subscriptions/listen'
  const sse = { ...endpoint, accept: 'application/json, text/event-stream' }
  const wire = wireFor(setup, sse, { method })
  const params = { notifications: { resourceSubscriptions: [WATCHED] } }
  return post(wire, wire.body({ id, method, params }))
}

async function publishRounds(
  endpoint: Endpoint,
  readers: readonly ReadableStreamDefaultReader<Uint8Array>[],
): Promise<Readonly<Record<string, number>>> {
  const arrivals = countArrivals(readers)
  const cpu: number[] = []
  const time: number[] = []
  const block: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const all = arrivals.next()
    const watch = watchLoop()
    await turn()
    const cpuBefore = process.cpuUsage()
    const before = performance.now()
    endpoint.publish?.()
    await all
    const used = process.cpuUsage(cpuBefore)
    time.push(performance.now() - before)
    cpu.push((used.user + used.system) / 1000)
    await turn()
    block.push(watch.stop())
  }
  return {
    CPU: median(cpu.slice(3)),
    time: median(time.slice(3)),
    'longest block': median(block.slice(3)),
  }
}

function countArrivals(readers: readonly ReadableStreamDefaultReader<Uint8Array>[]): {
  next(): Promise<void>
} {
  let missing = 0
  let done: () => void = () => {}
  async function count(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<never> {
    for (;;) {
      const { value, done: ended } = await reader.read()
      if (ended) throw new Error('a stream ended')
      // A comment is a keepalive, not an event.
      if (value[0] !== COLON && --missing === 0) done()
    }
  }
  for (const reader of readers) void count(reader)
  return {
    next: () =>
      new Promise((resolve) => {
        missing = readers.length
        done = resolve
      }),
  }
}

function watchLoop(): { stop(): number } {
  let longest = 0
  let last = performance.now()
  let running = true
  function tick(): void {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (running) setImmediate(tick)
  }
  setImmediate(tick)
  return {
    stop() {
      running = false
      return Math.max(longest, performance.now() - last)
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function settledMemory(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
