/**
 * What the client of a session hears unasked: the GET stream, subscriptions and logs (WIRE C.8, F.7).
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Bus } from '../../src/stores/bus.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { fakeClock, isRecord, settle } from '../support/index.ts'
import { everything, gate, quiet } from './served.ts'
import { Reader, rig } from './session-rig.ts'

const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

function updated(uri: string): unknown {
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }
}

describe('the GET stream', () => {
  test('SS-06 a comment flows at once, then every keepalive', async () => {
    const { open, clock } = rig(everything())
    const client = await open()
    const stream = new Reader(await client.get())
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.response.headers.get('mcp-session-id')).toBe(client.id)
    expect(await stream.next()).toMatchObject({ kind: 'comment' })
    await clock.advance(15_000)
    expect(await stream.next()).toMatchObject({ kind: 'comment' })
    await stream.leave()
    await settle()
    expect(clock.armed()).toBe(0)
  })

  test.each([
    ['application/json', 406],
    ['text/html', 406],
    ['text/event-stream;q=0', 406],
    ['text/event-stream', 200],
    ['*/*', 200],
    ['TEXT/*;q=0.5', 200],
  ])('LH-14 Accept: %s is %i', async (accept, status) => {
    const client = await rig(everything()).open()
    const response = await client.get({ accept })
    expect(response.status).toBe(status)
    await response.body?.cancel()
  })

  test('LH-14 an absent Accept admits it', async () => {
    const { open, handler } = rig(everything())
    const client = await open()
    const response = await handler(client.bare('GET', {}))
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  test('LH-16 carries changes, and no answers', async () => {
    const server = everything()
    const { open, handler } = rig(server)
    const client = await open()
    const stream = new Reader(await client.get())
    await client.ask('ping')
    server.tool('added', {}, () => 'x')
    expect(await stream.message()).toEqual(LIST_CHANGED)
    await handler.notify().promptsChanged()
    expect(await stream.message()).toMatchObject({ method: 'notifications/prompts/list_changed' })
    await handler.notify().resourcesChanged()
    expect(await stream.message()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await client.delete()
    expect(await stream.rest()).toEqual([])
  })

  test('many definitions in one turn are one change', async () => {
    const server = everything()
    const client = await rig(server).open()
    const stream = new Reader(await client.get())
    for (let index = 0; index < 5; index += 1) server.tool(`added-${index}`, {}, () => 'x')
    await settle()
    await client.delete()
    expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toHaveLength(1)
  })

  test('SE-17 blocks nothing', async () => {
    const { passed, open: finish } = gate()
    const { server } = quiet()
    server.tool('slow', {}, async () => {
      await passed
      return 'done'
    })
    const client = await rig(server).open()
    const stream = new Reader(await client.get())
    const running = client.tool('slow', {}, { id: 2 })
    expect((await client.ask('tools/list')).result).toHaveProperty('tools')
    expect((await client.ask('ping')).result).toEqual({})
    finish()
    expect((await running).result).toMatchObject({ content: [{ text: 'done' }] })
    await stream.leave()
  })

  test('a second one takes over: the first ends, nothing else does', async () => {
    const server = everything()
    const { open, handler } = rig(server)
    const client = await open()
    const first = new Reader(await client.get())
    const second = new Reader(await client.get())
    expect((await first.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    expect(handler.stats().streams).toBe(1)
    await handler.notify().toolsChanged()
    expect(await second.message()).toEqual(LIST_CHANGED)
    await client.delete()
    expect(await second.rest()).toEqual([])
  })

  test('with getStream: refuse a second one is 409 while the first lives', async () => {
    const { open } = rig(everything(), { getStream: 'refuse' })
    const client = await open()
    const first = new Reader(await client.get())
    expect((await client.get()).status).toBe(409)
    await first.leave()
    await settle()
    const again = await client.get()
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })

  test('one that died without a word does not block the next', async () => {
    const { open, handler, clock } = rig(everything(), { limits: { streamBytes: 100 } })
    const client = await open()
    const dead = await client.get()
    await handler.notify().toolsChanged()
    const next = new Reader(await client.get())
    await handler.notify().toolsChanged()
    expect(await next.message()).toEqual(LIST_CHANGED)
    await next.leave()
    await settle()
    expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0 })
    expect(clock.armed()).toBe(0)
    await dead.body?.cancel()
  })

  test('a reader that does not read is let go', async () => {
    const { open, handler, clock } = rig(everything(), { limits: { streamBytes: 100 } })
    const client = await open()
    const stuck = await client.get()
    for (let index = 0; index < 5; index += 1) await handler.notify().toolsChanged()
    await clock.advance(120_000)
    expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0 })
    await stuck.body?.cancel().catch(() => undefined)
  })

  test('closing the handler ends it, and leaves the session be', async () => {
    const { open, handler, clock } = rig(everything())
    const client = await open()
    const stream = new Reader(await client.get())
    await handler.close()
    expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    expect(clock.armed()).toBe(0)
  })

  test('responses: json still has it', async () => {
    const { open, handler } = rig(everything(), { responses: 'json' })
    const client = await open()
    const stream = new Reader(await client.get())
    const params = { name: 'steps', arguments: {}, _meta: { progressToken: 'p' } }
    const answer = await client.ask('tools/call', params)
    expect([answer.form, answer.notifications]).toEqual(['json', []])
    await handler.notify().toolsChanged()
    expect(await stream.message()).toEqual(LIST_CHANGED)
    await stream.leave()
  })
})

describe('subscriptions', () => {
  test('LC-16 belong to the session, and last until they are taken back', async () => {
    const { open, handler } = rig(everything())
    const [one, two] = [await open(), await open()]
    const streams = [new Reader(await one.get()), new Reader(await two.get())] as const
    const uri = 'config://app'
    expect((await one.ask('resources/subscribe', { uri })).result).toEqual({})
    await handler.notify().resourceUpdated(uri)
    await handler.notify().resourceUpdated('config://other')
    expect(await streams[0].message()).toEqual(updated(uri))
    expect((await one.ask('resources/unsubscribe', { uri })).result).toEqual({})
    await handler.notify().resourceUpdated(uri)
    await Promise.all([one.delete(), two.delete()])
    for (const stream of streams) {
      expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    }
  })

  test('outlive the stream', async () => {
    const { open, handler } = rig(everything())
    const client = await open()
    await client.ask('resources/subscribe', { uri: 'config://app' })
    const stream = new Reader(await client.get())
    await handler.notify().resourceUpdated('config://app')
    expect(await stream.message()).toEqual(updated('config://app'))
    await stream.leave()
  })

  test('LH-15 each message is sent on one stream', async () => {
    const { passed, open: finish } = gate()
    const { server } = quiet()
    server.tool('slow', {}, async (_input, ctx) => {
      await ctx.progress(1)
      await passed
      return 'done'
    })
    server.resource('config://app', { name: 'config' }, () => '{}')
    const { open, handler } = rig(server)
    const client = await open()
    await client.ask('resources/subscribe', { uri: 'config://app' })
    const getStream = new Reader(await client.get())
    const call = (id: number) =>
      client.send(
        'tools/call',
        { name: 'slow', arguments: {}, _meta: { progressToken: id } },
        { id },
      )
    const calls = [new Reader(await call(1)), new Reader(await call(2))]
    await handler.notify().resourceUpdated('config://app')
    finish()
    const all = await Promise.all(calls.map((reader) => reader.rest()))
    await client.delete()
    const onGet = await getStream.rest()
    const copies = [...all, onGet]
      .flat()
      .filter((piece) => JSON.stringify(piece).includes('updated'))
    expect(copies).toHaveLength(1)
    expect(onGet.filter((piece) => JSON.stringify(piece).includes('updated'))).toHaveLength(1)
  })

  test('are bounded, and checked', async () => {
    const client = await rig(everything()).open()
    for (const params of [{}, { uri: 5 }, { uri: 'x'.repeat(10_000) }]) {
      expect((await client.ask('resources/subscribe', params)).error?.['code']).toBe(-32602)
    }
    for (let index = 0; index < 1_000; index += 1) {
      await client.ask('resources/subscribe', { uri: `config://${index}` })
    }
    expect((await client.ask('resources/subscribe', { uri: 'config://0' })).result).toEqual({})
    const more = await client.ask('resources/subscribe', { uri: 'config://more' })
    expect(more.error?.['code']).toBe(-32602)
  })

  test('a server that declares none refuses them', async () => {
    const client = await rig(everything({ capabilities: { resources: {} } })).open()
    const answer = await client.ask('resources/subscribe', { uri: 'config://app' })
    expect(answer.error?.['code']).toBe(-32601)
  })

  test('without a session there are none', async () => {
    const { handler } = rig(everything(), { legacy: 'stateless' })
    const { legacy, read } = await import('../support/index.ts')
    for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']) {
      const answer = await read(await handler(legacy(method, { uri: 'config://app' })))
      expect(answer.error?.['code']).toBe(-32601)
    }
  })

  test('hooks hear of the first watcher and of the last', async () => {
    const heard: unknown[] = []
    const { open } = rig(everything(), {
      onSubscribe: (uri, first) => void heard.push(['on', uri, first]),
      onUnsubscribe: (uri, last) => void heard.push(['off', uri, last]),
    })
    const [one, two] = [await open(), await open()]
    const uri = 'config://app'
    const streams = [new Reader(await one.get()), new Reader(await two.get())]
    await one.ask('resources/subscribe', { uri })
    await two.ask('resources/subscribe', { uri })
    await one.ask('resources/unsubscribe', { uri })
    await two.delete()
    expect(heard).toEqual([
      ['on', uri, true],
      ['on', uri, false],
      ['off', uri, false],
      ['off', uri, true],
    ])
    for (const stream of streams) await stream.leave()
  })
})

describe('logs', () => {
  function logging() {
    const { server, reported } = quiet()
    server.tool('log', {}, (_input, ctx) => {
      ctx.log.debug('fine')
      ctx.log.error('bad', { logger: 'core' })
      return 'logged'
    })
    return { server, reported }
  }

  test('LC-13 the level belongs to the session; before one is set nothing is logged', async () => {
    const { open } = rig(logging().server)
    const [one, two, silent] = [await open(), await open(), await open()]
    expect((await one.ask('logging/setLevel', { level: 'debug' })).result).toEqual({})
    expect((await two.ask('logging/setLevel', { level: 'error' })).result).toEqual({})
    const levels = async (client: typeof one) =>
      (await client.tool('log')).notifications.map((message) => JSON.stringify(message['params']))
    expect(await levels(one)).toEqual([
      '{"level":"debug","data":"fine"}',
      '{"level":"error","logger":"core","data":"bad"}',
    ])
    expect(await levels(two)).toHaveLength(1)
    expect(await levels(silent)).toEqual([])
  })

  test.each(['loud', 5, undefined, 'toString'])('LC-14 the level %j is -32602', async (level) => {
    const client = await rig(logging().server).open()
    expect((await client.ask('logging/setLevel', { level })).error?.['code']).toBe(-32602)
  })

  test('the server at large logs to GET streams, filtered by their level', async () => {
    const { server } = logging()
    const { open, handler } = rig(server)
    const [some, none] = [await open(), await open()]
    const [stream, silent] = [new Reader(await some.get()), new Reader(await none.get())]
    await some.ask('logging/setLevel', { level: 'warning' })
    await server.notify.log('info', 'too fine')
    await handler.notify().log('error', { disk: 'full' }, { logger: 'fs' })
    expect(await stream.message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'error', logger: 'fs', data: { disk: 'full' } },
    })
    await Promise.all([some.delete(), none.delete()])
    expect((await silent.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
  })
})

describe('completed pages', () => {
  test('LC-20 only the session that was sent there hears of it', async () => {
    const { server } = quiet()
    server.tool('visit', {}, async (_input, ctx) => {
      await ctx.elicitUrl('pay', {
        message: 'Pay',
        url: 'https://pay.example/1',
      })
      return 'sent'
    })
    const { open, handler } = rig(server)
    const capabilities = { elicitation: { url: {} } }
    const [one, two] = [await open({ capabilities }), await open({ capabilities })]
    const streams = [new Reader(await one.get()), new Reader(await two.get())] as const
    const call = new Reader(await one.send('tools/call', { name: 'visit', arguments: {} }))
    const question = await call.message()
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://pay.example/1' },
    })
    const elicitationId = elicitationIdOf(question)
    await one.answer(question['id'], { action: 'accept' })
    expect(await call.message()).toMatchObject({ result: { content: [{ text: 'sent' }] } })
    await handler.notify().elicitationComplete('other')
    await handler.notify().elicitationComplete(elicitationId)
    await handler.notify().elicitationComplete(elicitationId)
    expect(await streams[0].message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId },
    })
    await Promise.all([one.delete(), two.delete()])
    for (const stream of streams) {
      expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    }
  })

  test('LC-20 also where a refusal sent the user there, and the stream opens later', async () => {
    const { UrlElicitationRequiredError } = await import('../../src/protocol/errors.ts')
    const { server } = quiet()
    server.tool('closed', {}, () => {
      throw new UrlElicitationRequiredError([
        { url: 'https://pay.example/2', message: 'Pay', elicitationId: 'page-2' },
      ])
    })
    const { open, handler } = rig(server)
    const client = await open({ capabilities: { elicitation: { url: {} } } })
    expect((await client.tool('closed')).error).toMatchObject({
      code: -32042,
      data: { elicitations: [{ mode: 'url', elicitationId: 'page-2' }] },
    })
    expect(handler.stats().sessions).toBe(0)
    const stream = new Reader(await client.get())
    await handler.notify().elicitationComplete('page-2')
    expect(await stream.message()).toMatchObject({ params: { elicitationId: 'page-2' } })
    await stream.leave()
  })
})

function elicitationIdOf({ params }: Readonly<Record<string, unknown>>): string {
  return isRecord(params) ? String(params['elicitationId']) : ''
}

describe('a bus that fails', () => {
  test('a GET that cannot subscribe is 500, and leaves nothing behind', async () => {
    const { server, reported } = quiet()
    const bus: Bus = {
      ...memoryBus(),
      publish: async () => undefined,
      subscribe: (topics) =>
        topics[0]?.startsWith('session/') === true
          ? undefined
          : Promise.reject(new Error('no connection')),
    }
    const clock = fakeClock()
    const { open, handler } = rig(server, { bus, clock })
    const client = await open()
    expect((await client.get()).status).toBe(500)
    expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0 })
    expect(clock.armed()).toBe(0)
    expect(reported).toHaveLength(1)
    expect((await client.ask('ping')).result).toEqual({})
  })

  test('calls in progress are answered although mail does not work', async () => {
    const { server, reported } = quiet()
    const broken = async (): Promise<never> => {
      throw new Error('no connection')
    }
    server.tool('steps', { input: z.object({}) }, async (_input, ctx) => {
      void ctx.signal
      await ctx.progress(1)
      return 'done'
    })
    const { open } = rig(server, { bus: { publish: broken, subscribe: broken } })
    const client = await open()
    const params = { name: 'steps', arguments: {}, _meta: { progressToken: 1 } }
    expect((await client.ask('tools/call', params)).result).toMatchObject({
      content: [{ text: 'done' }],
    })
    expect(reported.length).toBeGreaterThan(0)
  })
})
