/**
 * What the parameters of every message have in common: `_meta`, cursors, and the answers a retry
 * carries.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 * @module
 */
import type { ProgressToken } from './jsonrpc.ts'

/** Free-form metadata under the key grammar of `isMetaKey`. */
export interface MetaObject {
  readonly [key: string]: unknown
}

/** The `_meta` of a request, as it stands on the wire: see `readEnvelope` for the checked form. */
export interface RequestMetaObject extends MetaObject {
  /** Asks for progress notifications under this token. */
  readonly progressToken?: ProgressToken | undefined
}

/** Parameters of any request; `_meta` is required since 2026-07-28. */
export interface RequestParams {
  readonly _meta?: RequestMetaObject | undefined
}

/** Parameters of any notification. */
export interface NotificationParams {
  readonly _meta?: MetaObject | undefined
}

/** An opaque position in a list; the empty string is one too. */
export type Cursor = string

/** Parameters of the list requests. */
export interface PaginatedRequestParams extends RequestParams {
  readonly cursor?: Cursor | undefined
}

/** Parameters of the requests that may be answered with questions (since 2026-07-28). */
export interface InputResponseRequestParams extends RequestParams {
  /**
   * Answers to the questions of the previous round, by key. Unknown until each is checked against
   * the question it answers; then it is one of `InputResponses`.
   */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined
  /** The state of the previous round, byte for byte. */
  readonly requestState?: string | undefined
}
