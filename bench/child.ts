/**
 * The process of one peer: loads it, warms it up, and runs slices when the parent says so.
 *
 * @module
 */
import { loadPeer } from './peers/peer.ts'
import { rowNamed } from './rows/rows.ts'
import type { Answer, Command } from './harness/contender.ts'
import type { Load, RateRow } from './harness/types.ts'

/** CPU that a load gets before it is measured: by the clock, a busy machine would measure cold code. */
const WARM_CPU_MS = 1_500
// A single collection or compilation must not be a whole slice.
const LEAST_PER_SLICE = 3

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

async function prepare(command: Command & { readonly do: 'start' }): Promise<Load | undefined> {
  const row = rowNamed(command.row)
  if (row.kind !== 'rate') throw new Error(`${row.name} is not measured in slices`)
  const peer = await loadPeer(command.peer)
  return command.base ? baseOf(row)(peer) : row.load(peer)
}

function baseOf(row: RateRow): RateRow['load'] {
  if (row.base === undefined) throw new Error(`${row.name} has no base`)
  return row.base
}

async function warm(load: Load, sliceMs: number): Promise<number> {
  const most = load.most ?? Number.POSITIVE_INFINITY
  const cold = process.cpuUsage()
  let count = 1
  let each = Number.POSITIVE_INFINITY
  while (spentMs(cold) < WARM_CPU_MS) {
    await load.reset?.()
    const before = performance.now()
    await load.run(count)
    each = (performance.now() - before) / count
    count = Math.min(most, Math.max(1, Math.ceil(sliceMs / each)), count * 4)
  }
  return Math.min(most, Math.max(LEAST_PER_SLICE, Math.ceil(sliceMs / each)))
}

async function slice(load: Load, count: number): Promise<Answer> {
  await load.reset?.()
  const before = process.cpuUsage()
  await load.run(count)
  const { user, system } = process.cpuUsage(before)
  return { each: (user + system) / count }
}

function serve(): void {
  let load: Load | undefined
  let count = 0

  async function obey(command: Command): Promise<Answer> {
    if (command.do === 'measure') return measure(command)
    if (command.do === 'start') {
      load = await prepare(command)
      if (load === undefined) return { unsupported: true }
      count = await warm(load, command.sliceMs)
      return { each: count }
    }
    if (load === undefined) throw new Error('nothing was started')
    return slice(load, count)
  }

  process.on('message', (command: Command) => {
    obey(command).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}

async function measure(command: Command & { readonly do: 'measure' }): Promise<Answer> {
  const row = rowNamed(command.row)
  if (row.kind !== 'figures') throw new Error(`${row.name} has no figures`)
  const figures = await row.measure(await loadPeer(command.peer))
  return figures === undefined ? { unsupported: true } : { figures }
}

serve()
