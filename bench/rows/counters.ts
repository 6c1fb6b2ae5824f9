/**
 * Exact counters of one modern `tools/call`: library functions called, and bytes allocated.
 *
 * @module
 */
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { callLoad } from '../harness/load.ts'
import type { FiguresRow, Load, Peer, Setup } from '../harness/types.ts'

const SETUP: Setup = { mode: 'modern', form: 'json', tool: 'plain', tools: 1 }
const WARM_CALLS = 3000
const COUNTED_CALLS = 200
const WEIGHED_CALLS = 250
const WEIGHINGS = 9

/** Functions and KiB of one call; the KiB include the request and the response of the harness. */
export const countersRow: FiguresRow = {
  kind: 'figures',
  name: 'counters',
  about: 'one modern tools/call',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  repeats: 1,
  figures: [
    {
      key: 'library functions',
      unit: 'calls',
      goal: { atMost: 40, of: 'value', exact: true, reached: 80 },
    },
    // 17 KiB where the floor, which is mostly the harness's Request and Response, was 13.
    { key: 'allocated', unit: 'KiB', goal: { atMost: 4, of: 'over' } },
  ],
  measure,
}

async function measure(peer: Peer): Promise<Readonly<Record<string, number>> | undefined> {
  const load = await loadOf(peer)
  if (load === undefined) return undefined
  await load.run(WARM_CALLS)
  const allocated = await weigh(load)
  const calls = peer.name === 'raw' ? 0 : await countCalls(load)
  return { 'library functions': calls, allocated }
}

async function loadOf(peer: Peer): Promise<Load | undefined> {
  return (await callLoad(peer, SETUP)) ?? callLoad(peer, { ...SETUP, mode: 'stateless' })
}

async function weigh(load: Load): Promise<number> {
  const weights: number[] = []
  for (let round = 0; round < WEIGHINGS; round++) {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    await load.run(WEIGHED_CALLS)
    weights.push((process.memoryUsage().heapUsed - before) / WEIGHED_CALLS / 1024)
  }
  // A collection in between only ever makes the number smaller.
  return Math.max(...weights.slice(1))
}

async function countCalls(load: Load): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await load.run(50)
  await session.post('Profiler.takePreciseCoverage')
  await load.run(COUNTED_CALLS)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const calls = result.filter(isLibrary).flatMap(({ functions }) => functions.map(callsOf))
  return Math.round((calls.reduce((sum, count) => sum + count, 0) / COUNTED_CALLS) * 10) / 10
}

function isLibrary({ url }: Profiler.ScriptCoverage): boolean {
  return url.startsWith('file:') && !url.startsWith(new URL('../', import.meta.url).href)
}

function callsOf({ ranges }: Profiler.FunctionCoverage): number {
  return ranges[0]?.count ?? 0
}
