/**
 * A real authorization server: `oidc-provider` with PKCE, dynamic registration, rotation of refresh
 * tokens, resource indicators and JWT access tokens.
 *
 * @module
 */
import type { RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { listen } from './listen.ts'

export interface OidcServer {
  readonly issuer: string
  /** Method and path of every request, with the grant type of token requests. */
  readonly requests: string[]
  readonly close: () => Promise<void>
}

/**
 * Starts the server on a port of its own.
 *
 * @param resource the protected resource
 * @param options seconds that access tokens live
 */
export async function startOidcServer(
  resource: string,
  options: { readonly tokenSeconds: number; readonly clients?: readonly object[] },
): Promise<OidcServer> {
  const requests: string[] = []
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const { origin: issuer, close } = await listen((request, response) => {
    requests.push(`${request.method ?? ''} ${(request.url ?? '').split('?')[0] ?? ''}`)
    answer(request, response)
  })
  const provider = new Provider(issuer, {
    ...(options.clients === undefined ? {} : { clients: options.clients }),
    scopes: ['offline_access', 'mcp', 'admin'],
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    ttl: {
      AccessToken: options.tokenSeconds,
      ClientCredentials: options.tokenSeconds,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      RefreshToken: 600,
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'mcp admin',
          audience: resource,
          accessTokenTTL: options.tokenSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
  })
  answer = provider.callback()
  provider.on('grant.success', (context) => {
    requests.push(`grant ${String(context.oidc.params?.['grant_type'])}`)
  })
  return { issuer, requests, close }
}
