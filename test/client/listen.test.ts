import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/index.ts'
import type { ClientOptions, ListenEvent, Subscription } from '../../src/client/index.ts'
import { fakeClock, settle } from '../support/clock.ts'
import { errorOf, event, legacyServer, modernServer, until } from './fake-server.ts'
import type { FakeServer, Message } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** One open listen stream, steered by a test. */
interface Stream {
  readonly message: Message
  readonly send: (method: string, params?: Readonly<Record<string, unknown>>) => void
  readonly raw: (text: string) => void
  readonly end: () => void
  readonly cancelled: () => boolean
}

/** A modern server that hands its listen streams to the test; `busy` refuses those to come. */
function listening() {
  const streams: Stream[] = []
  const control = { busy: false }
  const server = modernServer((message) => {
    if (message.method !== 'subscriptions/listen') return undefined
    if (control.busy) return new Response(null, { status: 503 })
    let cancelled = false
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const raw = (text: string): void => controller.enqueue(encoder.encode(text))
        const tag = { 'io.modelcontextprotocol/subscriptionId': message.id }
        streams.push({
          message,
          raw,
          send: (method, params = {}) =>
            raw(event({ jsonrpc: '2.0', method, params: { ...params, _meta: tag } })),
          end: () => controller.close(),
          cancelled: () => cancelled,
        })
      },
      cancel: () => {
        cancelled = true
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  const stream = async (index: number): Promise<Stream> => {
    await until(() => streams.length > index)
    const found = streams[index]
    if (found === undefined) throw new Error('no stream')
    return found
  }
  return { server, streams, stream, control }
}

const ACK = 'notifications/subscriptions/acknowledged'
const filter = { toolsListChanged: true, resourceSubscriptions: ['a:1'] }

/** Collects events until the subscription ends. */
function collect(subscription: Subscription): { events: ListenEvent[]; ended: Promise<void> } {
  const events: ListenEvent[] = []
  const ended = (async () => {
    for await (const change of subscription) events.push(change)
  })()
  return { events, ended }
}

describe('listen on a modern server', () => {
  it('F47 yields typed changes, and what the server granted', async () => {
    const { server, stream } = listening()
    const client = await connect(server)
    const subscription = client.listen({ ...filter, promptsListChanged: true })
    const { events, ended } = collect(subscription)
    const open = await stream(0)
    expect(open.message.params?.['notifications']).toEqual({ ...filter, promptsListChanged: true })
    open.send(ACK, { notifications: filter })
    expect(await subscription.acknowledged).toEqual(filter)
    open.raw(': keep-alive\n\n')
    open.send('notifications/tools/list_changed')
    open.send('notifications/resources/updated', { uri: 'a:1' })
    open.send('notifications/resources/updated', {})
    open.send('acme/x', { n: 1 })
    await until(() => events.length === 3)
    expect(events).toEqual([
      { kind: 'toolsListChanged' },
      { kind: 'resourceUpdated', uri: 'a:1' },
      { kind: 'other', method: 'acme/x', params: expect.objectContaining({ n: 1 }) },
    ])
    subscription.close()
    await ended
    await until(() => open.cancelled())
  })

  it.each<[string, (open: Stream) => void]>([
    [
      'a result',
      (open) =>
        open.raw(
          event({ jsonrpc: '2.0', id: open.message.id, result: { resultType: 'complete' } }),
        ),
    ],
    [
      'a cancellation',
      (open) =>
        open.raw(
          event({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId: open.message.id },
          }),
        ),
    ],
  ])('SB-19 SB-11 ends with %s of the server, after what came before it', async (_name, end) => {
    const { server, stream, streams } = listening()
    const client = await connect(server)
    const { events, ended } = collect(client.listen(filter))
    const open = await stream(0)
    open.send(ACK, { notifications: filter })
    open.raw(': keep-alive\n\n')
    open.send('notifications/tools/list_changed')
    end(open)
    await ended
    expect(events).toEqual([{ kind: 'toolsListChanged' }])
    expect(streams).toHaveLength(1)
  })

  it('SB-18 listens again after an unexpected end, and everything counts as changed', async () => {
    const clock = fakeClock()
    const { server, stream, streams, control } = listening()
    const client = await connect(server, { clock })
    const subscription = client.listen(filter)
    const { events } = collect(subscription)
    const first = await stream(0)
    first.send(ACK, { notifications: filter })
    await subscription.acknowledged
    control.busy = true
    first.end()
    await settle()
    await clock.advance(1_000)
    expect(server.asked('subscriptions/listen')).toHaveLength(2)
    control.busy = false
    await clock.advance(3_000)
    const second = await stream(1)
    expect(second.message.id).not.toBe(first.message.id)
    second.send(ACK, { notifications: filter })
    await until(() => events.length === 2)
    expect(events).toEqual([
      { kind: 'toolsListChanged', missed: true },
      { kind: 'resourceUpdated', uri: 'a:1', missed: true },
    ])
    subscription.close()
    await settle()
    await clock.advance(60_000)
    expect(streams).toHaveLength(2)
    expect(clock.armed()).toBe(0)
  })

  it('a refusal is thrown, not repeated', async () => {
    const server = modernServer((m) =>
      m.method === 'subscriptions/listen' ? errorOf(m, -32601, { status: 404 }) : undefined,
    )
    const subscription = (await connect(server)).listen(filter)
    const { ended } = collect(subscription)
    await expect(ended).rejects.toMatchObject({ code: -32601 })
    await expect(subscription.acknowledged).rejects.toMatchObject({ code: -32601 })
    expect(server.asked('subscriptions/listen')).toHaveLength(1)
  })

  it('a server that never acknowledges is given up', async () => {
    const clock = fakeClock()
    const { server, stream } = listening()
    const { ended } = collect((await connect(server, { clock })).listen(filter))
    const failing = expect(ended).rejects.toThrow(
      'subscriptions/listen was not answered within 60000 ms',
    )
    const open = await stream(0)
    await clock.advance(60_000)
    await failing
    await until(() => open.cancelled())
  })

  it('ends with its signal, with the loop, and with the client', async () => {
    const { server, stream } = listening()
    const client = await connect(server)
    const controller = new AbortController()
    const first = collect(client.listen(filter, { signal: controller.signal }))
    ;(await stream(0)).send(ACK, { notifications: filter })
    controller.abort()
    await first.ended
    const second = client.listen(filter)
    const open = await stream(1)
    open.send(ACK, { notifications: filter })
    open.send('notifications/tools/list_changed')
    for await (const _ of second) break
    await until(() => open.cancelled())
    const third = collect(client.listen(filter))
    const late = await stream(2)
    late.send(ACK, { notifications: filter })
    await settle()
    await client.close()
    await third.ended
  })

  it('SB-07 several subscriptions each hear their own, and strangers are dropped', async () => {
    const { server, stream } = listening()
    const client = await connect(server)
    const one = collect(client.listen({ toolsListChanged: true }))
    const two = collect(client.listen({ promptsListChanged: true }))
    const [first, second] = [await stream(0), await stream(1)]
    first.send(ACK, { notifications: { toolsListChanged: true } })
    second.send(ACK, { notifications: { promptsListChanged: true } })
    const stranger = { _meta: { 'io.modelcontextprotocol/subscriptionId': 999 } }
    first.raw(
      event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: stranger }),
    )
    first.send('notifications/tools/list_changed')
    second.send('notifications/prompts/list_changed')
    await until(() => one.events.length === 1 && two.events.length === 1)
    expect(one.events).toEqual([{ kind: 'toolsListChanged' }])
    expect(two.events).toEqual([{ kind: 'promptsListChanged' }])
    await client.close()
    await Promise.allSettled([one.ended, two.ended])
  })

  it('a reader that is slow sees each change once', async () => {
    const { server, stream } = listening()
    const client = await connect(server)
    const subscription = client.listen(filter)
    const open = await stream(0)
    open.send(ACK, { notifications: filter })
    for (let n = 0; n < 50; n += 1) open.send('notifications/tools/list_changed')
    open.raw(event({ jsonrpc: '2.0', id: open.message.id, result: {} }))
    await settle()
    const { events, ended } = collect(subscription)
    await ended
    expect(events).toEqual([{ kind: 'toolsListChanged' }])
  })
})

describe('listen on a legacy server', () => {
  function old(sessions: readonly string[] = ['s1', 's2']) {
    let push: (method: string, params?: unknown) => void = () => undefined
    const lost = new Set<string>()
    const server: FakeServer = legacyServer(
      (message, { verb, headers }) => {
        if (verb === 'GET') {
          const body = new ReadableStream<Uint8Array>({
            start: (controller) => {
              push = (method, params = {}) =>
                controller.enqueue(
                  new TextEncoder().encode(event({ jsonrpc: '2.0', method, params })),
                )
            },
          })
          return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
        }
        if (lost.has(headers['mcp-session-id'] ?? '')) return new Response(null, { status: 404 })
        return /^resources\/(un)?subscribe$/.test(message.method ?? '') ? {} : undefined
      },
      { sessions, capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    )
    return { server, lost, push: (method: string, params?: unknown) => push(method, params) }
  }

  it('F47 maps to resources/subscribe and the GET stream', async () => {
    const { server, push } = old()
    const client = await connect(server)
    const others = vi.fn<() => void>()
    const subscription = client.listen({ ...filter, promptsListChanged: true })
    const { events, ended } = collect(subscription)
    expect(await subscription.acknowledged).toEqual(filter)
    expect(server.asked('resources/subscribe')[0]?.message?.params).toEqual({ uri: 'a:1' })
    push('notifications/tools/list_changed')
    push('notifications/prompts/list_changed')
    push('notifications/resources/updated', { uri: 'a:2' })
    push('notifications/resources/updated', { uri: 'a:1' })
    await until(() => events.length === 2)
    expect(events).toEqual([{ kind: 'toolsListChanged' }, { kind: 'resourceUpdated', uri: 'a:1' }])
    subscription.close()
    await ended
    await until(() => server.asked('resources/unsubscribe').length === 1)
    expect(others).not.toHaveBeenCalled()
    await client.close()
  })

  it('two subscriptions of one resource are one to the server', async () => {
    const { server } = old()
    const client = await connect(server)
    const [one, two] = [client.listen(filter), client.listen(filter)]
    await Promise.all([one.acknowledged, two.acknowledged])
    one.close()
    await settle()
    expect(server.asked('resources/unsubscribe')).toHaveLength(0)
    two.close()
    await until(() => server.asked('resources/unsubscribe').length === 1)
    expect(server.asked('resources/subscribe')).toHaveLength(1)
    await client.close()
  })

  it('LH-08 a new session is subscribed again, and everything counts as changed', async () => {
    const { server, lost } = old()
    const client = await connect(server)
    const subscription = client.listen(filter)
    const { events, ended } = collect(subscription)
    await subscription.acknowledged
    lost.add('s1')
    await client.tools()
    await until(() => events.length === 2)
    expect(events.every(({ missed }) => missed === true)).toBe(true)
    expect(
      server.asked('resources/subscribe').map(({ headers }) => headers['mcp-session-id']),
    ).toEqual(['s1', 's2'])
    expect(server.seen.filter(({ verb }) => verb === 'GET')).toHaveLength(2)
    subscription.close()
    await ended
    await client.close()
  })
})

it('what waits for a reader is bounded by its size too', async () => {
  const { server, stream } = listening()
  const client = await connect(server)
  const subscription = client.listen(filter)
  const { send } = await stream(0)
  send(ACK, { notifications: filter })
  await subscription.acknowledged
  const uri = (index: number): string => `a:${index}${'x'.repeat(1_000_000)}`
  for (let index = 0; index < 9; index += 1)
    send('notifications/resources/updated', { uri: uri(index) })
  send('notifications/tools/list_changed')
  await settle()
  subscription.close()
  const events: ListenEvent[] = []
  for await (const one of subscription) events.push(one)
  expect(events.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 4 }, () => 'resourceUpdated'),
    'toolsListChanged',
  ])
})
