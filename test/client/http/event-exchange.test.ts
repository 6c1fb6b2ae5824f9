import { describe, expect, it } from 'vitest'
import { Client, ConnectionClosedError } from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { fakeClock } from '../../support/clock.ts'
import { event, legacyServer, sse } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

describe('resumption', () => {
  /** Drops the POST stream after a primed event; GETs are answered in turn. */
  const dropping = (gets: readonly (() => Response)[], first = 'retry: 500\nid: a1\ndata:\n\n') => {
    let turn = 0
    return legacyServer(
      (message, { verb }) => {
        if (message.method === 'acme/x') return sse([first])
        if (verb !== 'GET') return undefined
        turn += 1
        return gets[Math.min(turn, gets.length) - 1]?.()
      },
      { sessions: ['s1'] },
    )
  }
  const answered = (): Response =>
    sse([event({ jsonrpc: '2.0', id: 2, result: { ok: true } }, 'a2')])
  const gets = (server: FakeServer) => server.seen.filter(({ verb }) => verb === 'GET')

  it('LH-23 LH-24 F170 waits as long as told, then resumes by GET after the last event', async () => {
    const clock = fakeClock()
    const server = dropping([answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(499)
    expect(gets(server)).toHaveLength(0)
    await clock.advance(1)
    expect(await calling).toEqual({ ok: true })
    expect(gets(server)[0]?.headers).toMatchObject({
      'last-event-id': 'a1',
      accept: 'text/event-stream',
      'mcp-session-id': 's1',
    })
    expect(clock.armed()).toBe(0)
  })

  it('SS-12 does not resume after the answer', async () => {
    const server = legacyServer((m) =>
      m.method === 'acme/x'
        ? sse(['id: 1\ndata:\n\n', event({ jsonrpc: '2.0', id: m.id, result: {} }, '2')])
        : undefined,
    )
    const clock = fakeClock()
    const client = await connect(server, { mode: 'legacy', clock })
    await client.request('acme/x')
    await clock.advance(5_000)
    expect(gets(server)).toHaveLength(0)
  })

  it('SS-12 does not resume after close()', async () => {
    const clock = fakeClock()
    const server = dropping([answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow(ConnectionClosedError)
    await clock.advance(100)
    await client.close()
    await failing
    await clock.advance(60_000)
    expect(gets(server)).toHaveLength(0)
  })

  it('F166 raises retry: 0 to a floor', async () => {
    const clock = fakeClock()
    const server = dropping([answered], 'retry: 0\nid: a1\ndata:\n\n')
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(99)
    expect(gets(server)).toHaveLength(0)
    await clock.advance(1)
    await calling
  })

  it('CL-17 F165 does not wait a day', async () => {
    const clock = fakeClock()
    const server = dropping([answered], 'retry: 86400000\nid: a1\ndata:\n\n')
    const client = await connect(server, { mode: 'legacy', clock })
    await expect(client.request('acme/x')).rejects.toThrow('asks to wait 86400000 ms')
    expect(gets(server)).toHaveLength(0)
  })

  it('CL-17 F169 gives up after two attempts without an event', async () => {
    const clock = fakeClock()
    const server = dropping([() => sse([])])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow('in 2 attempts')
    await clock.advance(5_000)
    await failing
    expect(gets(server)).toHaveLength(2)
  })

  it('F169 an event starts the count anew', async () => {
    const clock = fakeClock()
    const primed = (): Response => sse(['id: b\ndata:\n\n'])
    const server = dropping([() => sse([]), primed, () => sse([]), answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(10_000)
    expect(await calling).toEqual({ ok: true })
    expect(gets(server).map(({ headers }) => headers['last-event-id'])).toEqual([
      'a1',
      'a1',
      'b',
      'b',
    ])
  })

  it('case CL-10 tries again after a 503, as late as it asks', async () => {
    const clock = fakeClock()
    const busy = (): Response =>
      new Response(null, { status: 503, headers: { 'retry-after': '3' } })
    const server = dropping([busy, answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(3_499)
    expect(gets(server)).toHaveLength(1)
    await clock.advance(1)
    expect(await calling).toEqual({ ok: true })
  })

  it.each([400, 404, 405])('a resumption answered with %i fails the request', async (status) => {
    const clock = fakeClock()
    const server = dropping([() => new Response(null, { status })])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow(`HTTP ${status}`)
    await clock.advance(500)
    await failing
    expect(await client.tools()).toEqual([])
  })
})
