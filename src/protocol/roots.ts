/**
 * Roots: the places a client lets a server work in. Deprecated since 2026-07-28, still working.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 * @module
 */
import type { MetaObject, RequestParams } from './params.ts'
import type { Result } from './result.ts'

/** One place. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string | undefined
  readonly _meta?: MetaObject | undefined
}

/** Parameters of `roots/list`. */
export type ListRootsRequestParams = RequestParams

/** Result of `roots/list`. */
export interface ListRootsResult extends Result {
  readonly roots: readonly Root[]
}
