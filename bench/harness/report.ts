/**
 * Lines as text.
 *
 * @module
 */
import { PEER_NAMES } from './types.ts'
import type { Line, PeerName } from './types.ts'
import { describeGoal, measuredAgainst, missesGoal } from './verdict.ts'

const WIDTHS = { row: 52, peer: 17, goal: 14 }

/** The head of the table. */
export function headLine(): string {
  const peers = PEER_NAMES.map((name) => name.padStart(WIDTHS.peer)).join('')
  return `${''.padEnd(WIDTHS.row)}${peers}  goal`
}

/** One line of the table: each peer's value, its ratio to the floor, the goal and whether it is met. */
export function formatLine(line: Line): string {
  const cells = PEER_NAMES.map((name) => cellOf(line, name).padStart(WIDTHS.peer)).join('')
  return `${`${line.row} [${line.unit}]`.padEnd(WIDTHS.row)}${cells}  ${goalOf(line)}`
}

/** A missed goal as a sentence. */
export function describeMiss(line: Line): string {
  const { goal, row, unit } = line
  if (goal === undefined) return row
  const measured = measuredAgainst(line, goal)
  return `${row}: ${measured === undefined ? '?' : digits(measured)}, goal ${describeGoal(goal, unit)}`
}

function cellOf(line: Line, name: PeerName): string {
  const value = line.values.get(name)
  if (value === undefined) return '\u2013'
  const ratio = line.ratios.get(name)
  const isFloor = name === line.floor
  if (isFloor || ratio === undefined || !Number.isFinite(ratio)) return digits(value)
  return `${digits(value)} (${digits(ratio)}\u00d7)`
}

function goalOf(line: Line): string {
  const { goal, unit } = line
  if (goal === undefined) return ''
  const words = describeGoal(goal, unit).padEnd(WIDTHS.goal)
  if (measuredAgainst(line, goal) === undefined) return words
  return `${words} ${missesGoal(line) ? 'MISSED' : 'met'}`
}

function digits(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return value.toFixed(0)
  return size >= 100 ? value.toFixed(0) : value.toFixed(size >= 10 ? 1 : 2)
}
