/**
 * A real authorization server: `oidc-provider` with PKCE, dynamic registration, rotation of refresh
 * tokens, resource indicators and JWT access tokens.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Provider from 'oidc-provider'

export interface OidcServer {
  readonly issuer: string
  /** Method and path of every request, with the grant type of token requests. */
  readonly requests: string[]
  close(): Promise<void>
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
  const server = createServer()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const issuer = `http://127.0.0.1:${String(port)}`
  const provider = new Provider(issuer, {
    ...(options.clients === undefined ? {} : { clients: options.clients }),
    scopes: ['offline_access', 'mcp', 'admin'],
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    ttl: { AccessToken: options.tokenSeconds, ClientCredentials: options.tokenSeconds },
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
  const callback = provider.callback()
  server.on('request', (request, response) => {
    requests.push(`${request.method ?? ''} ${(request.url ?? '').split('?')[0] ?? ''}`)
    callback(request, response)
  })
  provider.on('grant.success', (context) => {
    requests.push(`grant ${String(context.oidc.params?.['grant_type'])}`)
  })
  return {
    issuer,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
