/**
 * Saying what has to hold, without a test runner.
 *
 * @module
 */
import { isRecord } from '../support/events.ts'

/** Waits until something holds. @throws when it never does */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    if (await holds()) return
    await pause(50)
  }
  throw new Error(`never: ${what}`)
}

/** The names of listed items. */
export function names(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map((item: unknown) => isRecord(item) && item['name']) : []
}

/** The first object of a list. @throws when there is none */
export function first(list: unknown): Readonly<Record<string, unknown>> {
  const item: unknown = Array.isArray(list) ? list[0] : undefined
  if (isRecord(item)) return item
  throw new Error(`expected a list with an object, got ${JSON.stringify(list)}`)
}

/** @throws unless it holds */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected: ${what}`)
}

/** @throws unless both have the same JSON */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`${what}: expected ${should}, got ${is}`)
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
