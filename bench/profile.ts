/**
 * Where the time of one row goes: `node --conditions=mcp-edge-source bench/profile.ts <row> [peer] [ms]`.
 *
 * Prints the functions with the most self time, in this process, after a warm-up.
 *
 * @module
 */
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { PEER_NAMES } from './harness/types.ts'
import type { Load, PeerName } from './harness/types.ts'
import { loadPeer } from './peers/peer.ts'
import { rowNamed } from './rows/rows.ts'

const SHOWN = 40

async function main(): Promise<void> {
  const [rowName = 'call-modern-json', peerName = 'ours', duration = '3000'] = process.argv.slice(2)
  const row = rowNamed(rowName)
  if (row.kind !== 'rate') throw new Error(`${row.name} is not measured in slices`)
  const load = await row.load(await loadPeer(peerCalled(peerName)))
  if (load === undefined) throw new Error(`${peerName} cannot serve ${rowName}`)
  await runFor(load, 1000)
  const profile = await profileOf(() => runFor(load, Number(duration)))
  console.log(`${row.about}: ${peerName}`)
  for (const line of hottest(profile)) console.log(line)
}

function peerCalled(name: string): PeerName {
  const peer = PEER_NAMES.find((candidate) => candidate === name)
  if (peer === undefined) throw new Error(`there is no peer ${name}`)
  return peer
}

async function runFor(load: Load, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until) {
    await load.reset?.()
    await load.run(Math.min(50, load.most ?? 50))
  }
}

async function profileOf(work: () => Promise<void>): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

function hottest({ nodes, samples = [] }: Profiler.Profile): string[] {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node)]))
  const counts = new Map<string, number>()
  for (const sample of samples) {
    const place = places.get(sample) ?? '?'
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, SHOWN)
  return sorted.map(([place, count]) => {
    const share = (count / samples.length) * 100
    return `${share.toFixed(1).padStart(6)} %  ${place}`
  })
}

function placeOf({ callFrame }: Profiler.ProfileNode): string {
  const { functionName, url, lineNumber } = callFrame
  const file = url.replace(new URL('../', import.meta.url).href, '')
  return `${functionName === '' ? '(anonymous)' : functionName}  ${file}:${lineNumber + 1}`
}

await main()
