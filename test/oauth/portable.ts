/**
 * Guard and provider against each other without sockets, for every runtime: throws when something is
 * not as it has to be.
 *
 * @module
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { bearerAuth, protectedResourceMetadata } from '../../src/auth/index.ts'
import { authorizationCode, privateKeyJwt, type OAuthProvider } from '../../src/oauth/index.ts'

const issuer = 'https://as.example.com'
const resource = 'https://mcp.example.com/mcp'

/**
 * Signs in with a user and with a key, and shows the tokens to the guard.
 *
 * @param singleFlight as the runtime needs it
 */
export async function checkAuthorization(singleFlight: 'shared' | 'request'): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] }
  const protection = { issuer, resource, scopes: ['mcp'] }
  const metadata = protectedResourceMetadata(protection)
  const seen: string[] = []

  async function token(sub: string): Promise<Response> {
    const claims = { iss: issuer, aud: resource, sub, scope: 'mcp' }
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
    const access_token = await jwt.setExpirationTime('1h').sign(privateKey)
    return Response.json({ access_token, token_type: 'Bearer', expires_in: 3600 })
  }
  async function fetch(input: string, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const { pathname } = new URL(input)
    seen.push(pathname)
    if (pathname === '/.well-known/oauth-authorization-server') return Response.json(document)
    if (pathname === '/jwks') return Response.json(jwks)
    if (pathname === '/register') return Response.json({ client_id: 'c' }, { status: 201 })
    if (pathname !== '/token') return metadata(request) ?? new Response('', { status: 404 })
    const form = new URLSearchParams(await request.text())
    return token(form.get('grant_type') === 'client_credentials' ? 'robot' : 'ada')
  }
  const guard = bearerAuth({ ...protection, fetch, singleFlight })

  async function subjectOf(auth: OAuthProvider): Promise<string> {
    const { signal } = new AbortController()
    const asked = { url: resource, signal }
    const refused = await guard(new Request(resource))
    if (!(refused instanceof Response)) throw new TypeError('let in without a token')
    const wwwAuthenticate = refused.headers.get('www-authenticate')
    await auth.challenge({ ...asked, status: 401, wwwAuthenticate, sent: {}, attempt: 1 })
    const allowed = await guard(new Request(resource, { headers: await auth.headers(asked) }))
    if (allowed instanceof Response) throw new TypeError(`refused: ${await allowed.text()}`)
    return allowed.subject
  }
  const user = authorizationCode({
    redirectUri: 'https://app.example.com/callback',
    authorize: (url) => `?code=x&state=${url.searchParams.get('state') ?? ''}`,
    fetch,
    singleFlight,
  })
  const robot = privateKeyJwt({ clientId: 'robot', privateKey, fetch, singleFlight })
  return `${await subjectOf(user)} ${await subjectOf(robot)}`
}

const document = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  jwks_uri: `${issuer}/jwks`,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
}
