/**
 * Abort signals tied together, without listeners that outlive their use.
 *
 * @module
 */
import type { Clock } from './clock.ts'

/** Undoes what gave it. Safe to call more than once. */
export type Undo = () => void

/**
 * Calls back once when a signal aborts, at once if it already has.
 *
 * @param signal what to watch; undefined never aborts
 * @param callback receives the signal's reason
 * @returns stops watching
 */
export function onAbort(
  signal: AbortSignal | undefined,
  callback: (reason: unknown) => void,
): Undo {
  if (signal === undefined) return nothing
  if (signal.aborted) {
    callback(signal.reason)
    return nothing
  }
  const listener = (): void => callback(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/**
 * Aborts a controller whenever a signal aborts, with the same reason.
 *
 * @param controller what to abort
 * @param signal what to watch; undefined never aborts
 * @returns unties them
 */
export function linkAbort(controller: AbortController, signal: AbortSignal | undefined): Undo {
  return onAbort(signal, (reason) => controller.abort(reason))
}

/** When, and why, something is given up. */
export interface Deadline {
  readonly clock: Clock
  /** Milliseconds from now; Infinity is never. */
  readonly ms: number
  /** Makes the reason of the abort. */
  readonly reason: () => unknown
}

/**
 * Aborts a controller after some time.
 *
 * @param controller what to abort
 * @param deadline when and why
 * @returns calls it off
 */
export function abortAfter(controller: AbortController, { clock, ms, reason }: Deadline): Undo {
  if (ms === Infinity) return nothing
  const timer = clock.setTimeout(() => controller.abort(reason()), ms)
  return () => clock.clearTimeout(timer)
}

/**
 * Does work under a signal that also aborts after some time.
 *
 * @param signal aborts it too; undefined never does
 * @param deadline when and why
 * @param work what to do
 */
export async function limited<T>(
  signal: AbortSignal | undefined,
  deadline: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const unlink = linkAbort(controller, signal)
  const disarm = abortAfter(controller, deadline)
  try {
    return await work(controller.signal)
  } finally {
    disarm()
    unlink()
  }
}

/**
 * Waits for work, but no longer than a signal allows. Not everything that is waited for can hear a
 * signal: a server in the same process need not, nor a body made there.
 *
 * @param signal ends the wait; undefined never aborts
 * @param work what is waited for; it goes on unheard
 * @throws the signal's reason when it fires first, or has fired
 */
export async function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const unlisten = onAbort(signal, reject)
  try {
    return await Promise.race([promise, work])
  } finally {
    unlisten()
  }
}

function nothing(): void {}
