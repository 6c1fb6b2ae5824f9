/**
 * The keys of an issuer: found through its metadata, kept for a while, asked for again when a token
 * names one that is not there, and not more often than a cool-down allows.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7517
 * @module
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { serverMetadataUrls } from '../protocol/authorization.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import {
  JWKS_COOLDOWN_MS,
  JWKS_STALE_MS,
  MAX_OAUTH_BYTES,
  OAUTH_TIMEOUT_MS,
  RETRY_AFTER_SECONDS,
} from '../protocol/limits.ts'
import { remoteJson, type FetchLike } from '../shared/remote-json.ts'
import { createSingleFlight, type SingleFlightMode } from '../shared/single-flight.ts'
import { VerifierUnavailableError } from './verified-token.ts'

/** Where keys come from, and how long they are used. */
export interface KeySetOptions {
  readonly issuer: string
  /** The key set itself, or its URL; found through the issuer's metadata when absent. */
  readonly jwks?: string | JSONWebKeySet | undefined
  readonly cacheMs: number
  readonly singleFlight: SingleFlightMode
  readonly fetch: FetchLike
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface Cached {
  readonly keys: JWTVerifyGetKey
  readonly at: number
}

/**
 * Makes a key resolver for an issuer.
 *
 * @param options where keys come from
 */
export function createKeySet(options: KeySetOptions): JWTVerifyGetKey {
  const { jwks } = options
  if (typeof jwks === 'object') return createLocalJWKSet(jwks)
  return remoteKeySet({ ...options, jwks })
}

function remoteKeySet(
  options: KeySetOptions & { readonly jwks: string | undefined },
): JWTVerifyGetKey {
  const { cacheMs, singleFlight, now } = options
  const flight = createSingleFlight<Cached>(singleFlight)
  let cached: Cached | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  async function refresh(): Promise<Cached> {
    if (now() - failedAt < RETRY_AFTER_SECONDS * 1000) throw unreachable(options)
    try {
      cached = { keys: createLocalJWKSet(await fetchKeySet(options)), at: now() }
      return cached
    } catch (error) {
      failedAt = now()
      throw error instanceof VerifierUnavailableError ? error : unreachable(options, error)
    }
  }
  async function current(): Promise<Cached> {
    if (cached !== undefined && now() - cached.at < cacheMs) return cached
    try {
      return await flight('keys', refresh)
    } catch (error) {
      // Old keys are better than none, for as long as a revoked one may be believed.
      if (cached !== undefined && now() - cached.at < JWKS_STALE_MS) return cached
      throw error
    }
  }
  return async (header, token) => {
    const { keys, at } = await current()
    try {
      return await keys(header, token)
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      if (!isUnknown || now() - at < JWKS_COOLDOWN_MS) throw error
      return (await flight('keys', refresh)).keys(header, token)
    }
  }
}

async function fetchKeySet(
  options: KeySetOptions & { readonly jwks: string | undefined },
): Promise<JSONWebKeySet> {
  const url = options.jwks ?? (await findKeySet(options))
  const { value, problem } = await fetchJson(url, options)
  if (problem === undefined && isKeySet(value)) return value
  throw new VerifierUnavailableError(`${url} ${problem ?? 'holds no key set'}`)
}

async function findKeySet(options: KeySetOptions): Promise<string> {
  const attempts: string[] = []
  for (const url of serverMetadataUrls(options.issuer)) {
    const { value, problem } = await fetchJson(url, options)
    const found = problem === undefined && isRecord(value) ? value : {}
    const uri = found['jwks_uri']
    const isOurs = found['issuer'] === options.issuer
    if (isOurs && typeof uri === 'string' && isSecure(uri)) return uri
    const why = isOurs ? 'has no usable jwks_uri' : `does not have the issuer ${options.issuer}`
    attempts.push(`${url} ${problem ?? why}`)
  }
  throw new VerifierUnavailableError(`No keys of ${options.issuer}: ${attempts.join('; ')}`)
}

function fetchJson(url: string, { fetch }: KeySetOptions): ReturnType<typeof remoteJson> {
  const init = { headers: { accept: 'application/json, application/jwk-set+json' } }
  return remoteJson(url, { fetch, init, maxBytes: MAX_OAUTH_BYTES, timeoutMs: OAUTH_TIMEOUT_MS })
}

/**
 * Tells whether a URL is https, or http on this machine.
 *
 * @param value a URL
 */
export function isSecure(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  if (protocol === 'https:') return true
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'http:' && (isLocal || hostname.endsWith('.localhost'))
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']) && value['keys'].every(isRecord)
}

function unreachable({ issuer }: KeySetOptions, cause?: unknown): VerifierUnavailableError {
  return new VerifierUnavailableError(`The keys of ${issuer} cannot be had now`, { cause })
}
