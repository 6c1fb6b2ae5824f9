import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from 'mcp-edge/client'
import { authorizationCode, clientCredentials, memoryTokens } from 'mcp-edge/oauth'
import { modern } from '../support/requests.ts'
import { startOidcServer, type OidcServer } from './oidc-server.ts'
import { startProtectedServer, type ProtectedServer } from './protected-server.ts'
import { signInByFetch } from './user-agent.ts'

const redirectUri = 'http://127.0.0.1:8977/callback'
let server: ProtectedServer
let issuer: OidcServer

beforeAll(async () => {
  server = await startProtectedServer()
  issuer = await startOidcServer(server.url, {
    tokenSeconds: 40,
    clients: [
      {
        client_id: 'robot',
        client_secret: 'robot-secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: 'mcp admin',
      },
    ],
  })
  server.protect(issuer.issuer)
})

afterAll(async () => {
  await issuer.close()
  await server.close()
})

function text(result: { readonly content: readonly unknown[] }): unknown {
  return result.content[0]
}

describe.each(['modern', 'legacy'] as const)('a full flow on the %s wire', (mode) => {
  test('AU-19 AU-25 signs in, refreshes once for twenty requests, steps up once', async () => {
    issuer.requests.length = 0
    let now = Date.now()
    let signIns = 0
    const auth = authorizationCode({
      redirectUri,
      clientMetadata: { clientName: 'full flow' },
      storage: memoryTokens(),
      now: () => now,
      authorize: (url) => {
        signIns += 1
        return signInByFetch(url, redirectUri)
      },
    })
    const client = await Client.connect(server.url, { name: 'flow', version: '1.0.0', mode, auth })
    expect(signIns).toBe(1)
    expect(text(await client.callTool('whoami'))).toMatchObject({ text: 'ada mcp' })
    const grants = () => issuer.requests.filter((line) => line.startsWith('grant '))
    expect(grants()).toEqual(['grant authorization_code'])
    expect(issuer.requests).toContain('POST /reg')

    now += 20_000
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.callTool('whoami')))
    expect(new Set(answers.map((answer) => JSON.stringify(text(answer))))).toEqual(
      new Set(['{"type":"text","text":"ada mcp"}']),
    )
    expect(grants()).toEqual(['grant authorization_code', 'grant refresh_token'])
    expect(signIns).toBe(1)

    expect(text(await client.callTool('wipe'))).toMatchObject({ text: 'wiped' })
    expect(signIns).toBe(2)
    expect(text(await client.callTool('whoami'))).toMatchObject({ text: 'ada mcp admin' })
    expect(signIns).toBe(2)
    await client.close()
  })
})

test('AR-14 a tool whose scopes are missing is a 403 with a challenge, not a result', async () => {
  const auth = clientCredentials({
    clientId: 'robot',
    clientSecret: 'robot-secret',
    issuer: issuer.issuer,
  })
  const client = await Client.connect(server.url, { name: 'robot', version: '1.0.0', auth })
  const headers = await auth.headers({ url: server.url, signal: new AbortController().signal })
  const wipe = modern('tools/call', { name: 'wipe' }, { url: server.url, id: 7, headers })
  const response = await fetch(wipe)
  expect(response.status).toBe(403)
  expect(response.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope".*scope="mcp admin", resource_metadata="http/,
  )
  expect(await response.json()).toMatchObject({ id: 7, error: { code: -32600 } })
  expect(text(await client.callTool('whoami'))).toMatchObject({ text: 'robot mcp' })
  await client.close()
})
