/**
 * Waiting that can be called off.
 *
 * @module
 */
import type { Clock } from '../shared/clock.ts'

/**
 * Waits.
 *
 * @param ms how long
 * @param signal ends the wait
 * @param clock whose time
 * @throws the signal's reason when it fires first, or has fired
 */
export async function sleep(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = clock.setTimeout(resolve, ms)
  try {
    await promise
  } finally {
    clock.clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
