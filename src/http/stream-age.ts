/**
 * When a stream ends by itself.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import { jittered } from '../shared/jitter.ts'
import type { Settings } from './options.ts'

/**
 * Ends a stream before its credentials do, and before its maximum age.
 *
 * @param settings the clock and the age
 * @param expiresAt when its credentials do, in seconds since 1970
 * @param end ends it
 * @returns the timer; undefined where nothing limits the stream
 */
export function endInTime(
  { clock, maxStreamAgeMs }: Settings,
  expiresAt: AuthInfo['expiresAt'],
  end: () => void,
): unknown {
  const validMs = expiresAt === undefined ? Infinity : expiresAt * 1000 - clock.now()
  const ms = Math.min(validMs, maxStreamAgeMs === Infinity ? Infinity : jittered(maxStreamAgeMs))
  return ms === Infinity ? undefined : clock.setTimeout(end, Math.max(0, ms))
}
