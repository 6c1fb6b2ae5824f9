/**
 * Results that may be used again: for how long and by whom, the server says.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 * @module
 */
import type { Params } from '../protocol/jsonrpc.ts'
import { MAX_CACHED_RESULTS } from '../protocol/limits.ts'
import { setBounded } from '../shared/bounded.ts'
import type { Clock } from '../shared/clock.ts'
import { ClientError } from './errors.ts'

/** A kept result. */
export interface CacheEntry {
  readonly result: Params
  /** Milliseconds since 1970 after which it is no longer used. */
  readonly expiresAt: number
}

/**
 * Where results are kept. A store may forget anything at any time. What it throws counts as "not
 * there", and is reported to `onWarning`.
 */
export interface CacheStore {
  get(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>
  set(key: string, entry: CacheEntry): void | Promise<void>
  /** Forgets every key that starts with a prefix. */
  delete(prefix: string): void | Promise<void>
}

/**
 * Keeps results in this process.
 *
 * @param max how many; the oldest make room. Default 1000
 */
export function memoryCache(max: number = MAX_CACHED_RESULTS): CacheStore {
  const entries = new Map<string, CacheEntry>()
  return {
    get: (key) => entries.get(key),
    set: (key, entry) => setBounded(entries, [key, entry], max),
    delete: (prefix) => {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key)
    },
  }
}

/** What a cache serves: one server, for one principal. */
export interface ResultCacheOptions {
  readonly store: CacheStore
  /** Tells this server's results from another's. */
  readonly server: string
  /** Tells whose private results they are. */
  readonly principal: string
  readonly clock: Clock
  readonly warn: (error: Error) => void
}

/** The results of one server. */
export class ResultCache {
  readonly #options: ResultCacheOptions
  /** Counts the changes, so that a result asked for before one is not kept after it. */
  readonly #changes = new Map<string, number>()

  constructor(options: ResultCacheOptions) {
    this.#options = options
  }

  /**
   * A fresh result.
   *
   * @param method what was asked
   * @param what the cursor or URI it was asked for
   */
  async get(method: string, what: string): Promise<Params | undefined> {
    for (const scope of ['private', 'public'] as const) {
      const entry = await this.#quietly(() =>
        this.#options.store.get(this.#key(method, what, scope)),
      )
      if (entry !== undefined && entry.expiresAt > this.#options.clock.now()) return entry.result
    }
    return undefined
  }

  /**
   * Begins to ask; returns what keeps the answer, unless something changed meanwhile.
   *
   * @param method what is asked
   * @param what the cursor or URI it is asked for
   */
  begin(method: string, what: string): (result: Params) => Promise<void> {
    const before = this.#changesOf(method)
    return async (result) => {
      const ttlMs = result['ttlMs']
      if (typeof ttlMs !== 'number' || !(ttlMs > 0) || this.#changesOf(method) !== before) return
      // Anything but the word `public` is for this principal alone.
      const scope = result['cacheScope'] === 'public' ? 'public' : 'private'
      const expiresAt = this.#options.clock.now() + ttlMs
      await this.#quietly(() =>
        this.#options.store.set(this.#key(method, what, scope), { result, expiresAt }),
      )
    }
  }

  /**
   * Forgets results that a change made stale.
   *
   * @param method whose results
   * @param what the one that changed; all of the method without it
   */
  async forget(method: string, what?: string): Promise<void> {
    this.#changes.set(method, this.#changesOf(method) + 1)
    for (const scope of ['private', 'public'] as const) {
      const prefix =
        what === undefined ? this.#prefix(method, scope) : this.#key(method, what, scope)
      await this.#quietly(() => this.#options.store.delete(prefix))
    }
  }

  #changesOf(method: string): number {
    return this.#changes.get(method) ?? 0
  }

  #prefix(method: string, scope: 'public' | 'private'): string {
    const { server, principal } = this.#options
    const owner = scope === 'public' ? 'public' : `private ${JSON.stringify(principal)}`
    return `${JSON.stringify(server)} ${owner} ${method} `
  }

  /** The end mark keeps one key from being the prefix of another. */
  #key(method: string, what: string, scope: 'public' | 'private'): string {
    return `${this.#prefix(method, scope)}${JSON.stringify(what)} `
  }

  async #quietly<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#options.warn(new ClientError('The cache store failed', { cause: error }))
      return undefined
    }
  }
}
