import { describe, expect, it, vi } from 'vitest'
import { Client, ConnectionClosedError, RequestTimeoutError } from '../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../src/client/index.ts'
import { settle } from '../support/clock.ts'
import { legacyServer, modernServer, sse, until } from './fake-server.ts'
import type { Answer, FakeServer, Message, Reply } from './fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** Answers `acme/x` as told and everything else by default. */
const onCustom =
  (reply: (message: Message) => Reply | Promise<Reply>): Answer =>
  (message) =>
    message.method === 'acme/x' ? reply(message) : undefined

describe('cancellation and time', () => {
  const hanging = (): FakeServer => {
    const server: FakeServer = legacyServer((m) =>
      m.method === 'acme/x' ? sse([': hi\n\n'], 'open') : undefined,
    )
    return server
  }

  it('CX-01 case CL-08 aborting a modern request closes its stream and sends nothing', async () => {
    const cancelled = vi.fn<() => void>()
    const server = modernServer(onCustom(() => sse([': hi\n\n'], 'open', cancelled)))
    const client = await connect(server)
    const controller = new AbortController()
    const calling = client.request('acme/x', {}, { signal: controller.signal })
    await until(() => server.asked('acme/x').length === 1)
    controller.abort('why')
    await expect(calling).rejects.toBe('why')
    await until(() => cancelled.mock.calls.length === 1)
    expect(server.asked('notifications/cancelled')).toHaveLength(0)
  })

  it('CX-03 case CL-08 aborting a legacy request tells the server which and why', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const controller = new AbortController()
    const calling = client.request('acme/x', {}, { signal: controller.signal })
    await until(() => server.asked('acme/x').length === 1)
    controller.abort(new Error('changed my mind'))
    await expect(calling).rejects.toThrow('changed my mind')
    await until(() => server.asked('notifications/cancelled').length === 1)
    expect(server.asked('notifications/cancelled')[0]?.message?.params).toEqual({
      requestId: server.asked('acme/x')[0]?.message?.id,
      reason: 'changed my mind',
    })
  })

  it('case CL-08 sends nothing for a signal that has fired, whatever its reason', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const before = server.seen.length
    const signal = AbortSignal.abort(null)
    await expect(client.request('acme/x', {}, { signal })).rejects.toBe(null)
    expect(server.seen).toHaveLength(before)
  })

  it('case CL-08 never cancels initialize on the wire', async () => {
    const server = legacyServer((m) => (m.method === 'initialize' ? sse([], 'open') : undefined))
    const controller = new AbortController()
    const connecting = connect(server, { mode: 'legacy', signal: controller.signal })
    await until(() => server.seen.length === 1)
    controller.abort(new Error('stop'))
    await expect(connecting).rejects.toThrow('stop')
    await settle()
    expect(server.seen).toHaveLength(1)
  })

  it('CX-11 CX-12 a timeout cancels, and the client stays usable', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x', {}, { timeoutMs: 10 })).rejects.toThrow(
      RequestTimeoutError,
    )
    await until(() => server.asked('notifications/cancelled').length === 1)
    expect(await client.tools()).toEqual([])
  })

  it('case CL-09 closing fails what is in flight, and sends no cancellations', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const calling = client.request('acme/x')
    const failing = expect(calling).rejects.toThrow(ConnectionClosedError)
    await until(() => server.asked('acme/x').length === 1)
    await client.close()
    await failing
    await settle()
    expect(server.asked('notifications/cancelled')).toHaveLength(0)
  })
})
