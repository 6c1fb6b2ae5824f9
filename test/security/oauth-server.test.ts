/** What a hostile or a broken authorization server can do to a client. */
import { expect, test } from 'vitest'
import { clientCredentials } from '../../src/oauth/index.ts'
import { covers } from '../../src/oauth/discovery.ts'
import { includesScope } from '../../src/oauth/scopes.ts'

const url = 'https://mcp.example/mcp'
const issuer = 'https://as.example'

/** An authorization server whose tokens live for some seconds; `broken` makes it fail. */
function authorizationServer(seconds: number) {
  const state = { tokens: 0, broken: false }
  const fetch = async (input: string): Promise<Response> => {
    const { pathname } = new URL(input)
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return Response.json({ resource: url, authorization_servers: [issuer] })
    if (pathname === '/.well-known/oauth-authorization-server')
      return Response.json({
        issuer,
        token_endpoint: `${issuer}/token`,
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      })
    if (pathname !== '/token') return new Response(null, { status: 404 })
    state.tokens += 1
    if (state.broken) return new Response(null, { status: 503 })
    return Response.json({
      access_token: `t${state.tokens}`,
      token_type: 'Bearer',
      expires_in: seconds,
    })
  }
  return { state, fetch }
}

async function signedIn(seconds: number) {
  const { state, fetch } = authorizationServer(seconds)
  const clock = { now: 1_000_000 }
  const provider = clientCredentials({
    clientId: 'c',
    clientSecret: 's',
    fetch,
    now: () => clock.now,
  })
  const { signal } = new AbortController()
  const refused = { url, signal, status: 401, wwwAuthenticate: null, sent: {}, attempt: 1 } as const
  expect(await provider.challenge(refused)).toBe('retry')
  const send = async (times: number): Promise<readonly string[]> => {
    const sent = new Set<string>()
    for (let index = 0; index < times; index += 1)
      sent.add((await provider.headers({ url, signal }))['authorization'] ?? '')
    return [...sent]
  }
  return { state, clock, send }
}

test.each([1, 20, 0, -5, 1e308])(
  'tokens that live for %s seconds are not renewed before each request',
  async (seconds) => {
    const { state, send } = await signedIn(seconds)
    expect(await send(50)).toEqual([`Bearer t${state.tokens}`])
    expect(state.tokens).toBeLessThanOrEqual(2)
  },
)

test('a server that cannot renew is not asked before each request', async () => {
  const { state, clock, send } = await signedIn(100)
  clock.now += 80_000
  state.broken = true
  expect(await send(50)).toEqual(['Bearer t1'])
  expect(state.tokens).toBe(2)
})

test('each token is renewed early once', async () => {
  const { state, clock, send } = await signedIn(100)
  for (const token of [2, 3, 4]) {
    clock.now += 80_000
    expect(await send(5)).toEqual([`Bearer t${token}`])
  }
  expect(state.tokens).toBe(4)
})

test('a resource of nothing but slashes is compared in no time', () => {
  expect(covers(`https://mcp.example/${'/'.repeat(250_000)}a`, new URL(url))).toBe(false)
  expect(covers(`https://mcp.example/${'/'.repeat(250_000)}`, new URL(url))).toBe(true)
})

test('scopes by the hundred thousand are compared in no time', () => {
  const scope = Array.from({ length: 200_000 }, (_, index) => `s${index}`).join(' ')
  expect(includesScope(scope, scope)).toBe(true)
})
