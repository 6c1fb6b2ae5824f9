import { describe, expect, test } from 'vitest'
import { createHandler } from '../../src/http/handler.ts'
import type { Bus } from '../../src/stores/bus.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import { fakeClock, modern, settle } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'
import { listen, LISTS } from './listening.ts'
import { Reader, rig } from './session-rig.ts'

const ALL = { ...LISTS, resourceSubscriptions: ['config://app'] }

describe('a change reaches listeners', () => {
  test('F44 published by a tool that holds nothing but its context', async () => {
    const server = everything()
    server.tool('touch', {}, async (_input, ctx) => {
      await ctx.notify.resourceUpdated('config://app')
      return 'touched'
    })
    const { handler, ask } = served(server)
    const { news, leave } = await listen(handler, ALL)
    await ask(modern('tools/call', { name: 'touch' }))
    await settle()
    expect(news()).toEqual(['config://app'])
    await leave()
  })

  test('published by the server and by the handler', async () => {
    const server = everything()
    const { handler } = served(server)
    const { news, leave } = await listen(handler, ALL)
    await server.notify.toolsChanged()
    await server.notify.promptsChanged()
    await handler.notify().resourcesChanged()
    await settle()
    expect(news()).toEqual(['tools/list_changed', 'prompts/list_changed', 'resources/list_changed'])
    await leave()
  })

  test('F43 F45 F158 once each: modern ones and GET streams of two handlers that share a bus and a store', async () => {
    const server = everything()
    const shared = { bus: memoryBus(), sessions: memorySessions() }
    const rigs = [rig(server, shared), rig(server, shared)] as const
    const listeners = await Promise.all(rigs.map(({ handler }) => listen(handler, ALL)))
    const indifferent = await listen(rigs[1].handler, { promptsListChanged: true })
    const clients = [await rigs[0].open(), await rigs[1].open()] as const
    const streams = [new Reader(await clients[0].get()), new Reader(await clients[1].get())]
    await clients[0].ask('resources/subscribe', { uri: 'config://app' })
    await clients[1].ask('resources/subscribe', { uri: 'config://app' })
    await rigs[0].handler.notify().resourceUpdated('config://app')
    await server.notify.resourceUpdated('config://app')
    server.tool('late', {}, () => 'x')
    await settle()
    const expected = ['config://app', 'config://app', 'tools/list_changed']
    for (const { news } of listeners) expect(news()).toEqual(expected)
    expect(indifferent.news()).toEqual([])
    for (const stream of streams) {
      const got = [await stream.message(), await stream.message(), await stream.message()]
      expect(got.map((message) => String(message['method']).split('/').slice(1).join('/'))).toEqual(
        ['resources/updated', 'resources/updated', 'tools/list_changed'],
      )
    }
    await Promise.all([...listeners, indifferent].map(({ leave }) => leave()))
    await Promise.all(clients.map((client) => client.delete()))
    for (const stream of streams) expect(await stream.rest()).toEqual([])
    for (const { handler, clock } of rigs) {
      await handler.close()
      expect(Object.values(handler.stats()).every((count) => count === 0)).toBe(true)
      expect(clock.armed()).toBe(0)
    }
  })

  test('no more, once the handler is closed', async () => {
    const server = everything()
    const bus = countingBus()
    const handler = createHandler(server, { bus })
    await server.notify.toolsChanged()
    await handler.close()
    await server.notify.toolsChanged()
    expect(bus.published).toEqual(['tools'])
  })
})

describe('where options are a function of the environment', () => {
  test('changes are published by environment, and those of the definitions with the next request', async () => {
    const { server } = quiet()
    server.tool('t', {}, () => 'x')
    const buses = new Map([
      ['a', countingBus()],
      ['b', countingBus()],
    ])
    const envs = [{ name: 'a' }, { name: 'b' }] as const
    const handler = createHandler(server, (env) => ({
      bus: buses.get(nameOf(env)),
      clock: fakeClock(),
    }))
    const published = () => [...buses.values()].map((bus) => bus.published)
    await handler(modern('tools/list'), envs[0])
    await expect(server.notify.toolsChanged()).rejects.toThrow('handler.notify(env)')
    await expect(server.notify.toolsChanged()).rejects.toBeInstanceOf(TypeError)
    expect(() => handler.notify()).toThrow(TypeError)
    await handler.notify(envs[1]).promptsChanged()
    expect(published()).toEqual([[], ['prompts']])
    server.tool('late', {}, () => 'x')
    server.tool('later', {}, () => 'x')
    await settle()
    expect(published()).toEqual([[], ['prompts']])
    const kept: Promise<unknown>[] = []
    const execution = { waitUntil: (promise: Promise<unknown>) => void kept.push(promise) }
    await handler(modern('tools/list'), envs[0], execution)
    expect(kept).toHaveLength(1)
    await handler(modern('tools/list'), envs[1])
    await handler(modern('tools/list'), envs[1])
    expect(published()).toEqual([['tools'], ['prompts', 'tools']])
    await handler.close()
  })
})

describe('a bus that misbehaves', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('by %s fails no request; it is reported', async (_, publish) => {
    const { server, reported } = quiet()
    server.tool('touch', {}, async (_input, ctx) => {
      await ctx.notify.toolsChanged()
      return 'touched'
    })
    const { ask } = served(server, { bus: { publish, subscribe: () => undefined } })
    const { result } = await ask(modern('tools/call', { name: 'touch' }))
    expect(result).toMatchObject({ content: [{ text: 'touched' }] })
    server.tool('late', {}, () => 'x')
    await server.notify.promptsChanged()
    await settle()
    expect(reported.map(({ error }) => String(error))).toEqual(Array(3).fill('Error: down'))
  })

  test('by never answering is waited for so long and no longer', async () => {
    const { server, reported } = quiet()
    server.tool('touch', {}, async (_input, ctx) => {
      await ctx.notify.toolsChanged()
      return 'touched'
    })
    const bus: Bus = { publish: () => new Promise(() => {}), subscribe: () => undefined }
    const { ask, clock } = served(server, { bus, streamAfterMs: null })
    const calling = ask(modern('tools/call', { name: 'touch' }))
    await clock.advance(5_000)
    expect((await calling).result).toMatchObject({ content: [{ text: 'touched' }] })
    expect(reported).toMatchObject([{ error: { name: 'TimeoutError' } }])
    expect(clock.armed()).toBe(0)
  })
})

test('what a handler publishes and does not wait for outlasts its answer', async () => {
  const { server } = quiet()
  server.tool('touch', {}, (_input, ctx) => {
    void ctx.notify.toolsChanged()
    return 'touched'
  })
  const handler = createHandler(server, { clock: fakeClock() })
  const kept: Promise<unknown>[] = []
  const execution = { waitUntil: (promise: Promise<unknown>) => void kept.push(promise) }
  await handler(modern('tools/call', { name: 'touch' }), undefined, execution)
  expect(kept).toHaveLength(1)
  await Promise.all(kept)
})

test('a burst gives way to other work after each quarter of a stream’s budget', async () => {
  const { handler } = served(everything(), { limits: { streamBytes: 4_000 } })
  let turns = 0
  let counting = true
  const count = (): void => {
    turns += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  for (let times = 0; times < 100; times += 1) await handler.notify().toolsChanged()
  counting = false
  expect(turns).toBeGreaterThan(2)
})

function countingBus(): Bus & { readonly published: readonly string[] } {
  const published: string[] = []
  return {
    published,
    publish: async ({ topic }) => void published.push(topic),
    subscribe: () => undefined,
  }
}

function nameOf(env: unknown): string {
  return typeof env === 'object' && env !== null && 'name' in env ? String(env.name) : ''
}
