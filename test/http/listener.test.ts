import { describe, expect, test } from 'vitest'
import { createHandler } from '../../src/http/handler.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import type { Bus, BusEvent } from '../../src/stores/bus.ts'
import { settle, streamOf } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'
import { listen, listenRequest, LISTS } from './listening.ts'

/** What a reader that takes one chunk at a time gets next. */
async function nextText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read()
  return new TextDecoder().decode(value)
}

async function silentReader(
  handler: ReturnType<typeof createHandler>,
  filter: Readonly<Record<string, unknown>>,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { body } = await handler(listenRequest(filter))
  if (body === null) throw new Error('no stream')
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  await reader.read()
  return reader
}

describe('a client that leaves', () => {
  test('SB-10 SB-22 HM-12 frees its slot at once, whichever way it is noticed', async () => {
    const { handler, clock } = served(everything(), { limits: { listenStreams: 2 } })
    for (let time = 0; time < 50; time += 1) {
      const controller = new AbortController()
      const signal = controller.signal
      const opening = handler(listenRequest(LISTS, { signal }))
      if (time % 3 === 0) controller.abort()
      const response = await opening
      if (time % 3 === 1) controller.abort()
      if (time % 3 === 2) await response.body?.cancel()
      expect(handler.stats()).toMatchObject({ listeners: 0 })
    }
    await handler.notify().toolsChanged()
    const both = [await listen(handler, LISTS), await listen(handler, LISTS)]
    expect((await handler(listenRequest(LISTS))).status).toBe(503)
    await Promise.all(both.map(({ leave }) => leave()))
    expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
  })

  test('F39 SB-21 and is not noticed is given up after three ticks without movement', async () => {
    const { handler, clock } = served(everything(), { keepaliveMs: 1_000 })
    const { body } = await handler(listenRequest(LISTS))
    for (let tick = 0; tick < 5; tick += 1) await clock.advance(1_000)
    expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
    await expect(body?.getReader().read()).rejects.toThrow('stopped reading')
  })

  test('NX-05 leaves neither timer nor subscription behind, a hundred times', async () => {
    const held = countingBus()
    const { handler, clock } = served(everything(), {
      bus: held.bus,
      limits: { maxStreamAgeMs: 60_000 },
    })
    for (let time = 0; time < 100; time += 1) await (await listen(handler, LISTS)).leave()
    expect([handler.stats().listeners, clock.armed(), held.subscribers()]).toEqual([0, 0, 0])
  })
})

describe('an open stream', () => {
  test('SB-11 F38 is kept alive with comments', async () => {
    const { handler, clock } = served(everything(), { keepaliveMs: 1_000 })
    const comments: string[] = []
    const response = await handler(listenRequest(LISTS))
    const reading = (async () => {
      for await (const item of streamOf(response))
        if (item.kind === 'comment') comments.push(item.text)
    })()
    await clock.advance(3_500)
    await handler.close()
    await reading
    expect(comments.length).toBeGreaterThanOrEqual(3)
  })

  test('NX-05 ends with its result before its maximum age, streams opened together apart', async () => {
    const { handler, clock } = served(everything(), { limits: { maxStreamAgeMs: 100_000 } })
    const open = []
    for (let count = 0; count < 20; count += 1) open.push(await listen(handler, LISTS))
    await clock.advance(89_000)
    expect(handler.stats()).toMatchObject({ listeners: 20 })
    await clock.advance(5_000)
    expect(handler.stats().listeners).toBeGreaterThan(0)
    expect(handler.stats().listeners).toBeLessThan(20)
    await clock.advance(6_000)
    expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
    expect(open.every(({ news }) => news().at(-1) === 'result')).toBe(true)
  })

  test('whose token is good for months does not end at once', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 90 * 24 * 3_600
    const authenticate = () => ({ subject: 'ada', scopes: [], expiresAt })
    const handler = createHandler(everything(), { authenticate })
    const { news, leave } = await listen(handler, LISTS)
    expect(news()).toEqual([])
    expect(handler.stats()).toMatchObject({ listeners: 1 })
    await leave()
  })
})

describe('a client that reads slowly', () => {
  test('SB-21 F42 ED-09 has each kind of change wait once, and gets all when it reads again', async () => {
    const { handler } = served(everything(), { limits: { streamBytes: 500 }, keepaliveMs: null })
    const uris = ['config://app', 'bytes://x']
    const reader = await silentReader(handler, { ...LISTS, resourceSubscriptions: uris })
    const healthy = await listen(handler, { resourceSubscriptions: uris })
    const notify = handler.notify()
    for (let count = 0; count < 100; count += 1) {
      for (const uri of uris) await notify.resourceUpdated(uri)
      if (count === 50) await notify.toolsChanged()
    }
    await settle()
    expect(healthy.news()).toEqual(Array.from({ length: 100 }, () => uris).flat())
    const read: string[] = []
    const reading = (async () => {
      for (let text = await nextText(reader); text !== ''; text = await nextText(reader))
        read.push(text)
    })()
    await settle()
    expect(read.length).toBeLessThan(10)
    const last = read.slice(-3).join('')
    for (const change of ['tools/list_changed', ...uris]) expect(last).toContain(change)
    await reader.cancel()
    await reading
    await healthy.leave()
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })

  test('hears what waits, and the result, when the server closes', async () => {
    const { handler } = served(everything(), { limits: { streamBytes: 100 }, keepaliveMs: null })
    const reader = await silentReader(handler, LISTS)
    const notify = handler.notify()
    await notify.toolsChanged()
    await notify.promptsChanged()
    await notify.promptsChanged()
    await handler.close()
    const texts = [await nextText(reader), await nextText(reader), await nextText(reader)]
    expect(texts.map((text) => /tools|prompts|result/.exec(text)?.[0])).toEqual([
      'tools',
      'prompts',
      'result',
    ])
    expect((await reader.read()).done).toBe(true)
  })
})

describe('a bus', () => {
  test('SB-14 that delivers while it subscribes loses nothing, and nothing precedes the acknowledgement', async () => {
    const inner = memoryBus()
    const bus: Bus = {
      publish: (event) => inner.publish(event),
      async subscribe(topics, deliver, signal) {
        await inner.subscribe(topics, deliver, signal)
        await inner.publish({ topic: 'tools', data: TOOLS })
        await settle()
        await inner.publish({ topic: 'prompts', data: PROMPTS })
      },
    }
    const { handler } = served(everything(), { bus })
    const { heard, news, leave } = await listen(handler, LISTS)
    expect(heard[0]).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    expect(news()).toEqual(['tools/list_changed', 'prompts/list_changed'])
    await leave()
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])(
    'that %s when it should subscribe is our failure: masked, reported, and no slot is lost',
    async (_, subscribe) => {
      const { server, reported } = quiet()
      server.tool('t', {}, () => 'x')
      const { handler, clock, ask } = served(server, { bus: { ...asBus(), subscribe } })
      const { status, error } = await ask(listenRequest(LISTS))
      expect([status, error?.['code'], error?.['message']]).toEqual([500, -32603, 'Internal error'])
      expect(reported).toMatchObject([{ error: { message: 'down' } }])
      expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
    },
  )

  test('that never answers is waited for so long, or until the client leaves or the server closes', async () => {
    const { server, reported } = quiet()
    server.tool('t', {}, () => 'x')
    const bus = { ...asBus(), subscribe: () => new Promise<void>(() => {}) }
    const { handler, clock } = served(server, { bus, keepaliveMs: null })
    const waiting = handler(listenRequest(LISTS))
    await clock.advance(5_000)
    expect((await waiting).status).toBe(500)
    expect(reported).toMatchObject([{ error: { name: 'TimeoutError' } }])
    const controller = new AbortController()
    const left = handler(listenRequest(LISTS, { signal: controller.signal }))
    await settle()
    expect(handler.stats()).toMatchObject({ listeners: 1 })
    controller.abort()
    expect(handler.stats()).toMatchObject({ listeners: 0 })
    const closing = handler(listenRequest(LISTS))
    await settle()
    await handler.close()
    await clock.advance(5_000)
    await Promise.all([left, closing])
    expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
  })

  test('that delivers what is no notification is reported once, and harms nothing', async () => {
    const { server, reported } = quiet()
    server.tool('t', {}, () => 'x')
    const bus = memoryBus()
    const { handler } = served(server, { bus })
    const both = [await listen(handler, LISTS), await listen(handler, LISTS)]
    await bus.publish({ topic: 'tools', data: { not: 'text' } })
    await bus.publish({ topic: 'tools', data: TOOLS })
    await settle()
    expect(both.map(({ news }) => news())).toEqual([['tools/list_changed'], ['tools/list_changed']])
    expect(reported).toHaveLength(1)
    await Promise.all(both.map(({ leave }) => leave()))
  })
})

const TOOLS = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
const PROMPTS = '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}'

function asBus(): Bus {
  return { publish: () => Promise.resolve(), subscribe: () => undefined }
}

function countingBus(): { readonly bus: Bus; readonly subscribers: () => number } {
  const held = new Set<(event: BusEvent) => void>()
  const bus: Bus = {
    publish: () => Promise.resolve(),
    subscribe(_, deliver, signal) {
      held.add(deliver)
      signal.addEventListener('abort', () => held.delete(deliver))
    },
  }
  return { bus, subscribers: () => held.size }
}
