/**
 * Waiting, but not for ever.
 *
 * @module
 */
import type { Deadline } from './abort.ts'
import type { Awaitable } from './fetch.ts'

/**
 * Waits for work until a deadline. The work itself goes on; nobody waits for it any more.
 *
 * @param work what to wait for
 * @param deadline when and why to stop waiting
 * @throws the deadline's reason, or whatever the work throws
 */
export async function within<T>(work: Awaitable<T>, { clock, ms, reason }: Deadline): Promise<T> {
  if (!(work instanceof Promise)) return work
  let timer: unknown
  const expired = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(reason()), ms)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    clock.clearTimeout(timer)
  }
}
