/**
 * Signed proofs of a client's identity.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @module
 */
import { importJWK, importPKCS8, SignJWT, type CryptoKey, type JWK } from 'jose'
import { ASSERTION_LIFETIME_S } from '../protocol/limits.ts'
import type { AuthorizationServer } from './discovery.ts'
import { fieldError } from './errors.ts'
import { randomToken } from './pkce.ts'

/** A client and the key it signs with. */
export interface AssertionOptions {
  readonly clientId: string
  /** A private key: PKCS#8 PEM text, a JWK, or an imported key. */
  readonly privateKey: string | JWK | CryptoKey
  /** The signature algorithm of the key; ES256 by default, because most servers have it. */
  readonly algorithm?: string | undefined
  /** Names the key when the server knows several. */
  readonly keyId?: string | undefined
}

/**
 * Makes the `assertion` of a client that proves itself with a private key. The audience is the
 * server's issuer, so that an assertion shown to one server is worthless at another.
 *
 * @param options the client and its key
 */
export function privateKeyAssertion(
  options: AssertionOptions,
): (server: AuthorizationServer) => Promise<string> {
  const { clientId, privateKey, algorithm = 'ES256', keyId } = options
  return async (server) => {
    const field = 'token_endpoint_auth_signing_alg_values_supported'
    if (server[field]?.includes(algorithm) === false) {
      throw fieldError({ step: 'token', url: server.issuer, field }, `lacks ${algorithm}`)
    }
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + ASSERTION_LIFETIME_S
    const jti = randomToken()
    const claims = { iss: clientId, sub: clientId, aud: server.issuer, iat, exp, jti }
    const header = keyId === undefined ? { alg: algorithm } : { alg: algorithm, kid: keyId }
    const key = await importKey(privateKey, algorithm)
    return new SignJWT(claims).setProtectedHeader(header).sign(key)
  }
}

async function importKey(
  key: AssertionOptions['privateKey'],
  algorithm: string,
): Promise<CryptoKey | Uint8Array> {
  if (typeof key === 'string') return importPKCS8(key, algorithm)
  return isCryptoKey(key) ? key : importJWK(key, algorithm)
}

function isCryptoKey(key: JWK | CryptoKey): key is CryptoKey {
  return 'algorithm' in key && 'usages' in key
}
