import {
  Client as OfficialClient,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer as OfficialServer,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
  requireScopes,
} from '@modelcontextprotocol/server'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from 'mcp-edge/client'
import { toNodeHandler } from 'mcp-edge/node'
import { authorizationCode } from 'mcp-edge/oauth'
import { listen, type Listening } from './listen.ts'
import { startOidcServer, type OidcServer } from './oidc-server.ts'
import { startProtectedServer, type ProtectedServer } from './protected-server.ts'
import { signInByFetch } from './user-agent.ts'

const redirectUri = 'http://127.0.0.1:8978/callback'

/** The official client registers for the scope of the first challenge only, so it could not step up. */
const registered = {
  client_id: 'official',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'mcp admin offline_access',
}

describe('the official client at our guard', () => {
  let server: ProtectedServer
  let issuer: OidcServer

  beforeAll(async () => {
    server = await startProtectedServer()
    issuer = await startOidcServer(server.url, { tokenSeconds: 60, clients: [registered] })
    server.protect(issuer.issuer)
  })

  afterAll(async () => {
    await issuer.close()
    await server.close()
  })

  test('signs in, calls, and steps up', async () => {
    const provider = officialProvider()
    async function attempt(name: string): Promise<unknown> {
      const client = new OfficialClient({ name: 'official', version: '1.0.0' })
      const transport = new StreamableHTTPClientTransport(new URL(server.url), {
        authProvider: provider,
      })
      try {
        await client.connect(transport)
        return (await client.callTool({ name, arguments: {} })).content
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        const page = provider.page()
        await transport.finishAuth(new URL(await signInByFetch(page, redirectUri)).searchParams)
        return attempt(name)
      } finally {
        await client.close()
      }
    }
    expect(await attempt('whoami')).toMatchObject([{ text: 'ada mcp' }])
    expect(await attempt('wipe')).toMatchObject([{ text: 'wiped' }])
    expect(provider.signIns()).toBe(2)
  })
})

function officialProvider() {
  const pages: URL[] = []
  const kept = new Map<string, unknown>()
  let verifier = ''
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'official',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => ({ client_id: registered.client_id }),
    tokens: () => kept.get('tokens') as { access_token: string; token_type: string } | undefined,
    saveTokens: (tokens) => void kept.set('tokens', tokens),
    redirectToAuthorization: (url) => void pages.push(url),
    saveCodeVerifier: (value) => {
      verifier = value
    },
    codeVerifier: () => verifier,
    discoveryState: () => kept.get('discovery') as undefined,
    saveDiscoveryState: (state) => void kept.set('discovery', state),
  }
  return Object.assign(provider, {
    page: () => pages.at(-1) ?? new URL('about:blank'),
    signIns: () => pages.length,
  })
}

describe.each(['modern', 'legacy'] as const)('our client at the official guard, %s', (mode) => {
  let server: Listening
  let issuer: OidcServer
  let url = ''

  beforeAll(async () => {
    let answer = (_request: Request): Promise<Response> => Promise.resolve(new Response('not yet'))
    server = await listen(toNodeHandler((request) => answer(request)))
    url = `${server.origin}/mcp`
    issuer = await startOidcServer(url, { tokenSeconds: 60 })
    answer = await officialFetch(url, issuer.issuer)
  })

  afterAll(async () => {
    await issuer.close()
    await server.close()
  })

  test('signs in, calls, and steps up', async () => {
    let signIns = 0
    const auth = authorizationCode({
      redirectUri,
      authorize: (page) => {
        signIns += 1
        return signInByFetch(page, redirectUri)
      },
    })
    const client = await Client.connect(url, { name: 'ours', version: '1.0.0', mode, auth })
    expect((await client.callTool('whoami')).content).toMatchObject([{ text: 'mcp' }])
    expect((await client.callTool('wipe')).content).toMatchObject([{ text: 'wiped' }])
    expect(signIns).toBe(2)
    await client.close()
  })
})

async function officialFetch(url: string, issuer: string) {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`)
  const metadata = await response.json()
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
  const resourceServerUrl = new URL(url)
  const guard = requireBearerAuth({
    requiredScopes: ['mcp'],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    expectedResource: resourceServerUrl,
    verifier: {
      async verifyAccessToken(token) {
        const options = { issuer, audience: url }
        const { payload } = await jwtVerify(token, keys, options).catch(() => {
          throw new OAuthError(OAuthErrorCode.InvalidToken, 'no')
        })
        const scopes = String(payload['scope']).split(' ')
        const clientId = String(payload['client_id'])
        return { token, clientId, scopes, expiresAt: payload.exp ?? 0, resource: new URL(url) }
      },
    },
  })
  const handler = createMcpHandler(() => {
    const mcp = new OfficialServer({ name: 'official', version: '1.0.0' })
    mcp.registerTool('whoami', {}, (ctx) => ({
      content: [{ type: 'text', text: ctx.http?.authInfo?.scopes.join(' ') ?? '' }],
    }))
    const scopes = { scopeChallenge: requireScopes('mcp', 'admin') }
    mcp.registerTool('wipe', scopes, () => ({ content: [{ type: 'text', text: 'wiped' }] }))
    return mcp
  })
  return async (request: Request): Promise<Response> => {
    const document = oauthMetadataResponse(request, {
      oauthMetadata: metadata,
      resourceServerUrl,
      scopesSupported: ['mcp'],
      dangerouslyAllowInsecureIssuerUrl: true,
    })
    if (document !== undefined) return document
    const auth = await guard(request)
    return auth instanceof Response ? auth : handler.fetch(request, { authInfo: auth })
  }
}
