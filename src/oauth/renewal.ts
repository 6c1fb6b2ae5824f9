/**
 * One renewal of tokens: find out who gives them, refresh if that can help, else start a new grant.
 *
 * @module
 */
import { discover, type AuthorizationServer, type Discovery } from './discovery.ts'
import type { ClientCredentials } from './client-authentication.ts'
import type { OAuthHttp } from './documents.ts'
import { OAuthError } from './errors.ts'
import { grantKey, saveGrant, type GrantRecord } from './grant-record.ts'
import { forgetClient } from './registration.ts'
import { includesScope, scopeFor } from './scopes.ts'
import type { TokenStorage } from './storage.ts'
import { requestTokens, type TokenSet } from './tokens.ts'

/** What a grant is told when tokens are needed. */
export interface GrantRequest extends OAuthHttp {
  readonly serverUrl: URL
  readonly server: AuthorizationServer
  readonly storage: TokenStorage
  readonly resource: string
  readonly scope?: string | undefined
  /** Where the challenge said the resource's metadata is. */
  readonly metadataUrl?: string | undefined
  readonly now: () => number
}

/** How tokens are obtained. */
export interface Grant {
  /** Nobody has to be asked, so expired tokens are replaced without a refusal first. */
  readonly silent: boolean
  /** A refresh token is wanted. */
  readonly offline: boolean
  /** The only issuer this grant's client may be shown to. */
  readonly issuer: string | undefined
  /** The client's credentials at a server. */
  client(request: GrantRequest): Promise<ClientCredentials>
  /** New tokens, saved by the caller. */
  acquire(request: GrantRequest): Promise<TokenSet>
}

/** What a renewal works with. */
export interface Renewal extends OAuthHttp {
  readonly grant: Grant
  readonly storage: TokenStorage
  readonly serverUrl: URL
  readonly known: GrantRecord | undefined
  readonly scopes: readonly string[] | undefined
  readonly scopeOnRefresh: boolean
  readonly now: () => number
}

/** Why tokens are renewed. */
export interface Refusal {
  readonly status: 401 | 403
  /** How often the request was refused; 0 when it has not been sent yet. */
  readonly attempt: number
  readonly scope?: string | undefined
  readonly metadataUrl?: string | undefined
}

/**
 * Renews the tokens for a server.
 *
 * @param renewal the grant and the means
 * @param refusal why
 * @returns `fail` when new tokens would be refused like the old ones
 * @throws {OAuthError} when no tokens can be had.
 */
export async function renew(renewal: Renewal, refusal: Refusal): Promise<'retry' | 'fail'> {
  const { known } = renewal
  if (isHopeless(known, refusal)) return 'fail'
  const found = await discover({
    ...renewal,
    metadataUrl: refusal.metadataUrl,
    preferred: renewal.grant.issuer ?? known?.issuer,
  })
  const mine = await ownGrant(renewal, found)
  const request = grantRequest({ ...renewal, known: mine }, refusal, found)
  // A refresh cannot widen the scope, and one that has just been made did not help.
  const refreshes = refusal.status === 401 && refusal.attempt <= 1 && mine !== undefined
  if (refreshes && (await refresh(renewal, mine, request))) return 'retry'
  if (refusal.attempt === 0 && !renewal.grant.silent) return 'fail'
  const tokens = await renewal.grant.acquire(request)
  await saveGranted(request, tokens)
  return 'retry'
}

/**
 * Keeps the tokens of a new grant.
 *
 * @param request what was asked for
 * @param tokens what came back
 */
export function saveGranted(request: GrantRequest, tokens: TokenSet): Promise<void> {
  const { storage, serverUrl, server, resource, scope, metadataUrl } = request
  const { issuer } = server
  const rest = { issuer, resource, requested: scope, metadataUrl, granted: true }
  return saveGrant(storage, serverUrl.href, { ...tokens, ...rest })
}

/** The user has just granted what the server wants, or was already asked for it. */
function isHopeless(known: GrantRecord | undefined, { status, attempt, scope }: Refusal): boolean {
  if (status === 403) return scope === undefined || includesScope(known?.requested, scope)
  return attempt > 1 && known?.granted === true
}

/** Tokens of another issuer, or for another resource, are dropped: they are nobody's business here. */
async function ownGrant(
  { known, storage, serverUrl }: Renewal,
  { server, resource }: Discovery,
): Promise<GrantRecord | undefined> {
  if (known === undefined) return undefined
  if (known.issuer === server.issuer && known.resource === resource) return known
  await storage.delete(grantKey(serverUrl.href))
  return undefined
}

function grantRequest(renewal: Renewal, refusal: Refusal, found: Discovery): GrantRequest {
  const { known, scopes, grant } = renewal
  const { server, resource, scopesSupported } = found
  const scope = scopeFor({
    challenged: refusal.scope,
    supported: scopesSupported,
    configured: scopes,
    requested: known?.requested,
    offered: server.scopes_supported,
    offline: grant.offline,
  })
  return { ...renewal, server, resource, scope, metadataUrl: refusal.metadataUrl }
}

async function refresh(
  { grant, scopeOnRefresh }: Renewal,
  known: GrantRecord,
  request: GrantRequest,
): Promise<boolean> {
  const { refreshToken, requested } = known
  if (refreshToken === undefined) return false
  const { server, storage, serverUrl, resource } = request
  try {
    const client = await grant.client(request)
    const scope = scopeOnRefresh ? requested : undefined
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, resource, scope }
    const tokens = await requestTokens(form, { ...request, server, client })
    await saveGrant(storage, serverUrl.href, { ...merged(known, tokens), granted: false })
    return true
  } catch (error) {
    if (!isRefused(error)) throw error
    if (isUnknownClient(error)) await forgetClient(server.issuer, storage)
    await saveGrant(storage, serverUrl.href, { ...known, refreshToken: undefined })
    return false
  }
}

/** An answer to a refresh names only what changed. */
function merged(known: GrantRecord, tokens: TokenSet): GrantRecord {
  const { accessToken, expiresAt, refreshToken, scope } = tokens
  return {
    ...known,
    accessToken,
    expiresAt,
    refreshToken: refreshToken ?? known.refreshToken,
    scope: scope ?? known.scope,
  }
}

/** The server has decided; anything else may pass, and is no reason to bother the user. */
function isRefused(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && code !== 'server_error' && code !== 'temporarily_unavailable'
}

/**
 * Tells whether a server no longer knows the client.
 *
 * @param error what was thrown
 */
export function isUnknownClient(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'invalid_client' || code === 'unauthorized_client'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof OAuthError ? error.error : undefined
}
