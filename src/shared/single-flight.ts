/**
 * One piece of work at a time for each key: whoever asks while it runs waits for the same answer.
 *
 * @module
 */

/**
 * Who shares work in progress. `shared`: every request of this process. `request`: nobody, for
 * platforms where a promise made in one request must not be awaited in another (Cloudflare Workers).
 */
export type SingleFlightMode = 'shared' | 'request'

/** Runs work, or joins what already runs under the same key. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/**
 * Makes a single-flight table.
 *
 * @param mode who shares work in progress
 */
export function createSingleFlight<T>(mode: SingleFlightMode): SingleFlight<T> {
  if (mode === 'request') return (_key, work) => work()
  const running = new Map<string, Promise<T>>()
  return (key, work) => {
    const current = running.get(key)
    if (current !== undefined) return current
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/** Runs work when all that was handed in before has ended. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Makes a queue of work that runs one piece at a time.
 *
 * @param mode with `request` nothing waits
 */
export function createExclusive(mode: SingleFlightMode): Exclusive {
  if (mode === 'request') return (work) => work()
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = tail.then(work)
    tail = next.catch(() => undefined)
    return next
  }
}
