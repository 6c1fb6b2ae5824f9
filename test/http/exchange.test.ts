/**
 * The way back of one request: JSON or a stream, live, kept alive, and given up when nobody is there.
 */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { call, isRecord, legacy, modern, settle, streamOf } from '../support/index.ts'
import { everything, gate, quiet, served } from './served.ts'

const LEVEL = 'io.modelcontextprotocol/logLevel'
const TOKEN = { meta: { progressToken: 'p' } }

/** A server with one tool, and the context it was called with. */
function withTool(run: (ctx: Context) => Promise<string> | string) {
  const { server, reported } = quiet()
  server.tool('t', {}, (_input, ctx) => run(ctx))
  return { server, reported }
}

const t = (overrides = {}) => modern('tools/call', { name: 't' }, overrides)
const old = (overrides = {}) => legacy('tools/call', { name: 't' }, overrides)

describe('a stream', () => {
  test('MH-28 MH-29 MH-30 holds notifications and the answer, without ids, and ends', async () => {
    const { handler } = served(everything())
    const request = modern(
      'tools/call',
      { name: 'steps' },
      { meta: { progressToken: 'p', [LEVEL]: 'info' } },
    )
    const response = await handler(request)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const text = await response.text()
    expect(text).not.toMatch(/^(id|retry):/m)
    const messages = text
      .trim()
      .split('\n\n')
      .map(
        (frame) =>
          JSON.parse(frame.replace(/^event: message\ndata: /, '')) as Record<string, unknown>,
      )
    expect(messages.map((message) => message['method'] ?? message['id'])).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      1,
    ])
    for (const message of messages) expect('method' in message && 'id' in message).toBe(false)
  })

  test('MH-32 notifications arrive while the handler works', async () => {
    const held = gate()
    const { server } = withTool(async (ctx) => {
      await ctx.progress(1, { total: 2, message: 'started' })
      await held.passed
      return 'done'
    })
    const { handler } = served(server)
    const events = streamOf(await handler(t(TOKEN)))
    const first = await events.next()
    expect(first.value).toMatchObject({ data: expect.stringContaining('"message":"started"') })
    held.open()
    const second = await events.next()
    expect(second.value).toMatchObject({ data: expect.stringContaining('"result"') })
    expect((await events.next()).done).toBe(true)
  })

  test('progress only increases, takes any token, and is nothing without one', async () => {
    const { server } = withTool(async (ctx) => {
      for (const value of [1, 1, 0.5, 2.5]) await ctx.progress(value)
      return 'done'
    })
    const { ask } = served(server)
    for (const progressToken of [0, '', 'p', 7]) {
      const { notifications } = await ask(t({ meta: { progressToken } }))
      expect(notifications.map(({ params }) => params)).toEqual([
        { progressToken, progress: 1 },
        { progressToken, progress: 2.5 },
      ])
      expect((await ask(old({ meta: { progressToken } }))).notifications).toHaveLength(2)
    }
    expect(await ask(t())).toMatchObject({ form: 'json', notifications: [] })
  })

  test('what is said after the answer reaches nobody', async () => {
    const kept: Context[] = []
    const { server } = withTool((ctx) => {
      kept.push(ctx)
      return 'done'
    })
    const { ask, handler } = served(server)
    expect((await ask(t({ meta: { progressToken: 1, [LEVEL]: 'debug' } }))).form).toBe('json')
    await kept[0]?.progress(1)
    kept[0]?.log.error('late')
    expect(handler.stats()).toMatchObject({ inFlight: 0, streams: 0 })
  })

  test('a client that takes only JSON misses notifications and gets its answer', async () => {
    const { ask } = served(everything())
    const answer = await ask(
      modern(
        'tools/call',
        { name: 'steps' },
        { ...TOKEN, headers: { accept: 'application/json' } },
      ),
    )
    expect(answer).toMatchObject({ form: 'json', notifications: [] })
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'done' }])
  })
})

describe('log messages', () => {
  function logging() {
    const { server } = withTool((ctx) => {
      for (const level of [
        'debug',
        'info',
        'notice',
        'warning',
        'error',
        'critical',
        'alert',
        'emergency',
      ] as const) {
        ctx.log[level]({ level }, { logger: 'unit' })
      }
      return 'done'
    })
    return served(server)
  }

  test.each([
    [undefined, 0],
    ['debug', 8],
    ['warning', 5],
    ['emergency', 1],
  ])('HM-22 with the level %s a modern request gets %i', async (level, count) => {
    const { notifications } = await logging().ask(t({ meta: { [LEVEL]: level } }))
    expect(notifications).toHaveLength(count)
    for (const { params } of notifications) expect(params).toMatchObject({ logger: 'unit' })
  })

  test('HM-22 an unknown level is -32602, and a legacy client without a session gets none', async () => {
    const { ask } = logging()
    expect((await ask(t({ meta: { [LEVEL]: 'loud' } }))).error?.['code']).toBe(-32602)
    expect((await ask(old())).notifications).toEqual([])
  })

  test('anything can be logged', async () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    const { server } = withTool((ctx) => {
      for (const data of [undefined, null, 'text', 5, [1], loop, 1n]) ctx.log.info(data)
      return 'done'
    })
    const { notifications, result } = await served(server).ask(t({ meta: { [LEVEL]: 'info' } }))
    expect(result?.['isError']).toBeUndefined()
    expect(notifications.map(({ params }) => isRecord(params) && params['data'])).toEqual([
      null,
      null,
      'text',
      5,
      [1],
      '[object that is not JSON]',
      '[bigint that is not JSON]',
    ])
  })
})

describe('an answer that takes long', () => {
  test('becomes a stream after streamAfterMs, with a first byte at once and keepalives', async () => {
    const held = gate()
    const { server } = withTool(async () => {
      await held.passed
      return 'done'
    })
    const { handler, clock } = served(server)
    const pending = handler(t())
    await clock.advance(4_999)
    expect(handler.stats()).toMatchObject({ inFlight: 1, streams: 0 })
    await clock.advance(1)
    const events = streamOf(await pending)
    expect(await events.next()).toMatchObject({ value: { kind: 'comment' } })
    expect(handler.stats()).toMatchObject({ inFlight: 1, streams: 1 })
    const next = events.next()
    await clock.advance(17_000)
    expect(await next).toMatchObject({ value: { kind: 'comment' } })
    held.open()
    expect(await events.next()).toMatchObject({ value: { kind: 'event' } })
    expect((await events.next()).done).toBe(true)
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })

  test('MH-31 keeps its status when it comes in time', async () => {
    const held = gate()
    const { server } = withTool(async (ctx) => {
      await held.passed
      ctx.requireCapability({ sampling: {} })
      return 'never'
    })
    const { handler, ask, clock } = served(server)
    const answer = ask(t(TOKEN))
    await clock.advance(4_000)
    held.open()
    expect((await answer).status).toBe(400)
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })

  test('stays JSON where streams are switched off, refused by the client, or wanted never', async () => {
    for (const [options, headers] of [
      [{ streamAfterMs: null }, {}],
      [{ responses: 'json' }, {}],
      [{}, { accept: 'application/json' }],
    ] as const) {
      const held = gate()
      const { server } = withTool(async () => {
        await held.passed
        return 'done'
      })
      const { handler, clock } = served(server, options)
      const answer = call(handler, t({ headers }))
      await clock.advance(3_600_000)
      held.open()
      expect((await answer).form).toBe('json')
      expect(clock.armed()).toBe(0)
    }
  })
})

describe('a client that leaves', () => {
  function waiting() {
    const started = gate()
    const aborted = gate()
    const held = gate()
    const reasons: unknown[] = []
    const { server, reported } = withTool(async (ctx) => {
      ctx.signal.addEventListener('abort', () => {
        reasons.push(ctx.signal.reason)
        aborted.open()
      })
      await ctx.progress(1)
      started.open()
      await Promise.race([aborted.passed, held.passed])
      await ctx.progress(2)
      return 'done'
    })
    return { ...served(server), reported, started, aborted, held, reasons }
  }

  test('MH-33 a cancelled stream aborts the handler, and nothing is sent after', async () => {
    const { handler, clock, aborted, reasons, reported } = waiting()
    const response = await handler(t(TOKEN))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await aborted.passed
    await settle()
    expect(reasons).toHaveLength(1)
    expect(reported).toEqual([])
    expect([handler.stats().inFlight, handler.stats().streams, clock.armed()]).toEqual([0, 0, 0])
  })

  test('MH-33 so does the platform’s signal while the stream is open', async () => {
    const { handler, clock, aborted } = waiting()
    const client = new AbortController()
    const response = await handler(t({ ...TOKEN, signal: client.signal }))
    client.abort()
    await aborted.passed
    expect(await response.text()).not.toContain('"result"')
    await settle()
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })

  test('MH-34 a client that leaves before a JSON answer cancels too', async () => {
    const { handler, clock, started, aborted } = waiting()
    const client = new AbortController()
    const pending = handler(t({ signal: client.signal }))
    await started.passed
    client.abort()
    await aborted.passed
    await pending
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })

  test('one that has left already is noticed when the handler looks', async () => {
    const { server } = withTool((ctx) => String(ctx.signal.aborted))
    const { ask } = served(server)
    const gone = new AbortController()
    const request = t({ signal: gone.signal })
    gone.abort()
    const answer = await ask(request)
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'true' }])
  })

  test('a legacy call goes on', async () => {
    const { handler, clock, started, held, reasons } = waiting()
    const client = new AbortController()
    const response = await handler(old({ ...TOKEN, signal: client.signal }))
    await started.passed
    client.abort()
    await response.body?.cancel().catch(() => undefined)
    await settle()
    expect([reasons, handler.stats().inFlight]).toEqual([[], 1])
    held.open()
    await settle()
    expect([reasons, handler.stats().inFlight, clock.armed()]).toEqual([[], 0, 0])
  })

  test('the platform’s word after the answer means nothing', async () => {
    const signals: AbortSignal[] = []
    const { server } = withTool((ctx) => {
      signals.push(ctx.signal)
      return 'done'
    })
    const client = new AbortController()
    await served(server).ask(t({ signal: client.signal }))
    client.abort()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })
})

describe('a client that reads slowly', () => {
  test('holds back a handler that waits for its notifications', async () => {
    const sent: number[] = []
    const { server } = withTool(async (ctx) => {
      for (let step = 1; step <= 10; step += 1) {
        await ctx.progress(step, { message: 'x'.repeat(200) })
        sent.push(step)
      }
      return 'done'
    })
    const { handler } = served(server, { limits: { streamBytes: 500 } })
    const response = await handler(t(TOKEN))
    await settle()
    expect(sent.length).toBeLessThan(4)
    const text = await response.text()
    expect(sent).toHaveLength(10)
    expect(text).toContain('"result"')
  })

  test('counts as gone when nothing moves for three keepalives, and frees what it held', async () => {
    const aborted = gate()
    const { server } = withTool(async (ctx) => {
      ctx.signal.addEventListener('abort', aborted.open)
      void ctx.progress(1)
      await aborted.passed
      return 'done'
    })
    const { handler, clock } = served(server)
    const response = await handler(t(TOKEN))
    await clock.advance(5 * 17_000)
    await aborted.passed
    await settle()
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
    await expect(response.text()).rejects.toThrow()
  })
})

test('work that outlasts the answer is kept alive, and its failure reported', async () => {
  const { server, reported } = quiet()
  server.tool('t', {}, (_input, ctx) => {
    ctx.waitUntil(Promise.reject(new Error('secret')))
    return 'done'
  })
  const kept: Promise<unknown>[] = []
  const { handler } = served(server)
  const execution = { waitUntil: (work: Promise<unknown>) => void kept.push(work) }
  expect((await handler(t(), undefined, execution)).status).toBe(200)
  await Promise.all(kept)
  await handler(t())
  await settle()
  expect(kept).toHaveLength(1)
  expect(reported.map(({ where }) => where)).toEqual([
    { request: { method: 'tools/call' } },
    { request: { method: 'tools/call' } },
  ])
})
