/**
 * Medians.
 *
 * @module
 */

/** The median of the values; `NaN` for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The median of the element-wise quotients: pairs taken close in time share the machine's mood. */
export function pairedRatio(values: readonly number[], floors: readonly number[]): number {
  return median(values.map((value, index) => value / (floors[index] ?? Number.NaN)))
}
