/**
 * The guard of a protected server: every request shows a bearer token that was issued for it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @see https://www.rfc-editor.org/rfc/rfc6750
 * @module
 */
import type { JSONWebKeySet } from 'jose'
import { missingScopes, type AuthInfo } from '../protocol/auth-info.ts'
import { resourceMetadataUrl } from '../protocol/authorization.ts'
import {
  AUTH_CACHE_MS,
  CLOCK_TOLERANCE_S,
  INTROSPECTION_CACHE_MS,
  MAX_TOKEN_CHARS,
} from '../protocol/limits.ts'
import { platformFetch, type FetchLike } from '../shared/remote-json.ts'
import type { SingleFlightMode } from '../shared/single-flight.ts'
import {
  challengeResponse,
  insufficientScope,
  unavailableResponse,
  type ChallengeHints,
} from './challenge.ts'
import { createIntrospection, type IntrospectionEndpoint } from './introspection.ts'
import { createJwtVerifier } from './jwt.ts'
import { isSecure } from './key-set.ts'
import { resourceReader, type ResourceOptions } from './resource.ts'
import {
  InvalidTokenError,
  VerifierUnavailableError,
  type VerifiedToken,
  type Verify,
} from './verified-token.ts'

/** Whose tokens are good here, and for what. */
export interface BearerAuthOptions extends ResourceOptions {
  /**
   * The issuers whose tokens are believed, exactly as their metadata and the `iss` of their tokens spell
   * them. Enough by itself for JWTs: the keys are found through the metadata.
   */
  readonly issuer?: string | readonly string[] | undefined
  /** The keys, or their URL, where the metadata of the issuer does not lead to them. */
  readonly jwks?: string | JSONWebKeySet | undefined
  /** Asks the issuer about each token, instead of reading JWTs. */
  readonly introspection?: IntrospectionEndpoint | undefined
  /** Your own verifier, instead of both. Audience, expiry and scopes are still checked here. */
  readonly verify?: Verify | undefined
  /** What `aud` may be: the resource itself by default. There is no way not to check it. */
  readonly audience?: string | readonly string[] | undefined
  /** The scopes every request needs. A tool may need more: see its `scopes`. */
  readonly scopes?: readonly string[] | undefined
  /** The narrower scopes that a broader one stands for, such as `{ admin: ['read', 'write'] }`. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>> | undefined
  /** Seconds by which clocks may differ; 30 by default. */
  readonly clockToleranceS?: number | undefined
  /** Milliseconds that keys (300 000 by default) or introspection answers (30 000) are kept. */
  readonly cacheMs?: number | undefined
  /** Signature algorithms, out of the asymmetric ones; all of them by default. */
  readonly algorithms?: readonly string[] | undefined
  /** `request` on Cloudflare Workers, where requests must not wait for each other's key set. */
  readonly singleFlight?: SingleFlightMode | undefined
  /** Told why a token was refused or could not be verified. Clients are not; log it with care. */
  readonly onRefused?: ((error: unknown, request: Request) => void) | undefined
  /** Makes the requests to the issuer; the platform's by default. */
  readonly fetch?: FetchLike | undefined
  /** Milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined
}

/** The guard: who it is, or the refusal. */
export type BearerAuth = (request: Request) => Promise<AuthInfo | Response>

/**
 * Makes the guard of a protected server: pass it as `authenticate`.
 *
 * @param options whose tokens are good here
 * @throws {TypeError} when it does not say whose, or says it unsafely.
 */
export function bearerAuth(options: BearerAuthOptions): BearerAuth {
  const { now = Date.now, onRefused, audience } = options
  // Whether a client gets a refresh token is between it and the issuer.
  const scopes = (options.scopes ?? []).filter((scope) => scope !== 'offline_access')
  const resourceOf = resourceReader(options)
  if (audience === undefined && options.resource.startsWith('/')) {
    throw new TypeError('audience: has to be given when the resource depends on the request')
  }
  const verify = verifierOf(options)
  const tolerance = options.clockToleranceS ?? CLOCK_TOLERANCE_S
  async function check(token: string, request: Request, hints: ChallengeHints): Promise<AuthInfo> {
    const verified = await verify(token, request)
    if (verified === undefined) throw new InvalidTokenError('The verifier does not know the token')
    const accepted = audience === undefined ? spellings(resourceOf(request)) : listOf(audience)
    assertUsable(verified, accepted, now() / 1000 - tolerance)
    return authInfo(verified, { ...options, resourceMetadata: hints.resourceMetadata })
  }
  return async (request) => {
    const hints = { resourceMetadata: resourceMetadataUrl(resourceOf(request)), scopes }
    const token = tokenOf(request)
    if (token === undefined) return challengeResponse('missing', hints)
    if (token === null) return challengeResponse('invalid_request', hints)
    try {
      const auth = await check(token, request, hints)
      const isAllowed = missingScopes(auth, scopes).length === 0
      return isAllowed ? auth : insufficientScope(auth, scopes)
    } catch (error) {
      onRefused?.(error, request)
      return refusal(error, hints)
    }
  }
}

function verifierOf(options: BearerAuthOptions): Verify {
  const { issuer, jwks, introspection, verify, algorithms } = options
  const { clockToleranceS = CLOCK_TOLERANCE_S, singleFlight = 'shared' } = options
  const { fetch = platformFetch, now = Date.now } = options
  const issuers = issuer === undefined ? [] : listOf(issuer)
  assertOptions(options, issuers)
  if (verify !== undefined) return verify
  const common = { issuers, singleFlight, fetch, now }
  if (introspection !== undefined) {
    const { cacheMs = INTROSPECTION_CACHE_MS } = options
    return createIntrospection({ ...common, endpoint: introspection, clockToleranceS, cacheMs })
  }
  const { cacheMs = AUTH_CACHE_MS } = options
  return createJwtVerifier({ ...common, jwks, algorithms, clockToleranceS, cacheMs })
}

function assertOptions(options: BearerAuthOptions, issuers: readonly string[]): void {
  const { jwks, introspection, verify } = options
  const ways = [introspection, verify].filter((way) => way !== undefined).length
  if (ways > 1) throw new TypeError('introspection: has no effect besides verify')
  if (ways === 1 && jwks !== undefined) throw new TypeError('jwks: is for JWTs that are read here')
  if (ways === 0 && issuers.length === 0) {
    throw new TypeError(
      'issuer: has to name whose tokens are believed, also where jwks has the keys',
    )
  }
  const unsafe = issuers.find((issuer) => !isSecure(issuer))
  if (unsafe !== undefined)
    throw new TypeError(`issuer: ${unsafe} is neither https nor on loopback`)
  if (typeof jwks === 'string' && !isSecure(jwks)) {
    throw new TypeError('jwks: has to be an https URL, or http on loopback')
  }
}

/** Undefined without bearer credentials, null when they cannot be read. The query is never looked at. */
function tokenOf(request: Request): string | null | undefined {
  const header = request.headers.get('authorization')
  if (header === null) return undefined
  const [scheme = '', ...rest] = header.trim().split(/ +/)
  if (scheme.toLowerCase() !== 'bearer') return undefined
  const token = rest.join(' ')
  return /^[A-Za-z0-9\-._~+/]+=*$/.test(token) && token.length <= MAX_TOKEN_CHARS ? token : null
}

function assertUsable(
  { audience, expiresAt }: VerifiedToken,
  accepted: readonly string[],
  oldest: number,
): void {
  if (!listOf(audience).some((one) => accepted.includes(one))) {
    throw new InvalidTokenError('The token is for another audience')
  }
  if (expiresAt !== undefined && expiresAt <= oldest)
    throw new InvalidTokenError('The token expired')
}

function authInfo(
  { subject, issuer, clientId, scopes = [], expiresAt, claims }: VerifiedToken,
  {
    impliedScopes = {},
    resourceMetadata,
  }: Pick<BearerAuthOptions, 'impliedScopes'> & Pick<AuthInfo, 'resourceMetadata'>,
): AuthInfo {
  const all = new Set(scopes)
  // A set visits what is added on the way, so implied scopes may imply more.
  for (const scope of all) for (const implied of impliedScopes[scope] ?? []) all.add(implied)
  return { subject, issuer, clientId, scopes: [...all], expiresAt, resourceMetadata, claims }
}

/** Clients learn that a token is no good, not why: the reason helps whoever forges one. */
function refusal(error: unknown, hints: ChallengeHints): Response {
  if (error instanceof VerifierUnavailableError) return unavailableResponse()
  return challengeResponse('invalid_token', hints)
}

/** The root of an origin is one resource in two spellings; everywhere else a slash makes another. */
function spellings(resource: string): readonly string[] {
  const { origin, pathname, search } = new URL(resource)
  return pathname === '/' && search === '' ? [origin, `${origin}/`] : [resource]
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value
}
