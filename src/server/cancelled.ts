/**
 * Telling a call that failed from one that was called off.
 *
 * @module
 */
import { InternalError } from '../protocol/errors.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import type { Call } from './call.ts'

/**
 * Whether a handler only passes on that its call was called off. A client that leaves is no failure
 * of ours: whoever comes and goes must not fill the author's log.
 *
 * @param call the call
 * @param error what its handler threw
 */
export function isCancellation({ outbox }: Pick<Call, 'outbox'>, error: unknown): boolean {
  // A handler that is closed calls its calls off with such an error; any other one is a failure.
  if (error instanceof InternalError) return error === outbox.signal.reason
  const passedOn =
    error instanceof ConnectionClosedError ||
    (error instanceof Error && error.name === 'AbortError')
  return passedOn && outbox.signal.aborted
}
