/**
 * `npm run bench`: measures us beside the floor and our peers, and prints the goals next to the results.
 *
 * - `--check`: the floor and us alone, short; exits 1 when a goal is missed by more than 15 %, twice.
 * - `--only <row>`: one row, or several separated by commas; a prefix that ends with `*` is allowed.
 * - `--peers <names>`: fewer peers.
 * - `--list`: the names of the rows.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { measureRow } from './harness/measure.ts'
import type { Effort } from './harness/measure.ts'
import { describeMiss, formatLine, headLine } from './harness/report.ts'
import { PEER_NAMES } from './harness/types.ts'
import type { Line, PeerName, Row } from './harness/types.ts'
import { misses } from './harness/verdict.ts'
import { ROWS, measuresOurs } from './rows/rows.ts'

const FULL: Effort = { litters: 3, slices: 11, sliceMs: 50 }
const SHORT: Effort = { litters: 4, slices: 9, sliceMs: 25, repeats: 3 }
// The second look takes its time: a miss has to be one.
const AGAIN: Effort = { litters: 5, slices: 9, sliceMs: 40, repeats: 5 }
const TOLERANCE = 0.15

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      only: { type: 'string' },
      peers: { type: 'string' },
    },
  })
  const rows = chosenRows(values.only)
  if (values.list) {
    for (const row of rows) console.log(`${row.name.padEnd(24)}${row.about}`)
    return 0
  }
  const wanted = PEER_NAMES.filter((name) => values.peers?.split(',').includes(name) ?? true)
  console.log(
    `node ${process.version}, CPU per operation, medians; \u00d7 is the ratio to the floor\n`,
  )
  console.log(headLine())
  return values.check ? check(rows) : report(rows, wanted)
}

function chosenRows(only: string | undefined): readonly Row[] {
  if (only === undefined) return ROWS
  const patterns = only.split(',')
  const rows = ROWS.filter(({ name }) => patterns.some((pattern) => matches(name, pattern)))
  if (rows.length === 0) throw new Error(`no row is called ${only}; --list names them`)
  return rows
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function peersOf(row: Row): readonly PeerName[] {
  return row.peers.filter((peer) => peer !== 'ours' || measuresOurs(row))
}

async function report(rows: readonly Row[], wanted: readonly PeerName[]): Promise<number> {
  for (const row of rows) {
    const peers = peersOf(row).filter((peer) => wanted.includes(peer) || peer === row.floor)
    print(await measureRow(row, peers, FULL))
  }
  return 0
}

async function check(rows: readonly Row[]): Promise<number> {
  const missed: Line[] = []
  for (const row of rows.filter(hasGoal)) {
    const peers = peersOf(row).filter((peer) => peer === 'ours' || peer === row.floor)
    let lines = await measureRow(row, peers, SHORT)
    print(lines)
    if (lines.some((line) => misses(line, TOLERANCE))) {
      console.log('measured once more:')
      lines = await measureRow(row, peers, AGAIN)
      print(lines)
    }
    missed.push(...lines.filter((line) => misses(line, TOLERANCE)))
  }
  for (const line of missed) console.error(`missed by more than 15 %: ${describeMiss(line)}`)
  return missed.length === 0 ? 0 : 1
}

function hasGoal(row: Row): boolean {
  if (!measuresOurs(row)) return false
  return row.kind === 'rate' ? row.goal !== undefined : row.figures.some(({ goal }) => goal)
}

function print(lines: readonly Line[]): void {
  for (const line of lines) console.log(formatLine(line))
}

process.exitCode = await main()
