/**
 * An issuer made of keys and a `fetch` that serves its documents.
 *
 * @module
 */
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import type { FetchLike } from '../../src/shared/remote-json.ts'

export const ISSUER = 'https://as.example.com'
export const RESOURCE = 'https://mcp.example.com/mcp'

export interface TokenOptions {
  readonly header?: Record<string, unknown> | undefined
  readonly key?: CryptoKey | Uint8Array | undefined
}

export interface Issuer {
  readonly fetch: FetchLike
  /** Every URL that was asked for. */
  readonly asked: string[]
  readonly publicKey: JWK
  readonly privateKey: CryptoKey
  /** Answers instead of the documents, while it is set. */
  outage: (() => Promise<Response>) | undefined
  /** Keys besides the first. */
  readonly keys: JWK[]
  token(claims?: Record<string, unknown>, options?: TokenOptions): Promise<string>
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

export async function createIssuer(issuer = ISSUER): Promise<Issuer> {
  const { privateKey, publicKey: key } = await generateKeyPair('ES256', { extractable: true })
  const publicKey = { ...(await exportJWK(key)), kid: 'first', alg: 'ES256', use: 'sig' }
  const keys: JWK[] = [publicKey]
  const asked: string[] = []
  const made: Issuer = {
    asked,
    keys,
    publicKey,
    privateKey,
    outage: undefined,
    async fetch(url) {
      asked.push(url)
      if (made.outage !== undefined) return made.outage()
      if (url === `${issuer}/.well-known/oauth-authorization-server`) {
        return Response.json({ issuer, jwks_uri: `${issuer}/jwks` })
      }
      if (url === `${issuer}/jwks`) return Response.json({ keys })
      return new Response('no', { status: 404 })
    },
    token(claims = {}, { header = {}, key: signer = privateKey } = {}) {
      const payload = {
        iss: issuer,
        sub: 'ada',
        client_id: 'cli',
        aud: RESOURCE,
        scope: 'mcp',
        iat: seconds(),
        exp: seconds() + 600,
        ...claims,
      }
      const all = { alg: 'ES256', kid: 'first', typ: 'at+jwt', ...header }
      return new SignJWT(JSON.parse(JSON.stringify(payload))).setProtectedHeader(all).sign(signer)
    },
  }
  return made
}

export function requestWith(authorization?: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers)
  if (authorization !== undefined) headers.set('authorization', authorization)
  return new Request(RESOURCE, { method: 'POST', ...init, headers })
}
