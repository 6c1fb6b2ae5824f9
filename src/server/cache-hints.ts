/**
 * How long a client may reuse a list or a resource, and with whom it may share it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/caching
 * @module
 */

/** Freshness and audience of a result. */
export interface CacheHints {
  /** Milliseconds the result stays fresh; a non-negative integer. */
  readonly ttlMs: number
  /** Whether anyone with access may share the result, or only the same caller. */
  readonly cacheScope: 'public' | 'private'
}

/** The `cache` option of a server. */
export interface CacheOptions {
  /** Milliseconds lists and resources stay fresh. @default 0 */
  readonly ttlMs?: number | undefined
  /** `public` lets intermediaries share a result between users. @default 'private', because public leaks on a server that knows its users */
  readonly scope?: 'public' | 'private' | undefined
}

/** The hints that say "ask again next time". */
export const NO_CACHE: CacheHints = { ttlMs: 0, cacheScope: 'private' }

/**
 * Checks and completes the `cache` option.
 *
 * @throws {TypeError} if `ttlMs` is not a non-negative integer or `scope` is neither word
 */
export function toCacheHints(options: CacheOptions): CacheHints {
  return checkHints(options.ttlMs ?? 0, options.scope ?? 'private')
}

/**
 * Checks one pair of hints.
 *
 * @throws {TypeError} if `ttlMs` is not a non-negative integer or `scope` is neither word
 */
export function checkHints(ttlMs: unknown, scope: unknown): CacheHints {
  if (typeof ttlMs !== 'number' || !Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new TypeError('cache ttlMs must be a non-negative integer')
  }
  if (scope !== 'public' && scope !== 'private') {
    throw new TypeError("cache scope must be 'public' or 'private'")
  }
  return { ttlMs, cacheScope: scope }
}
