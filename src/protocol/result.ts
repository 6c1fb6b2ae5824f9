/**
 * What all results have in common: the kind of result, caching hints, and the next page.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#result-types
 * @module
 */
import type { Implementation } from './implementation.ts'
import type { Cursor, MetaObject } from './params.ts'

/** The kinds of result of the core protocol; extensions add theirs (since 2026-07-28). */
export type ResultType = 'complete' | 'input_required' | (string & {})

/** The `_meta` of a result. */
export interface ResultMetaObject extends MetaObject {
  /** The server's identity, for display only (since 2026-07-28). */
  readonly 'io.modelcontextprotocol/serverInfo'?: Implementation | undefined
}

/** Any result. */
export interface Result {
  /** Required since 2026-07-28; absent means `complete`. */
  readonly resultType?: ResultType | undefined
  readonly _meta?: ResultMetaObject | undefined
}

/** A result that says nothing but "done". */
export type EmptyResult = Result

/** Who may reuse a cached result: anyone, or only the same authorization context. */
export type CacheScope = 'public' | 'private'

/** A result that may be cached; both hints are required since 2026-07-28. */
export interface CacheableResult extends Result {
  /** Milliseconds for which the result stays fresh. */
  readonly ttlMs?: number | undefined
  readonly cacheScope?: CacheScope | undefined
}

/** One page of a list. */
export interface PaginatedResult extends Result {
  /** Where the next page starts; absent on the last one. The empty string is a cursor. */
  readonly nextCursor?: Cursor | undefined
}
