/**
 * Tokens that prove themselves: JWTs signed by a key of an issuer we trust.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9068
 * @see https://www.rfc-editor.org/rfc/rfc8725
 * @module
 */
import {
  decodeJwt,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { FetchLike } from '../shared/remote-json.ts'
import type { SingleFlightMode } from '../shared/single-flight.ts'
import { createKeySet } from './key-set.ts'
import { InvalidTokenError, type VerifiedToken, type Verify } from './verified-token.ts'

/** Whose tokens are believed. */
export interface JwtOptions {
  readonly issuers: readonly string[]
  readonly jwks?: string | JSONWebKeySet | undefined
  readonly algorithms?: readonly string[] | undefined
  readonly clockToleranceS: number
  readonly cacheMs: number
  readonly singleFlight: SingleFlightMode
  readonly fetch: FetchLike
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Signatures only: with a shared secret, or with none, whoever can check a token can also make one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
]

/** Types of an access token: what RFC 9068 says, and what issuers that predate it send. */
const TOKEN_TYPES = ['at+jwt', 'application/at+jwt', 'jwt', '']

/**
 * Makes a verifier of JWTs.
 *
 * @param options whose tokens are believed
 * @throws {TypeError} for an algorithm that is no signature.
 */
export function createJwtVerifier(options: JwtOptions): Verify {
  const algorithms = [...(options.algorithms ?? ALGORITHMS)]
  const unsafe = algorithms.find((name) => !ALGORITHMS.includes(name))
  if (unsafe !== undefined) {
    throw new TypeError(`algorithms: ${unsafe} is not one of ${ALGORITHMS.join(', ')}`)
  }
  const keySets = new Map(
    options.issuers.map((issuer) => [issuer, createKeySet({ ...options, issuer })]),
  )
  return async (token) => {
    // Not believed yet: it only picks the keys that have to prove it.
    const issuer = decodeJwt(token).iss ?? ''
    const keys = keySets.get(issuer)
    if (keys === undefined) throw new InvalidTokenError('The issuer is not trusted here')
    const { payload, protectedHeader } = await verifyWith(keys, token, {
      issuer,
      algorithms,
      clockTolerance: options.clockToleranceS,
      currentDate: new Date(options.now()),
      requiredClaims: ['exp'],
    })
    refuseOtherTypes(payload, (protectedHeader.typ ?? '').toLowerCase())
    return verified(payload)
  }
}

async function verifyWith(
  keys: JWTVerifyGetKey,
  token: string,
  options: JWTVerifyOptions,
): ReturnType<typeof jwtVerify> {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // Without a key id any of them may have signed.
    for await (const key of error) {
      const result = await jwtVerify(token, key, options).catch(onlyOtherKey)
      if (result !== undefined) return result
    }
    throw error
  }
}

function onlyOtherKey(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}

/** An ID token is a letter to the client, and a key-bound token is worthless without its proof. */
function refuseOtherTypes(payload: JWTPayload, typ: string): void {
  const isAccessToken = TOKEN_TYPES.includes(typ)
  const isIdToken = !typ.endsWith('at+jwt') && ('nonce' in payload || 'at_hash' in payload)
  if (!isAccessToken || isIdToken) throw new InvalidTokenError('This is not an access token')
  if (isRecord(payload['cnf'])) throw new InvalidTokenError('The token is bound to a key')
}

function verified(payload: JWTPayload): VerifiedToken {
  const clientId = [payload['client_id'], payload['azp'], payload['cid']].find(isText)
  const subject = [payload.sub, clientId].find(isText)
  if (subject === undefined) throw new InvalidTokenError('The token has no subject')
  return {
    subject,
    clientId,
    issuer: payload.iss,
    audience: payload.aud ?? [],
    scopes: scopesOf(payload),
    expiresAt: payload.exp,
    claims: payload,
  }
}

/**
 * The scopes of a token or an introspection answer: `scope` as the standards have it, else `scp`.
 *
 * @param claims what is known of the token
 */
export function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const scope: unknown = claims['scope'] ?? claims['scp']
  const list: readonly unknown[] = Array.isArray(scope) ? scope : [scope]
  return list.filter(isText).flatMap((text) => text.split(' ').filter((word) => word !== ''))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
