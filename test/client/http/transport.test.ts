import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { fakeClock } from '../../support/clock.ts'
import { legacyServer, sse, until } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

describe('sessions', () => {
  const forgetting = (options: { readonly forget: number }): FakeServer => {
    let lost = 0
    return legacyServer(
      (message, { headers }) => {
        if (message.method !== 'acme/x') return undefined
        if (headers['mcp-session-id'] === 's1' && lost < options.forget) {
          lost += 1
          return new Response(null, { status: 404 })
        }
        return { session: headers['mcp-session-id'] }
      },
      { sessions: ['s1', 's2', 's3'] },
    )
  }

  it.each(['shared', 'request'] as const)(
    'LH-08 F171 opens a lost session anew and repeats the request once (%s)',
    async (singleFlight) => {
      const server = forgetting({ forget: 1 })
      const client = await connect(server, { mode: 'legacy', singleFlight })
      expect(await client.request('acme/x')).toEqual({ session: 's2' })
      const initializations = server.asked('initialize')
      expect(initializations).toHaveLength(2)
      expect(initializations[1]?.headers['mcp-session-id']).toBeUndefined()
      expect(server.asked('acme/x')).toHaveLength(2)
    },
  )

  it('LH-08 twenty requests share one new session', async () => {
    const server = forgetting({ forget: 20 })
    const client = await connect(server, { mode: 'legacy' })
    const results = await Promise.all(Array.from({ length: 20 }, () => client.request('acme/x')))
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ session: 's2' })))
    expect(server.asked('initialize')).toHaveLength(2)
  })

  it('LH-08 gives up when the new session is lost too', async () => {
    const server = legacyServer(
      (m) => (m.method === 'acme/x' ? new Response(null, { status: 404 }) : undefined),
      { sessions: ['s1', 's2', 's3'] },
    )
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x')).rejects.toThrow('the session is gone')
    expect(server.asked('acme/x')).toHaveLength(2)
  })

  it('a 404 without a session is an ordinary failure', async () => {
    const server = legacyServer((m) =>
      m.method === 'acme/x' ? new Response('no', { status: 404 }) : undefined,
    )
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x')).rejects.toThrow('HTTP 404: no')
    expect(server.asked('initialize')).toHaveLength(1)
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['204', () => new Response(null, { status: 204 })],
    ['405', () => new Response(null, { status: 405 })],
    ['404', () => new Response(null, { status: 404 })],
    ['500', () => new Response('x', { status: 500 })],
    ['nothing', () => new Promise(() => undefined)],
  ])(
    'case CL-09 close() ends session and stream once when DELETE is answered with %s',
    async (_name, reply) => {
      const clock = fakeClock()
      const cancelled = vi.fn<() => void>()
      const server = legacyServer(
        (_m, { verb }) => {
          if (verb === 'GET') return sse([], 'open', cancelled)
          return verb === 'DELETE' ? reply() : undefined
        },
        { sessions: ['s1'] },
      )
      const client = await connect(server, { mode: 'legacy', clock, onLog: () => undefined })
      const closing = client.close()
      await clock.advance(2_000)
      await closing
      await client.close()
      const deletes = server.seen.filter(({ verb }) => verb === 'DELETE')
      expect(deletes).toHaveLength(1)
      expect(deletes[0]?.headers).toMatchObject({
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-11-25',
      })
      await until(() => cancelled.mock.calls.length === 1)
      expect(clock.armed()).toBe(0)
    },
  )

  it('close() ends notifications that are on their way', async () => {
    const clock = fakeClock()
    const server = legacyServer((m) =>
      m.method === 'acme/x' || m.method === 'notifications/cancelled'
        ? new Promise(() => undefined)
        : undefined,
    )
    const client = await connect(server, { mode: 'legacy', clock })
    const failure = expect(client.request('acme/x', {}, { timeoutMs: 10 })).rejects.toThrow(
      'acme/x',
    )
    await clock.advance(10)
    await failure
    await until(() => server.asked('notifications/cancelled').length === 1)
    await client.close()
    await until(() => clock.armed() === 0)
  })

  it('refuses a session id that a header could not carry back', async () => {
    const server = legacyServer(() => undefined, { sessions: ['a b'] })
    await expect(connect(server, { mode: 'legacy' })).rejects.toThrow('visible ASCII')
  })
})
