/**
 * The ground a provider stands on: one server, one storage, one piece of work at a time.
 *
 * @module
 */
import { platformFetch, type FetchLike } from '../shared/remote-json.ts'
import { createExclusive, type SingleFlightMode } from '../shared/single-flight.ts'
import { secureUrl } from './destinations.ts'
import { OAuthError } from './errors.ts'
import { grantKey, type GrantRecord } from './grant-record.ts'
import type { Grant, Renewal } from './renewal.ts'
import { memoryTokens, type TokenStorage } from './storage.ts'

/** What every provider can be told. */
export interface ProviderOptions {
  /** Where tokens and registrations are kept; memory by default. One user's only. */
  readonly storage?: TokenStorage | undefined
  /** The scopes to ask for when neither the challenge nor the server's metadata names any. */
  readonly scopes?: readonly string[] | undefined
  /**
   * `shared`, the default: concurrent requests wait for one renewal. `request` on Cloudflare Workers,
   * where a promise of one request must not be awaited in another; a storage with a lock serves there.
   */
  readonly singleFlight?: SingleFlightMode | undefined
  /** Sends `scope` with a refresh, for servers that want it; off, because absence means "the same". */
  readonly scopeOnRefresh?: boolean | undefined
  /** Makes OAuth requests; the platform's by default. */
  readonly fetch?: FetchLike | undefined
  /** Milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined
}

/** What all providers are made of. */
export interface ProviderCore {
  readonly storage: TokenStorage
  /** Holds the provider to one server. Throws an {@link OAuthError} for another one. */
  readonly pin: (url: string) => URL
  /** The server's URL; empty before the first request. */
  readonly server: () => string
  /** Runs work that changes tokens: one piece at a time here, and wherever the storage's lock reaches. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>
  /** What a renewal works with, given the grant as it is known. */
  readonly renewal: (known: GrantRecord | undefined, signal?: AbortSignal) => Renewal
}

/**
 * Makes the ground for a provider. The URL of its first request is pinned, and a request for another
 * is refused.
 *
 * @param grant how tokens are obtained
 * @param options what every provider can be told
 */
export function createCore(grant: Grant, options: ProviderOptions): ProviderCore {
  const { storage = memoryTokens(), now = Date.now, fetch = platformFetch } = options
  const { scopes, scopeOnRefresh = false, singleFlight = 'shared' } = options
  const exclusive = createExclusive(singleFlight)
  let pinned: URL | undefined

  function pin(given: string): URL {
    const url = secureUrl(given.split('#')[0] ?? '', { step: 'server', field: 'The MCP server' })
    pinned ??= url
    if (pinned.href === url.href) return pinned
    const message = 'The provider belongs to another MCP server'
    throw new OAuthError('server', message, { url: given })
  }

  function server(): string {
    return pinned?.href ?? ''
  }

  function locked<T>(work: () => Promise<T>): Promise<T> {
    return exclusive(() => storage.lock?.(grantKey(server()), work) ?? work())
  }

  function renewal(known: GrantRecord | undefined, signal?: AbortSignal): Renewal {
    // Shared work outlives the request that happened to start it.
    const own = singleFlight === 'request' ? signal : undefined
    const serverUrl = pin(server())
    return { grant, storage, serverUrl, known, scopes, scopeOnRefresh, fetch, now, signal: own }
  }

  return { storage, pin, server, locked, renewal }
}
