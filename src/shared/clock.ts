/**
 * Time as something that can be handed in, so that tests move it by hand.
 *
 * @module
 */

/** What this package asks of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once, after at least `ms` milliseconds. */
  setTimeout(callback: () => void, ms: number): unknown
  /** Forgets a timer; what it does not know, it ignores. */
  clearTimeout(timer: unknown): void
}

/** The longest delay a platform's timer takes; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2_147_483_647

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS)),
  clearTimeout: (timer) => {
    if (isTimer(timer)) clearTimeout(timer)
  },
}

/** A handle is a number on the Web and an object on Node; both are what `clearTimeout` takes. */
function isTimer(value: unknown): value is number {
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}
