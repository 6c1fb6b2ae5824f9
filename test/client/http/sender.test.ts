import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { AuthProvider, ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { modernServer } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

describe('redirects and authorization', () => {
  const moved = (status: number, location: string) => (request: Request) =>
    new URL(request.url).pathname === '/mcp'
      ? new Response(null, { status, headers: { location } })
      : undefined

  it.each([307, 308])('follows %i within the origin with method and body', async (status) => {
    const server = modernServer()
    const redirect = moved(status, '/mcp/')
    const fetch = async (request: Request): Promise<Response> =>
      redirect(request) ?? server.fetch(request)
    const client = await Client.connect('http://127.0.0.1:9/mcp', {
      ...me,
      fetch,
      headers: { authorization: 'x' },
    })
    expect(client.era).toBe('modern')
    expect(server.seen[0]).toMatchObject({
      verb: 'POST',
      url: 'http://127.0.0.1:9/mcp/',
      headers: { authorization: 'x' },
    })
  })

  it.each<[number, string, string]>([
    [307, 'https://evil.example/mcp', 'another origin'],
    [308, 'http://127.0.0.1:10/mcp/', 'another origin'],
    [301, '/mcp/', 'drops its body'],
    [303, '/mcp/', 'drops its body'],
    [307, '/mcp', 'more than 3 times'],
    [307, 'http://', 'unknown place'],
  ])('refuses %i to %s', async (status, location, why) => {
    const fetch = vi.fn<(request: Request) => Response>(
      (r) => moved(status, location)(r) ?? new Response(null),
    )
    const connecting = Client.connect('http://127.0.0.1:9/mcp', {
      ...me,
      fetch,
      headers: { authorization: 'x' },
    })
    await expect(connecting).rejects.toThrow(why)
    for (const [request] of fetch.mock.calls)
      expect(new URL(request.url).origin).toBe('http://127.0.0.1:9')
  })

  const guarded = (token: () => string): FakeServer =>
    modernServer((_m, { headers }) =>
      headers['authorization'] === `Bearer ${token()}`
        ? undefined
        : new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="x"' } }),
    )

  it('asks its provider after a 401, and repeats the request', async () => {
    let token = 'old'
    const challenge = vi.fn<AuthProvider['challenge']>(async () => {
      token = 'new'
      return 'retry'
    })
    const auth: AuthProvider = {
      headers: async () => ({ authorization: `Bearer ${token}` }),
      challenge,
    }
    const server = guarded(() => 'new')
    await connect(server, { auth })
    expect(challenge).toHaveBeenCalledTimes(1)
    expect(challenge.mock.calls[0]?.[0]).toMatchObject({
      url: 'http://localhost/mcp',
      status: 401,
      wwwAuthenticate: 'Bearer error="x"',
      sent: { authorization: 'Bearer old' },
      attempt: 1,
    })
  })

  it('stops asking a provider that never succeeds', async () => {
    const challenge = vi.fn<AuthProvider['challenge']>(async () => 'retry')
    const auth: AuthProvider = { headers: async () => ({}), challenge }
    await expect(
      connect(
        guarded(() => 'x'),
        { auth },
      ),
    ).rejects.toThrow('HTTP 401')
    expect(challenge).toHaveBeenCalledTimes(3)
  })
})
