/**
 * The provider all grants share: it sends tokens, renews them early, answers refusals, and keeps any
 * number of concurrent requests to one renewal.
 *
 * @module
 */
import type { AuthChallenge, AuthProvider, AuthRequest } from '../client/auth.ts'
import { bearerChallenge, type Challenge } from '../protocol/challenge.ts'
import { REFRESH_EARLY_S } from '../protocol/limits.ts'
import { platformFetch, type FetchLike } from '../shared/remote-json.ts'
import {
  createExclusive,
  createSingleFlight,
  type Exclusive,
  type SingleFlight,
  type SingleFlightMode,
} from '../shared/single-flight.ts'
import { secureUrl } from './destinations.ts'
import { OAuthError } from './errors.ts'
import { grantKey, loadGrant, type GrantRecord } from './grant-record.ts'
import { renew, type Grant, type Renewal } from './renewal.ts'
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

/** Gets tokens for one MCP server: pass it as `auth` when connecting. */
export interface OAuthProvider extends AuthProvider {
  /** Forgets the tokens, so that the next refusal starts anew. Client registrations stay. */
  signOut(): Promise<void>
}

/**
 * Makes the provider for a grant. It serves one server: the URL of its first request is pinned, and a
 * request for another is refused.
 *
 * @param grant how tokens are obtained
 * @param options what every provider can be told
 */
export function createProvider(grant: Grant, options: ProviderOptions): TokenProvider {
  return new TokenProvider(grant, options)
}

/** The state of one provider. */
export class TokenProvider implements OAuthProvider {
  readonly storage: TokenStorage
  readonly #grant: Grant
  readonly #options: ProviderOptions
  readonly #now: () => number
  readonly #flight: SingleFlight<'retry' | 'fail'>
  readonly #exclusive: Exclusive
  #server: URL | undefined

  constructor(grant: Grant, options: ProviderOptions) {
    this.storage = options.storage ?? memoryTokens()
    this.#grant = grant
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#flight = createSingleFlight(options.singleFlight ?? 'shared')
    this.#exclusive = createExclusive(options.singleFlight ?? 'shared')
  }

  async headers({ url, signal }: AuthRequest): Promise<Readonly<Record<string, string>>> {
    const server = this.pin(url)
    const grant = await loadGrant(this.storage, server.href)
    if (grant === undefined) return {}
    if (!this.#isStale(grant)) return authorization(grant)
    await this.#attempt('early', { signal, known: grant })
    return authorization((await loadGrant(this.storage, server.href)) ?? grant)
  }

  async challenge(challenge: AuthChallenge): Promise<'retry' | 'fail'> {
    const server = this.pin(challenge.url)
    const bearer = bearerChallenge(challenge.wwwAuthenticate)
    if (!isAnswerable(challenge, bearer)) return 'fail'
    const metadataUrl = bearer?.params.get('resource_metadata')
    const scope = bearer?.params.get('scope')
    const key = `${String(challenge.status)} ${scope ?? ''}`
    const work = (): Promise<'retry' | 'fail'> =>
      this.locked(async () => {
        const known = await loadGrant(this.storage, server.href)
        const current = known === undefined ? undefined : authorization(known)['authorization']
        // Someone else was faster: what was refused is no longer what we would send.
        if (current !== undefined && current !== challenge.sent['authorization']) return 'retry'
        const { status, attempt, signal } = challenge
        return renew(this.#renewal({ known, signal }), { status, attempt, scope, metadataUrl })
      })
    return abortable(this.#flight(key, work), challenge.signal)
  }

  async signOut(): Promise<void> {
    const server = this.#server
    if (server !== undefined) await this.locked(() => this.storage.delete(grantKey(server.href)))
  }

  /**
   * Holds the provider to one server.
   *
   * @param url where a request goes
   * @throws {OAuthError} when it is neither https nor loopback, or not the first one's URL.
   */
  pin(url: string): URL {
    const server = secureUrl(url.split('#')[0] ?? '', { step: 'server', field: 'The MCP server' })
    this.#server ??= server
    if (this.#server.href === server.href) return server
    throw new OAuthError(
      'server',
      'The provider belongs to another MCP server: make one for each',
      {
        url,
      },
    )
  }

  /**
   * Runs work that changes tokens: one piece at a time here, and wherever the storage's lock reaches.
   *
   * @param work what to do
   */
  locked<T>(work: () => Promise<T>): Promise<T> {
    const key = grantKey(this.#server?.href ?? '')
    const { storage } = this
    return this.#exclusive(() => storage.lock?.(key, work) ?? work())
  }

  /**
   * What a renewal works with.
   *
   * @param situation the grant as it is known, and the caller's signal
   */
  context(situation: Situation): Renewal {
    return this.#renewal(situation)
  }

  /** An early renewal that fails is no failure yet: the old token may still do, or will be refused. */
  async #attempt(key: string, { signal, known }: Situation): Promise<void> {
    const work = (): Promise<'retry' | 'fail'> =>
      this.locked(async () => {
        const current = await loadGrant(this.storage, this.#serverUrl().href)
        if (current?.accessToken !== known?.accessToken) return 'retry'
        const { scope, metadataUrl } = { scope: undefined, metadataUrl: known?.metadataUrl }
        const refusal = { status: 401, attempt: 0, scope, metadataUrl } as const
        return renew(this.#renewal({ known: current, signal }), refusal)
      })
    try {
      await abortable(this.#flight(key, work), signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof OAuthError)) throw error
    }
  }

  #isStale({ expiresAt, refreshToken }: GrantRecord): boolean {
    if (expiresAt === undefined || (refreshToken === undefined && !this.#grant.silent)) return false
    return expiresAt - REFRESH_EARLY_S * 1000 <= this.#now()
  }

  #renewal({ known, signal }: Situation): Renewal {
    const { fetch = platformFetch, singleFlight, scopes, scopeOnRefresh = false } = this.#options
    return {
      grant: this.#grant,
      storage: this.storage,
      serverUrl: this.#serverUrl(),
      known,
      scopes,
      scopeOnRefresh,
      fetch,
      // Shared work outlives the request that happened to start it.
      signal: singleFlight === 'request' ? signal : undefined,
      now: this.#now,
    }
  }

  #serverUrl(): URL {
    if (this.#server !== undefined) return this.#server
    throw new OAuthError('server', 'The provider has not met its MCP server yet')
  }
}

/** A grant as it is known, and the signal of whoever asks. */
export interface Situation {
  readonly known: GrantRecord | undefined
  readonly signal?: AbortSignal | undefined
}

function authorization(grant: GrantRecord): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${grant.accessToken}` }
}

/** A 401 may come without a challenge; a 403 is about authorization only when it says so. */
function isAnswerable({ status, wwwAuthenticate }: AuthChallenge, bearer?: Challenge): boolean {
  if (status === 403) return bearer?.params.get('error') === 'insufficient_scope'
  return bearer !== undefined || wwwAuthenticate === null || wwwAuthenticate === ''
}

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const done = (): void => {
      signal.removeEventListener('abort', abort)
    }
    work.then(resolve, reject).finally(done)
  })
}
