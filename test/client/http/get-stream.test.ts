import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { fakeClock } from '../../support/clock.ts'
import { event, legacyServer, sse, until } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

describe('the GET stream', () => {
  const withGet = (get: () => Response): FakeServer =>
    legacyServer((_m, { verb }) => (verb === 'GET' ? get() : undefined), { sessions: ['s1'] })
  const gets = (server: FakeServer) => server.seen.filter(({ verb }) => verb === 'GET')

  it('F167 is opened only when something needs it', async () => {
    const server = withGet(() => sse([], 'open'))
    const client = await connect(server, { mode: 'legacy' })
    expect(gets(server)).toHaveLength(0)
    client.onNotification(() => undefined)
    await until(() => gets(server).length === 1)
    await client.close()
  })

  it('case CL-03 F168 a 405 is final and silent', async () => {
    const clock = fakeClock()
    const onWarning = vi.fn<() => void>()
    const server = withGet(() => new Response(null, { status: 405 }))
    await connect(server, { mode: 'legacy', clock, onWarning, onLog: () => undefined })
    await clock.advance(600_000)
    expect(gets(server)).toHaveLength(1)
    expect(onWarning).not.toHaveBeenCalled()
    expect(clock.armed()).toBe(0)
  })

  it.each<[string, () => Response]>([
    ['404', () => new Response(null, { status: 404 })],
    ['406', () => new Response(null, { status: 406 })],
    ['400', () => new Response(null, { status: 400 })],
    ['501', () => new Response(null, { status: 501 })],
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('case CL-02 %s leaves the connection usable, with one warning', async (_name, reply) => {
    const clock = fakeClock()
    const onWarning = vi.fn<(error: Error) => void>()
    const server = withGet(reply)
    const client = await connect(server, {
      mode: 'legacy',
      clock,
      onWarning,
      onLog: () => undefined,
    })
    await clock.advance(600_000)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(gets(server)).toHaveLength(1)
    expect(await client.tools()).toEqual([])
    expect(server.asked('initialize')).toHaveLength(1)
  })

  it('case CL-10 is opened again after transient failures, and given up once', async () => {
    const clock = fakeClock()
    const onWarning = vi.fn<(error: Error) => void>()
    const server = withGet(() => new Response(null, { status: 503 }))
    const connecting = connect(server, { mode: 'legacy', clock, onWarning, onLog: () => undefined })
    await clock.advance(600_000)
    const client = await connecting
    expect(gets(server)).toHaveLength(3)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(await client.tools()).toEqual([])
  })

  it('closing at once is not a reason to ask without end', async () => {
    const clock = fakeClock()
    const server = withGet(() => sse([]))
    const client = await connect(server, { mode: 'legacy', clock, onLog: () => undefined })
    await clock.advance(600_000)
    expect(gets(server)).toHaveLength(3)
    await client.close()
  })

  it('carries logs and notifications, and survives what it should not carry', async () => {
    const logs: unknown[] = []
    const others: string[] = []
    const onWarning = vi.fn<() => void>()
    const server = withGet(() =>
      sse(
        [
          event({
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'info', data: 1 },
          }),
          event({
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'loud', data: 2 },
          }),
          event({ jsonrpc: '2.0', id: 1, result: {} }),
          event('nonsense'),
          event({ jsonrpc: '2.0', method: 'acme/hello', params: { x: 1 } }),
        ],
        'open',
      ),
    )
    const client = await connect(server, {
      mode: 'legacy',
      onWarning,
      onLog: ({ data }) => void logs.push(data),
      onNotification: ({ method }) => void others.push(method),
    })
    await until(() => others.length === 1)
    expect(logs).toEqual([1])
    expect(others).toEqual(['acme/hello'])
    expect(onWarning).toHaveBeenCalledTimes(2)
    await client.close()
  })
})
