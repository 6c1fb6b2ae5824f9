/**
 * Waiting that can be called off.
 *
 * @module
 */
import { onAbort } from '../shared/abort.ts'
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
  const unlisten = onAbort(signal, reject)
  const timer = clock.setTimeout(resolve, ms)
  try {
    await promise
  } finally {
    clock.clearTimeout(timer)
    unlisten()
  }
}

/**
 * Waits for work, but no longer than a signal allows. The signal of a request does not reach a
 * server in the same process that ignores it, nor a body made there.
 *
 * @param signal ends the wait
 * @param work what is waited for; it goes on unheard
 * @throws the signal's reason when it fires first, or has fired
 */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const unlisten = onAbort(signal, reject)
  try {
    return await Promise.race([work, promise])
  } finally {
    unlisten()
  }
}
