/**
 * Calls of a session: cancelled from anywhere, asking on their own stream, and none of them mixed up
 * (WIRE C.3, C.10, J.7).
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import { fakeClock, read, settle } from '../support/index.ts'
import { gate, quiet } from './served.ts'
import { messagesIn, Reader, rig } from './session-rig.ts'

const FORM = { capabilities: { elicitation: {} } }
const SURE = { message: 'Sure?', schema: z.object({ yes: z.boolean() }) }

/** A server whose tools take as long as a test wants, and ask. */
function slow() {
  const { server, reported } = quiet()
  const work = gate()
  const aborts: unknown[] = []
  const failures: unknown[] = []
  server.tool('slow', {}, async (_input, ctx) => {
    ctx.signal.addEventListener('abort', () => aborts.push(ctx.signal.reason))
    await work.passed
    return `done ${String(ctx.requestId)}`
  })
  server.tool('steps', { input: z.object({ count: z.number() }) }, async ({ count }, ctx) => {
    for (let step = 1; step <= count; step += 1) void ctx.progress(step)
    await work.passed
    return 'done'
  })
  server.tool('ask', {}, async (_input, ctx) => {
    try {
      const { action } = await ctx.elicit('sure', SURE)
      return action
    } catch (error) {
      failures.push(error)
      throw error
    }
  })
  return { server, reported, work, aborts, failures }
}

function params(name: string, args: Record<string, unknown> = {}, progressToken?: unknown) {
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } }
  return { name, arguments: args, ...meta }
}

describe('cancelling', () => {
  test('LC-11 stops the work; nothing is answered but an empty 202', async () => {
    const { server, aborts, work } = slow()
    const { open, handler, clock } = rig(server)
    const client = await open()
    const running = client.send('tools/call', params('slow'), { id: 4 })
    await settle()
    await client.notify('notifications/cancelled', { requestId: 4, reason: 'enough' })
    const response = await running
    expect([response.status, await response.text()]).toEqual([202, ''])
    expect(aborts).toMatchObject([{ name: 'AbortError', message: 'enough' }])
    expect(handler.stats()).toMatchObject({ inFlight: 0, sessions: 0 })
    expect(clock.armed()).toBe(0)
    work.open()
  })

  test('LC-11 a stream ends without an answer, and says nothing more', async () => {
    const { server, work } = slow()
    const client = await rig(server).open()
    const stream = new Reader(
      await client.send('tools/call', params('steps', { count: 1 }, 'p'), { id: 'x' }),
    )
    await stream.message()
    await client.notify('notifications/cancelled', { requestId: 'x' })
    work.open()
    expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
  })

  test('LC-12 an unknown, finished or differently typed id is ignored', async () => {
    const { server, work, aborts } = slow()
    const client = await rig(server).open()
    await client.ask('ping', {}, { id: 1 })
    const running = client.tool('slow', {}, { id: 5 })
    await settle()
    for (const requestId of [999, 1, '5', null, undefined, {}, 5.5]) {
      const answer = await client.notify('notifications/cancelled', { requestId })
      expect(answer.status).toBe(202)
    }
    work.open()
    expect((await running).result).toMatchObject({ content: [{ text: 'done 5' }] })
    expect(aborts).toEqual([])
  })

  test('a call of another session with the same id goes on', async () => {
    const { server, work } = slow()
    const { open } = rig(server)
    const [one, two] = [await open(), await open()]
    const [mine, theirs] = [
      one.send('tools/call', params('slow'), { id: 1 }),
      two.tool('slow', {}, { id: 1 }),
    ]
    await settle()
    await one.notify('notifications/cancelled', { requestId: 1 })
    expect((await mine).status).toBe(202)
    work.open()
    expect((await theirs).result).toMatchObject({ content: [{ text: 'done 1' }] })
  })

  test('LH-37 equal ids in flight are answered each on its own; a cancel hits all of them', async () => {
    const { server, work } = slow()
    const client = await rig(server).open()
    const call = () => client.send('tools/call', params('slow'), { id: 7 })
    const cancelled = [call(), call()]
    await settle()
    await client.notify('notifications/cancelled', { requestId: 7 })
    for (const response of await Promise.all(cancelled)) expect(response.status).toBe(202)
    const answered = [call(), call()]
    work.open()
    for (const response of await Promise.all(answered)) {
      expect((await read(response)).response).toMatchObject({ id: 7, result: {} })
    }
  })

  test('a handler that never looks at its signal is cancelled too', async () => {
    const { passed, open: finish } = gate()
    const { server } = quiet()
    server.tool('deaf', {}, async () => {
      await passed
      return 'done'
    })
    const client = await rig(server).open()
    const running = client.send('tools/call', params('deaf'), { id: 1 })
    await settle()
    await client.notify('notifications/cancelled', { requestId: 1 })
    expect((await running).status).toBe(202)
    finish()
  })

  test('LH-19 a client that leaves has not cancelled', async () => {
    const { server, work, aborts } = slow()
    const { open, handler, clock } = rig(server)
    const client = await open()
    const stream = new Reader(await client.send('tools/call', params('steps', { count: 1 }, 1)))
    const leaving = new AbortController()
    const json = client.send('tools/call', params('slow'), { signal: leaving.signal })
    await stream.message()
    await stream.leave()
    leaving.abort()
    await settle()
    expect(aborts).toEqual([])
    expect(handler.stats().inFlight).toBe(2)
    work.open()
    expect((await read(await json)).result).toMatchObject({ content: [{ text: 'done 1' }] })
    await settle()
    expect(handler.stats()).toMatchObject({ inFlight: 0, sessions: 0, streams: 0 })
    expect(clock.armed()).toBe(0)
  })
})

describe('progress', () => {
  test('LH-17 LH-18 SS-15 LC-15 rides its own call, in order, before the answer, which ends the stream', async () => {
    const { server, work } = slow()
    const client = await rig(server).open()
    const calls = [0, 'p'].map((token, id) =>
      client.send('tools/call', params('steps', { count: 5 }, token), { id }),
    )
    const responses = await Promise.all(calls)
    work.open()
    for (const [index, token] of [0, 'p'].entries()) {
      const response = responses[index]
      if (response === undefined) throw new Error('no response')
      const messages = await messagesIn(response)
      expect(messages).toHaveLength(6)
      for (const [step, message] of messages.slice(0, 5).entries()) {
        expect(message).toMatchObject({ params: { progressToken: token, progress: step + 1 } })
      }
      expect(messages[5]).toMatchObject({ id: index, result: {} })
    }
  })

  test('CX-08 CX-09 CX-10 only rises, needs a token, and ends with the answer', async () => {
    const { server } = quiet()
    let late: (() => Promise<void>) | undefined
    server.tool('odd', {}, async (_input, ctx) => {
      for (const step of [5, 5, 3, 6]) void ctx.progress(step)
      late = () => ctx.progress(7)
      return 'done'
    })
    const client = await rig(server).open()
    for (const token of [0, '']) {
      const { notifications } = await client.ask('tools/call', params('odd', {}, token))
      await late?.()
      expect(notifications).toMatchObject([
        { params: { progressToken: token, progress: 5 } },
        { params: { progressToken: token, progress: 6 } },
      ])
    }
    expect((await client.tool('odd')).form).toBe('json')
  })
})

describe('questions', () => {
  test('LH-34 RPC-25 ride the call they belong to, with ids of our own', async () => {
    const { server } = slow()
    const { open, handler } = rig(server)
    const client = await open(FORM)
    const getStream = new Reader(await client.get())
    const streams = await Promise.all(
      [1, 2].map(async (id) => new Reader(await client.send('tools/call', params('ask'), { id }))),
    )
    const questions = await Promise.all(streams.map((stream) => stream.message()))
    for (const question of questions) {
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Sure?' } })
      expect([1, 2]).not.toContain(question['id'])
    }
    expect(new Set(questions.map(({ id }) => id)).size).toBe(2)
    expect(handler.stats().questions).toBe(2)
    await client.answer(questions[1]?.['id'], { action: 'decline' })
    await client.answer(questions[0]?.['id'], { action: 'cancel' })
    const answers = await Promise.all(streams.map((stream) => stream.message()))
    expect(answers).toMatchObject([
      { id: 1, result: { content: [{ text: 'cancel' }] } },
      { id: 2, result: { content: [{ text: 'decline' }] } },
    ])
    await client.delete()
    expect((await getStream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
  })

  test('LC-07 ping goes both ways', async () => {
    const { server } = quiet()
    server.tool('ping', {}, async (_input, ctx) => {
      await ctx.ping()
      return 'alive'
    })
    const client = await rig(server).open()
    const stream = new Reader(await client.send('tools/call', params('ping')))
    const ping = await stream.message()
    expect(ping).toMatchObject({ method: 'ping' })
    await client.answer(ping['id'], {})
    expect(await stream.message()).toMatchObject({ result: { content: [{ text: 'alive' }] } })
  })

  test('answers to nobody, to another session, and twice are dropped', async () => {
    const { server } = slow()
    const { open } = rig(server)
    const [one, two] = [await open(FORM), await open(FORM)]
    const stream = new Reader(await one.send('tools/call', params('ask')))
    const { id } = await stream.message()
    for (const strange of [two.answer(id, { action: 'accept', content: { yes: true } })]) {
      expect((await strange).status).toBe(202)
    }
    for (const unknown of ['nobody', 1, '', '__proto__']) {
      expect((await one.answer(unknown, { action: 'decline' })).status).toBe(202)
    }
    expect((await one.answer(id, { action: 'decline' })).status).toBe(202)
    expect((await one.answer(id, { action: 'accept', content: { yes: true } })).status).toBe(202)
    expect(await stream.message()).toMatchObject({ result: { content: [{ text: 'decline' }] } })
  })

  test('an answer that is no message is 400; the question still waits', async () => {
    const { server } = slow()
    const { open, handler } = rig(server)
    const client = await open(FORM)
    const stream = new Reader(await client.send('tools/call', params('ask')))
    const { id } = await stream.message()
    for (const body of [
      { jsonrpc: '2.0', id, result: 'yes' },
      { jsonrpc: '2.0', id, result: {}, error: { code: 1, message: 'x' } },
      { jsonrpc: '2.0', id, error: { code: 'x', message: 'x' } },
      { jsonrpc: '2.0', id },
    ]) {
      expect((await client.send('', {}, { body })).status).toBe(400)
    }
    expect(handler.stats().questions).toBe(1)
    await client.answer(id, { action: 'decline' })
    expect(await stream.message()).toMatchObject({ result: { content: [{ text: 'decline' }] } })
  })

  test('an error of the client reaches the handler', async () => {
    const { server, failures } = slow()
    const client = await rig(server).open(FORM)
    const stream = new Reader(await client.send('tools/call', params('ask')))
    const { id } = await stream.message()
    const body = { jsonrpc: '2.0', id, error: { code: -1, message: 'User rejected' } }
    await client.send('', {}, { body })
    await stream.message()
    expect(failures).toMatchObject([{ code: -1, message: 'User rejected' }])
  })

  test('LH-33 a client that never answers: the question is taken back, the handler told', async () => {
    const { server, failures } = slow()
    const { open, clock, handler } = rig(server)
    const client = await open(FORM)
    const stream = new Reader(await client.send('tools/call', params('ask')))
    const { id } = await stream.message()
    const rest = stream.rest()
    await clock.advance(600_000)
    const messages = (await rest).flatMap((piece): unknown[] =>
      piece.kind === 'event' ? [JSON.parse(piece.data)] : [],
    )
    expect(messages[0]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    })
    expect(messages).toHaveLength(2)
    expect(failures).toMatchObject([{ name: 'RequestTimeoutError', timeoutMs: 600_000 }])
    expect((await client.answer(id, { action: 'accept' })).status).toBe(202)
    expect(handler.stats()).toMatchObject({ questions: 0, sessions: 0 })
    expect(clock.armed()).toBe(0)
  })

  test('LH-33 the time can be set for the handler and for one question', async () => {
    const { server, failures } = slow()
    server.tool('brief', {}, async (_input, ctx) => {
      await ctx.elicit('sure', { ...SURE, timeoutMs: 50 }).catch((error: unknown) => {
        failures.push(error)
      })
      return 'x'
    })
    const { open, clock } = rig(server, { serverRequestTimeoutMs: 1_000 })
    const client = await open(FORM)
    const streams = [
      new Reader(await client.send('tools/call', params('ask'))),
      new Reader(await client.send('tools/call', params('brief'))),
    ]
    const rests = streams.map((stream) => stream.rest())
    await settle()
    await clock.advance(50)
    expect(failures).toMatchObject([{ timeoutMs: 50 }])
    await clock.advance(950)
    expect(failures).toMatchObject([{ timeoutMs: 50 }, { timeoutMs: 1_000 }])
    await Promise.all(rests)
  })

  test('end with the call that is cancelled, and are taken back', async () => {
    const { server, failures } = slow()
    const { open, handler } = rig(server)
    const client = await open(FORM)
    const stream = new Reader(await client.send('tools/call', params('ask'), { id: 3 }))
    const { id } = await stream.message()
    await client.notify('notifications/cancelled', { requestId: 3 })
    expect(await stream.message()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    })
    expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    await settle()
    expect(failures).toMatchObject([{ name: 'AbortError' }])
    expect(handler.stats()).toMatchObject({ questions: 0, sessions: 0 })
  })

  test('nobody waits for are over when the call is', async () => {
    const { server } = quiet()
    server.tool('careless', {}, async (_input, ctx) => {
      ctx.elicit('sure', SURE).catch(() => undefined)
      await settle()
      return 'gone'
    })
    const { open, handler, clock } = rig(server)
    const client = await open(FORM)
    const { result } = await client.tool('careless')
    expect(result).toMatchObject({ content: [{ text: 'gone' }] })
    expect(handler.stats()).toMatchObject({ questions: 0, sessions: 0 })
    expect(clock.armed()).toBe(0)
  })

  test('LC-08 need the capability', async () => {
    const { server, failures } = slow()
    const client = await rig(server).open()
    expect((await client.tool('ask')).error).toMatchObject({ code: -32600 })
    expect(failures).toMatchObject([{ code: -32021 }])
  })

  test('LH-32 are refused at once where they cannot be delivered', async () => {
    const { server } = quiet()
    server.method('acme/ask', {}, async (_input, ctx) => {
      await ctx.elicit('sure', SURE)
    })
    const json = await rig(server, { responses: 'json' }).open(FORM)
    expect((await json.ask('acme/ask')).error).toMatchObject({ code: -32600 })
    const headers = { accept: 'application/json' }
    const auto = await rig(server).open(FORM)
    expect((await auto.ask('acme/ask', {}, { headers })).error).toMatchObject({ code: -32600 })
    const deaf = await rig(server, { bus: null }).open(FORM)
    expect((await deaf.ask('acme/ask')).error).toMatchObject({ code: -32600 })
    const batch = await rig(server).open({ ...FORM, revision: '2025-03-26' })
    const body = [{ jsonrpc: '2.0', id: 1, method: 'acme/ask' }]
    expect((await batch.send('', {}, { body })).status).toBe(200)
  })

  test('are refused when the client has left', async () => {
    const { server } = quiet()
    const left = gate()
    const failures: unknown[] = []
    server.tool('late', {}, async (_input, ctx) => {
      void ctx.progress(1)
      await left.passed
      await ctx.elicit('sure', SURE).catch((error: unknown) => failures.push(error))
      return 'x'
    })
    const { open, handler } = rig(server)
    const client = await open(FORM)
    const stream = new Reader(await client.send('tools/call', params('late', {}, 1)))
    await stream.message()
    await stream.leave()
    left.open()
    await settle()
    expect(failures).toMatchObject([{ name: 'ConnectionClosedError' }])
    expect(handler.stats()).toMatchObject({ inFlight: 0, questions: 0 })
  })

  test('SE-15 two handlers with equal keys at once do not mix their answers', async () => {
    const { server } = slow()
    const client = await rig(server).open(FORM)
    const streams = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, id) => new Reader(await client.send('tools/call', params('ask'), { id })),
      ),
    )
    const actions = streams.map((_, index) => (index % 2 === 0 ? 'decline' : 'cancel'))
    const questions = await Promise.all(streams.map((stream) => stream.message()))
    for (const index of [...questions.keys()].toReversed()) {
      await client.answer(questions[index]?.['id'], { action: actions[index] })
    }
    const answers = await Promise.all(streams.map((stream) => stream.message()))
    for (const [index, answer] of answers.entries()) {
      expect(answer).toMatchObject({ id: index, result: { content: [{ text: actions[index] }] } })
    }
  })
})

describe('SE-14 two handlers that share stores and bus', () => {
  function pair() {
    const clock = fakeClock()
    const bus = memoryBus()
    const sessions = memorySessions({ clock })
    const made = slow()
    const a = rig(made.server, { bus, sessions, clock })
    const b = rig(made.server, { bus, sessions, clock })
    return { a, b, clock, ...made }
  }

  test('a session opened at one is served by the other', async () => {
    const { a, b } = pair()
    const client = await a.open()
    expect((await client.at(b.handler).ask('tools/list')).result).toHaveProperty('tools')
    await client.at(b.handler).delete()
    expect((await client.send('ping')).status).toBe(404)
  })

  test('a question asked at one is answered at the other', async () => {
    const { a, b } = pair()
    const client = await a.open(FORM)
    const stream = new Reader(await client.send('tools/call', params('ask')))
    const { id } = await stream.message()
    expect((await client.at(b.handler).answer(id, { action: 'decline' })).status).toBe(202)
    expect(await stream.message()).toMatchObject({ result: { content: [{ text: 'decline' }] } })
  })

  test('questions of both never have the same id', async () => {
    const { a, b } = pair()
    const client = await a.open(FORM)
    const ids = await Promise.all(
      [client, client.at(b.handler)].map(async (end) => {
        const stream = new Reader(await end.send('tools/call', params('ask')))
        const question = await stream.message()
        return question['id']
      }),
    )
    expect(new Set(ids).size).toBe(2)
    await client.delete()
  })

  test('a call at one is cancelled at the other', async () => {
    const { a, b, aborts } = pair()
    const client = await a.open()
    const running = client.send('tools/call', params('slow'), { id: 'x' })
    await settle()
    await client.at(b.handler).notify('notifications/cancelled', { requestId: 'x' })
    expect((await running).status).toBe(202)
    expect(aborts).toHaveLength(1)
  })

  test('a publish at one is seen on the GET stream at the other', async () => {
    const { a, b } = pair()
    const client = await a.open()
    const stream = new Reader(await client.at(b.handler).get())
    await client.ask('resources/subscribe', { uri: 'x://y' }).catch(() => undefined)
    await a.handler.notify().toolsChanged()
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await stream.leave()
  })

  test('a subscription and a level set at one count on the GET stream at the other', async () => {
    const { a, b, server } = pair()
    server.resource('x://y', { name: 'y' }, () => 'y')
    const client = await a.open()
    const stream = new Reader(await client.at(b.handler).get())
    await client.ask('resources/subscribe', { uri: 'x://y' })
    await client.ask('logging/setLevel', { level: 'info' })
    await a.handler.notify().resourceUpdated('x://y')
    await a.handler.notify().log('info', 'hello')
    expect(await stream.message()).toMatchObject({ params: { uri: 'x://y' } })
    expect(await stream.message()).toMatchObject({ params: { data: 'hello' } })
    await stream.leave()
  })

  test('a GET stream at one is taken over at the other, a DELETE ends what both hold', async () => {
    const { a, b, clock } = pair()
    const client = await a.open()
    const first = new Reader(await client.get())
    const second = new Reader(await client.at(b.handler).get())
    expect((await first.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    const running = client.send('tools/call', params('slow'))
    await settle()
    await client.at(b.handler).delete()
    expect((await running).status).toBe(404)
    expect((await second.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    for (const { handler } of [a, b]) {
      expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0, inFlight: 0 })
    }
    expect(clock.armed()).toBe(0)
  })

  test('mail that nobody understands harms nobody', async () => {
    const clock = fakeClock()
    const bus = memoryBus()
    const { server, work, reported } = slow()
    const { open } = rig(server, { bus, clock })
    const client = await open()
    const running = client.tool('slow', {}, { id: 1 })
    await settle()
    for (const data of ['{', '5', '{"kind":"x"}', '{"kind":"cancel","requestId":{}}', 7, null]) {
      await bus.publish({ topic: `session/${client.id}`, data })
    }
    work.open()
    expect((await running).result).toMatchObject({ content: [{ text: 'done 1' }] })
    expect(reported).toEqual([])
  })
})
