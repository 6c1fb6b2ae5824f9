/**
 * Measures rows: children side by side, slices in turn, medians at the end.
 *
 * @module
 */
import { startContender } from './contender.ts'
import type { Answer, Contender } from './contender.ts'
import { median, pairedRatio } from './statistics.ts'
import type { Figure, FiguresRow, Line, PeerName, RateRow, Row } from './types.ts'

/** How long a run may take. */
export interface Effort {
  /** How many times fresh processes are started: one process may be lucky in what it compiles. */
  readonly litters: number
  /** Rounds of each litter. */
  readonly slices: number
  readonly sliceMs: number
  /** Repeats of figures rows; the row's own number when absent. */
  readonly repeats?: number | undefined
}

/** The lines of a row for these peers. Peers without the feature are left out. */
export function measureRow(
  row: Row,
  peers: readonly PeerName[],
  effort: Effort,
): Promise<readonly Line[]> {
  return row.kind === 'rate' ? measureRate(row, peers, effort) : measureFigures(row, peers, effort)
}

interface Lane {
  readonly peer: PeerName
  readonly base: boolean
  /** CPU of every slice, in the order of the rounds: equal indices belong together. */
  readonly slices: number[]
}

interface Runner extends Lane {
  readonly contender: Contender
}

async function measureRate(
  row: RateRow,
  peers: readonly PeerName[],
  effort: Effort,
): Promise<readonly Line[]> {
  const bases = row.floor === 'own' ? [true, false] : [false]
  const lanes = peers.flatMap((peer) => bases.map((base) => ({ peer, base, slices: [] })))
  for (let litter = 0; litter < effort.litters; litter++) await runLitter(row, lanes, effort)
  return [rateLine(row, lanes)]
}

async function runLitter(row: RateRow, lanes: readonly Lane[], effort: Effort): Promise<void> {
  const runners = lanes.map((lane) => ({ ...lane, contender: startContender('slices') }))
  try {
    const served: Runner[] = []
    for (const runner of runners) {
      if (await startRunner(runner, row, effort.sliceMs)) served.push(runner)
    }
    await takeTurns(served, effort.slices)
  } finally {
    await Promise.all(runners.map(({ contender }) => contender.stop()))
  }
}

async function startRunner(runner: Runner, row: RateRow, sliceMs: number): Promise<boolean> {
  const { peer, base, contender } = runner
  const answer = await contender.ask({ do: 'start', row: row.name, peer, base, sliceMs })
  return answer.unsupported !== true
}

async function takeTurns(lanes: readonly Runner[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    // Every other round runs backwards, so that no peer always follows the same neighbour.
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) {
      const { each } = await lane.contender.ask({ do: 'slice' })
      lane.slices.push(each ?? Number.NaN)
    }
  }
}

function rateLine(row: RateRow, lanes: readonly Lane[]): Line {
  const values = new Map<PeerName, number>()
  const ratios = new Map<PeerName, number>()
  for (const lane of lanes) {
    if (lane.base || lane.slices.length === 0) continue
    values.set(lane.peer, median(lane.slices))
    const floor = lanes.find(({ peer, base }) =>
      row.floor === 'own' ? peer === lane.peer && base : peer === row.floor,
    )
    if (floor !== undefined) ratios.set(lane.peer, pairedRatio(lane.slices, floor.slices))
  }
  const about = row.about
  return { row: about, unit: '\u00b5s', floor: row.floor, values, ratios, goal: row.goal }
}

async function measureFigures(
  row: FiguresRow,
  peers: readonly PeerName[],
  { repeats }: Effort,
): Promise<readonly Line[]> {
  const taken = new Map<PeerName, Readonly<Record<string, number>>[]>()
  for (let round = 0; round < Math.min(row.repeats, repeats ?? row.repeats); round++) {
    for (const peer of peers) {
      const figures = await takeFigures(row, peer)
      if (figures !== undefined) taken.set(peer, [...(taken.get(peer) ?? []), figures])
    }
  }
  return row.figures.map((figure) => figureLine(row, figure, taken))
}

async function takeFigures(row: FiguresRow, peer: PeerName): Promise<Answer['figures']> {
  const contender = startContender('figures')
  try {
    return (await contender.ask({ do: 'measure', row: row.name, peer })).figures
  } finally {
    await contender.stop()
  }
}

function figureLine(
  row: FiguresRow,
  { key, unit, goal }: Figure,
  taken: ReadonlyMap<PeerName, readonly Readonly<Record<string, number>>[]>,
): Line {
  const values = new Map<PeerName, number>()
  for (const [peer, all] of taken) {
    values.set(peer, median(all.map((figures) => figures[key] ?? Number.NaN)))
  }
  const floor = values.get(row.floor) ?? Number.NaN
  const ratios = new Map([...values].map(([peer, value]) => [peer, value / floor]))
  return { row: `${row.about}: ${key}`, unit, floor: row.floor, values, ratios, goal }
}
