/**
 * Tokens that only their issuer understands: it is asked what each one is good for.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import { MAX_INTROSPECTIONS, MAX_OAUTH_BYTES, OAUTH_TIMEOUT_MS } from '../protocol/limits.ts'
import { setBounded } from '../shared/bounded.ts'
import { remoteJson, type FetchLike } from '../shared/remote-json.ts'
import { createSingleFlight, type SingleFlightMode } from '../shared/single-flight.ts'
import { isSecure } from './key-set.ts'
import { scopesOf } from './jwt.ts'
import {
  InvalidTokenError,
  VerifierUnavailableError,
  type VerifiedToken,
  type Verify,
} from './verified-token.ts'

/** Who is asked, and as whom. */
export interface IntrospectionEndpoint {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * What a token is for when the answer does not say: for issuers whose answers have no `aud` and whose
   * tokens are for this server only. Without it such tokens are refused.
   */
  readonly assumeAudience?: string | undefined
}

/** How introspection works. */
export interface IntrospectionOptions {
  readonly endpoint: IntrospectionEndpoint
  /** Issuers that are believed, when the answer names one; all when empty. */
  readonly issuers: readonly string[]
  /** Seconds by which a token may be early. */
  readonly clockToleranceS: number
  readonly cacheMs: number
  readonly singleFlight: SingleFlightMode
  readonly fetch: FetchLike
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface Answer {
  readonly token: VerifiedToken
  readonly at: number
}

/**
 * Makes a verifier that asks. An answer that a token is good is kept for a short while; one that it is
 * not is not kept, as a stranger could fill the memory with made-up tokens.
 *
 * @param options who is asked
 * @throws {TypeError} for an endpoint that is neither https nor loopback.
 */
export function createIntrospection(options: IntrospectionOptions): Verify {
  const { endpoint, cacheMs, singleFlight, now } = options
  if (!isSecure(endpoint.url)) {
    throw new TypeError('introspection.url: has to be https, or http on loopback')
  }
  const answers = new Map<string, Answer>()
  const flight = createSingleFlight<VerifiedToken>(singleFlight)
  return async (token) => {
    const key = await digest(token)
    const known = answers.get(key)
    if (known !== undefined && now() - known.at < cacheMs) return known.token
    answers.delete(key)
    const verified = await flight(key, () => ask(token, options))
    setBounded(answers, [key, { token: verified, at: now() }], MAX_INTROSPECTIONS)
    return verified
  }
}

async function ask(token: string, options: IntrospectionOptions): Promise<VerifiedToken> {
  const { endpoint, fetch, issuers, clockToleranceS, now } = options
  const { url, clientId, clientSecret, assumeAudience } = endpoint
  const pair = new URLSearchParams([[clientId, clientSecret]]).toString().replace('=', ':')
  const { value, problem } = await remoteJson(url, {
    fetch,
    maxBytes: MAX_OAUTH_BYTES,
    timeoutMs: OAUTH_TIMEOUT_MS,
    init: {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(pair)}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    },
  })
  if (problem !== undefined || !isRecord(value)) {
    throw new VerifierUnavailableError(`${url} ${problem ?? 'did not answer with an object'}`)
  }
  const { iss: issuer, nbf } = value
  const isForeign =
    issuer !== undefined && issuers.length > 0 && !issuers.some((one) => one === issuer)
  const isEarly = typeof nbf === 'number' && nbf - clockToleranceS > now() / 1000
  if (value['active'] !== true || isForeign || isEarly) {
    throw new InvalidTokenError('The token is not active')
  }
  return read(value, assumeAudience)
}

function read(
  value: Readonly<Record<string, unknown>>,
  assumeAudience: string | undefined,
): VerifiedToken {
  const { sub, client_id: clientId, iss, exp, aud } = value
  const subject = text(sub) ?? text(clientId)
  if (subject === undefined) throw new InvalidTokenError('The token has no subject')
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud ?? assumeAudience]
  return {
    subject,
    clientId: text(clientId),
    issuer: text(iss),
    audience: list.filter((one) => typeof one === 'string'),
    scopes: scopesOf(value),
    expiresAt: typeof exp === 'number' ? exp : undefined,
    claims: value,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Tokens are not kept, only what tells them apart. */
async function digest(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return String.fromCharCode(...new Uint8Array(bytes))
}
