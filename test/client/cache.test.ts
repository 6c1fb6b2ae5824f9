import { describe, expect, it, vi } from 'vitest'
import { Client, memoryCache } from '../../src/client/index.ts'
import type { ClientOptions } from '../../src/client/index.ts'
import { fakeClock } from '../support/clock.ts'
import { event, modernServer, until } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }

function reading(hints: Readonly<Record<string, unknown>>): FakeServer {
  return modernServer((message) => {
    if (message.method === 'resources/read')
      return { contents: [{ uri: message.params?.['uri'], text: 'x' }], ...hints }
    return message.method === 'tools/list' ? { tools: [], ...hints } : undefined
  })
}

const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

describe('the cache', () => {
  it('FT-36 F179 keeps a result as long as the server says', async () => {
    const clock = fakeClock()
    const server = reading({ ttlMs: 100, cacheScope: 'private' })
    const client = await connect(server, { clock })
    const first = await client.readResource('a:1')
    expect(first).toMatchObject({ ttlMs: 100, cacheScope: 'private' })
    await clock.advance(99)
    expect(await client.readResource('a:1')).toEqual(first)
    expect(server.asked('resources/read')).toHaveLength(1)
    await clock.advance(1)
    await client.readResource('a:1')
    expect(server.asked('resources/read')).toHaveLength(2)
  })

  it.each([0, -5, Number.NaN, '100', undefined])(
    'FT-36 does not keep a result with ttlMs %s',
    async (ttlMs) => {
      const server = reading({ ttlMs })
      const client = await connect(server)
      await client.readResource('a:1')
      await client.readResource('a:1')
      expect(server.asked('resources/read')).toHaveLength(2)
    },
  )

  it('FT-38 keeps results apart by URI and cursor', async () => {
    const server = reading({ ttlMs: 100 })
    const client = await connect(server)
    for (const uri of ['a:1', 'a:10', 'a:1', 'a:10']) await client.readResource(uri)
    for (const cursor of [undefined, '', 'x', undefined, '', 'x'])
      await client.listTools({ cursor })
    expect(server.asked('resources/read')).toHaveLength(2)
    expect(server.asked('tools/list')).toHaveLength(3)
  })

  it('FT-37 shares public results through a store, and private ones with nobody else', async () => {
    const cache = memoryCache()
    const at = 'http://127.0.0.1:9/mcp'
    const reads = async (server: FakeServer, principal: string | undefined): Promise<void> => {
      const options = { ...me, cache, principal, fetch: server.fetch }
      await (await Client.connect(at, options)).readResource('a:1')
    }
    const open = reading({ ttlMs: 1_000, cacheScope: 'public' })
    await reads(open, 'ann')
    await reads(open, 'bob')
    expect(open.asked('resources/read')).toHaveLength(1)
    const cache2 = memoryCache()
    for (const scope of ['private', 'PUBLIC', undefined]) {
      const closed = reading({ ttlMs: 1_000, cacheScope: scope })
      const read = async (principal: string | undefined): Promise<unknown> =>
        (
          await Client.connect(at, { ...me, cache: cache2, principal, fetch: closed.fetch })
        ).readResource(`b:${scope}`)
      for (const principal of ['ann', 'bob', 'ann', undefined, undefined]) await read(principal)
      expect(closed.asked('resources/read')).toHaveLength(4)
    }
  })

  it('MR-21 does not keep what took more than one round, nor what continues one', async () => {
    const question = { method: 'roots/list' }
    const server = modernServer((message) => {
      if (message.method !== 'resources/read') return undefined
      return message.params?.['inputResponses'] === undefined
        ? { resultType: 'input_required', inputRequests: { a: question } }
        : { contents: [], ttlMs: 1_000 }
    })
    const client = await connect(server, { onRoots: () => [] })
    await client.readResource('a:1')
    await client.readResource('a:1')
    await client.readResource('a:1', { inputResponses: { a: {} } })
    await client.readResource('a:1', { inputResponses: { a: {} } })
    expect(server.asked('resources/read')).toHaveLength(6)
  })

  it('can be bypassed and switched off', async () => {
    const server = reading({ ttlMs: 1_000 })
    const client = await connect(server)
    await client.readResource('a:1')
    await client.readResource('a:1', { cache: 'reload' })
    const without = await connect(server, { cache: false })
    await without.readResource('a:1')
    await without.readResource('a:1')
    expect(server.asked('resources/read')).toHaveLength(4)
  })

  it('FT-38 drops what a change made stale, and does not keep what was asked for before it', async () => {
    let push: (text: string) => void = () => undefined
    let release: () => void = () => undefined
    const server = modernServer((message) => {
      if (message.method === 'subscriptions/listen') {
        const id = message.id
        const tag = { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            push = (method) =>
              controller.enqueue(
                new TextEncoder().encode(
                  event({ jsonrpc: '2.0', method, params: { ...tag, uri: 'a:1' } }),
                ),
              )
            push('notifications/subscriptions/acknowledged')
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      }
      if (message.method !== 'resources/read') return undefined
      const result = { contents: [], ttlMs: 1_000 }
      if (message.params?.['uri'] !== 'a:1' || server.asked('resources/read').length !== 3)
        return result
      return new Promise((resolve) => {
        release = () => resolve(result)
      })
    })
    const client = await connect(server)
    const subscription = client.listen({ resourceSubscriptions: ['a:1'] })
    await subscription.acknowledged
    const reads = (): number => server.asked('resources/read').length
    await client.readResource('a:1')
    await client.readResource('a:2')
    push('notifications/resources/updated')
    await subscription[Symbol.asyncIterator]().next()
    const slow = client.readResource('a:1')
    await until(() => reads() === 3)
    const next = client.listen({})
    await next.acknowledged
    push('notifications/resources/updated')
    await next[Symbol.asyncIterator]().next()
    release()
    await slow
    await client.readResource('a:2')
    expect(reads()).toBe(3)
    await client.readResource('a:1')
    expect(reads()).toBe(4)
    next.close()
    await client.close()
  })

  it('makes room, and survives a store that fails', async () => {
    const small = memoryCache(2)
    for (const key of ['a', 'b', 'c']) void small.set(key, { result: {}, expiresAt: 1 })
    expect([small.get('a'), small.get('c')]).toEqual([undefined, { result: {}, expiresAt: 1 }])
    const onWarning = vi.fn<() => void>()
    const fail = (): never => {
      throw new Error('disk')
    }
    const server = reading({ ttlMs: 1_000 })
    const client = await connect(server, {
      onWarning,
      cache: { get: fail, set: fail, delete: fail },
    })
    expect(await client.readResource('a:1')).toMatchObject({ contents: [{ uri: 'a:1' }] })
    expect(onWarning).toHaveBeenCalled()
  })
})
