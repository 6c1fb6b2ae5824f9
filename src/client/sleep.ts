/**
 * Waiting that can be called off.
 *
 * @module
 */
import { abortable } from '../shared/abort.ts'
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
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.setTimeout(resolve, ms)
  try {
    await abortable(signal, promise)
  } finally {
    clock.clearTimeout(timer)
  }
}
