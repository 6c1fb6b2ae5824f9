/**
 * The provider all grants share: it sends tokens, renews them early, answers refusals, and keeps any
 * number of concurrent requests to one renewal.
 *
 * @module
 */
import type { AuthChallenge, AuthProvider } from '../client/auth.ts'
import { bearerChallenge, type Challenge } from '../protocol/challenge.ts'
import { REFRESH_EARLY_S } from '../protocol/limits.ts'
import { abortable } from '../shared/abort.ts'
import { createSingleFlight } from '../shared/single-flight.ts'
import { OAuthError } from './errors.ts'
import { grantKey, loadGrant, type GrantRecord } from './grant-record.ts'
import { createCore, type ProviderCore, type ProviderOptions } from './provider-core.ts'
import { renew, type Grant, type Refusal } from './renewal.ts'

/** Gets tokens for one MCP server: pass it as `auth` when connecting. */
export interface OAuthProvider extends AuthProvider {
  /**
   * Forgets the tokens, so that the next refusal starts anew. Client registrations stay.
   *
   * @param url the MCP server, when nothing was sent to it yet
   */
  signOut(url?: string): Promise<void>
}

/**
 * Makes the provider for a grant.
 *
 * @param grant how tokens are obtained
 * @param options what every provider can be told
 * @param core what the provider stands on
 */
export function createProvider(
  grant: Grant,
  options: ProviderOptions,
  core: ProviderCore = createCore(grant, options),
): OAuthProvider {
  const { storage, pin, server, locked, renewal } = core
  const { now = Date.now, singleFlight = 'shared' } = options
  const flight = createSingleFlight<Outcome>(singleFlight)
  /** The token that an early renewal could not improve: trying again before each request is a storm. */
  let kept: string | undefined

  /** Renews what was sent, unless somebody else was faster: then there is something new to send. */
  function renewOnce(refusal: Refusal, { sent, signal }: Sent): Promise<Outcome> {
    const work = async (): Promise<Outcome> => {
      const known = await loadGrant(storage, server())
      if (known !== undefined && bearer(known) !== sent) return 'retry'
      return renew(renewal(known, signal), refusal)
    }
    const key = `${String(refusal.status)} ${refusal.scope ?? ''}`
    return abortable(
      signal,
      flight(key, () => locked(work)),
    )
  }

  function isStale({ expiresAt, refreshToken }: GrantRecord): boolean {
    if (expiresAt === undefined || (refreshToken === undefined && !grant.silent)) return false
    return expiresAt - REFRESH_EARLY_S * 1000 <= now()
  }

  return {
    async headers({ url, signal }) {
      pin(url)
      let known = await loadGrant(storage, server())
      if (known !== undefined && isStale(known) && known.accessToken !== kept) {
        const { metadataUrl } = known
        const early = { status: 401, attempt: 0, metadataUrl } as const
        // Nothing is lost when this fails: the old token may still do, or will be refused.
        await renewOnce(early, { sent: bearer(known), signal }).catch((error: unknown) => {
          signal.throwIfAborted()
          if (!(error instanceof OAuthError)) throw error
        })
        known = await loadGrant(storage, server())
        kept = known !== undefined && isStale(known) ? known.accessToken : undefined
      }
      return known === undefined ? {} : { authorization: bearer(known) }
    },
    async challenge(refused) {
      pin(refused.url)
      const { status, attempt, signal, sent } = refused
      const params = bearerChallenge(refused.wwwAuthenticate)?.params
      if (!isAnswerable(refused, params)) return 'fail'
      const metadataUrl = params?.get('resource_metadata')
      const refusal = { status, attempt, scope: params?.get('scope'), metadataUrl }
      return renewOnce(refusal, { sent: sent['authorization'], signal })
    },
    async signOut(url = server()) {
      const key = grantKey(url === '' ? url : pin(url).href)
      await locked(() => storage.delete(key))
    },
  }
}

type Outcome = 'retry' | 'fail'

/** What was sent with a request, and the signal of whoever waits for it. */
interface Sent {
  readonly sent: string | undefined
  readonly signal: AbortSignal
}

function bearer(grant: GrantRecord): string {
  return `Bearer ${grant.accessToken}`
}

/** A 401 may come without a challenge; a 403 is about authorization only when it says so. */
function isAnswerable(
  { status, wwwAuthenticate }: AuthChallenge,
  params: Challenge['params'] | undefined,
): boolean {
  if (status === 403) return params?.get('error') === 'insufficient_scope'
  return params !== undefined || !wwwAuthenticate
}
