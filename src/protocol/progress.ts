/**
 * Progress of a running request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/progress
 * @module
 */
import type { ProgressToken } from './jsonrpc.ts'
import { isRequestId } from './jsonrpc.ts'
import type { NotificationParams } from './params.ts'

/** Parameters of `notifications/progress`. */
export interface ProgressNotificationParams extends NotificationParams {
  /** The token that the request carried. */
  readonly progressToken: ProgressToken
  /** Grows with every notification. */
  readonly progress: number
  readonly total?: number | undefined
  /** Since 2025-03-26. */
  readonly message?: string | undefined
}

/**
 * Tells whether `value` may be a progress token: a string or an integer.
 *
 * @param value `_meta.progressToken` from the wire
 */
export function isProgressToken(value: unknown): value is ProgressToken {
  return isRequestId(value)
}
