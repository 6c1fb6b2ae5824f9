/**
 * Whether a line reaches its goal.
 *
 * @module
 */
import type { Goal, Line } from './types.ts'

/** What is compared with the goal: a ratio, a difference or a value; `undefined` when not measured. */
export function measuredAgainst(line: Line, goal: Goal): number | undefined {
  const value = line.values.get('ours')
  if (value === undefined) return undefined
  if (goal.of === 'value') return value
  if (goal.of === 'ratio') return line.ratios.get('ours')
  const floor = line.floor === 'own' ? undefined : line.values.get(line.floor)
  return floor === undefined ? undefined : value - floor
}

/** Whether the line misses its goal. */
export function missesGoal(line: Line): boolean {
  const measured = line.goal === undefined ? undefined : measuredAgainst(line, line.goal)
  return measured !== undefined && line.goal !== undefined && !(measured <= line.goal.atMost)
}

/**
 * Whether the line misses its goal, or what has been reached so far, by more than the tolerance (0.15
 * for 15 %).
 */
export function misses(line: Line, tolerance: number): boolean {
  const { goal } = line
  if (goal === undefined) return false
  const measured = measuredAgainst(line, goal)
  if (measured === undefined) return false
  const kept = goal.reached ?? goal.atMost
  const limit = goal.exact === true ? kept : kept * (1 + tolerance)
  return !(measured <= limit)
}

/** The goal in words. */
export function describeGoal({ atMost, of }: Goal, unit: string): string {
  if (of === 'ratio') return `\u2264 ${atMost} \u00d7`
  return of === 'over' ? `\u2264 +${atMost} ${unit}` : `\u2264 ${atMost} ${unit}`
}
