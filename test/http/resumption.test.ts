/**
 * Streams that outlive their connections: ids, priming, polling and replay (WIRE C.9).
 */
import { describe, expect, test } from 'vitest'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memoryEvents } from '../../src/stores/memory-events.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import type { EventStore } from '../../src/stores/event-store.ts'
import { fakeClock, read, settle } from '../support/index.ts'
import { gate, quiet } from './served.ts'
import type { Client } from './session-rig.ts'
import { Reader, rig } from './session-rig.ts'

/** A server whose tool reports, waits for the test, and reports again. */
function stepping() {
  const { server, reported } = quiet()
  const work = gate()
  server.tool('steps', {}, async (_input, ctx) => {
    void ctx.progress(1)
    await work.passed
    void ctx.progress(2)
    return 'done'
  })
  server.tool('poll', {}, async (_input, ctx) => {
    ctx.closeStream()
    await work.passed
    void ctx.progress(1)
    return 'polled'
  })
  server.tool('echo', {}, () => 'echo')
  return { server, work, reported }
}

function call(client: Client, name: string, id: string | number = 1): Promise<Response> {
  return client.send('tools/call', { name, arguments: {}, _meta: { progressToken: id } }, { id })
}

function resume(client: Client, lastEventId: string): Promise<Response> {
  return client.get({ 'last-event-id': lastEventId })
}

interface Received {
  readonly ids: readonly string[]
  readonly messages: readonly Readonly<Record<string, unknown>>[]
}

async function received(reader: Reader): Promise<Received> {
  const ids: string[] = []
  const messages: Readonly<Record<string, unknown>>[] = []
  for (const piece of await reader.rest()) {
    if (piece.kind !== 'event') continue
    if (piece.id !== undefined) ids.push(piece.id)
    if (piece.data !== '') messages.push(JSON.parse(piece.data))
  }
  return { ids, messages }
}

/** The next event's id. */
async function nextId(reader: Reader): Promise<string> {
  const event = await reader.event()
  if (event?.id === undefined) throw new Error('no event with an id')
  return event.id
}

describe('ids and priming', () => {
  test('LH-21 a 2025-11-25 stream opens with an id and no data', async () => {
    const { server, work } = stepping()
    const client = await rig(server, { events: memoryEvents() }).open()
    const stream = new Reader(await call(client, 'steps'))
    expect(await stream.event()).toMatchObject({
      data: '',
      id: expect.stringMatching(/^[\x21-\x7e]+$/),
    })
    expect(await stream.message()).toMatchObject({ params: { progress: 1 } })
    work.open()
    const getStream = new Reader(await client.get())
    expect(await getStream.event()).toMatchObject({ data: '', id: expect.any(String) })
    await client.delete()
  })

  test.each(['2025-03-26', '2025-06-18'])(
    'LH-21 a %s client gets ids, and no event without data',
    async (revision) => {
      const { server, work } = stepping()
      work.open()
      const client = await rig(server, { events: memoryEvents() }).open({ revision })
      const pieces = await new Reader(await call(client, 'steps')).rest()
      const events = pieces.filter((piece) => piece.kind === 'event')
      expect(events).toHaveLength(3)
      for (const event of events) {
        expect(event.id).toEqual(expect.any(String))
        expect(event.data).not.toBe('')
      }
    },
  )

  test('LH-21 without a store there are neither ids nor priming', async () => {
    const { server, work } = stepping()
    work.open()
    const client = await rig(server).open()
    const pieces = await new Reader(await call(client, 'steps')).rest()
    expect(pieces.some((piece) => piece.kind === 'event' && piece.id !== undefined)).toBe(false)
    expect((await client.get({ 'last-event-id': 'x.1' })).status).toBe(400)
  })

  test('LH-20 ids are unique over all streams of a session', async () => {
    const { server, work } = stepping()
    work.open()
    const client = await rig(server, { events: memoryEvents() }).open()
    const streams = await Promise.all([1, 2, 3].map((id) => call(client, 'steps', id)))
    const all = await Promise.all(streams.map((response) => received(new Reader(response))))
    const ids = all.flatMap((stream) => stream.ids)
    expect(ids).toHaveLength(12)
    expect(new Set(ids).size).toBe(12)
  })
})

describe('coming back', () => {
  test('SE-13 LH-19 a POST stream that was cut goes on from its last event, answer included', async () => {
    const { server, work } = stepping()
    const { open, handler, clock } = rig(server, { events: memoryEvents() })
    const client = await open()
    const stream = new Reader(await call(client, 'steps', 5))
    const primed = await nextId(stream)
    await stream.leave()
    const again = new Reader(await resume(client, primed))
    expect(await again.message()).toMatchObject({ params: { progress: 1 } })
    work.open()
    expect(await again.message()).toMatchObject({ params: { progress: 2 } })
    expect(await again.message()).toMatchObject({ id: 5, result: { content: [{ text: 'done' }] } })
    expect((await received(again)).messages).toEqual([])
    expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0, inFlight: 0 })
    expect(clock.armed()).toBe(0)
  })

  test('SE-13 an answer that came while nobody read is found later', async () => {
    const { server, work } = stepping()
    const client = await rig(server, { events: memoryEvents() }).open()
    const stream = new Reader(await call(client, 'steps', 5))
    const primed = await nextId(stream)
    await stream.leave()
    work.open()
    await settle()
    const { messages, ids } = await received(new Reader(await resume(client, primed)))
    expect(messages).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { id: 5, result: {} },
    ])
    expect(new Set(ids).size).toBe(3)
    const rest = await received(new Reader(await resume(client, ids[1] ?? '')))
    expect(rest.messages).toMatchObject([{ id: 5, result: {} }])
  })

  test('LH-20 only the same stream, and only what followed', async () => {
    const { server, work } = stepping()
    const client = await rig(server, { events: memoryEvents() }).open()
    const [one, two] = [
      new Reader(await call(client, 'steps', 1)),
      new Reader(await call(client, 'steps', 2)),
    ]
    await nextId(one)
    const seen = await nextId(one)
    await one.leave()
    work.open()
    await received(two)
    const { messages } = await received(new Reader(await resume(client, seen)))
    expect(messages).toMatchObject([{ params: { progressToken: 1, progress: 2 } }, { id: 1 }])
  })

  test('a client that comes back before we know that it left takes its stream over', async () => {
    const { server, work } = stepping()
    const client = await rig(server, { events: memoryEvents() }).open()
    const first = new Reader(await call(client, 'steps', 1))
    const primed = await nextId(first)
    const second = new Reader(await resume(client, primed))
    const third = new Reader(await resume(client, primed))
    work.open()
    const last = await received(third)
    expect(last.messages.map((message) => message['id'] ?? 'progress')).toEqual([
      'progress',
      'progress',
      1,
    ])
    expect((await received(first)).messages.some((message) => 'id' in message)).toBe(false)
    expect((await received(second)).messages.some((message) => 'id' in message)).toBe(false)
  })

  test('LH-22 closeStream: retry, the end, and the rest on a GET', async () => {
    const { server, work } = stepping()
    const { open, handler } = rig(server, { events: memoryEvents() })
    const client = await open()
    const pieces = await new Reader(await call(client, 'poll', 3)).rest()
    expect(pieces.map(({ kind }) => kind)).toEqual(['event', 'retry'])
    const [primed, retry] = pieces
    expect(retry).toEqual({ kind: 'retry', ms: 1_000 })
    if (primed?.kind !== 'event' || primed.id === undefined) throw new Error('not primed')
    expect(handler.stats().inFlight).toBe(1)
    const again = new Reader(await resume(client, primed.id))
    work.open()
    expect(await again.message()).toMatchObject({ params: { progress: 1 } })
    expect(await again.message()).toMatchObject({
      id: 3,
      result: { content: [{ text: 'polled' }] },
    })
    expect((await received(again)).messages).toEqual([])
  })

  test('closeStream hangs up on a connection that resumed, too', async () => {
    const { server } = quiet()
    const [first, second] = [gate(), gate()]
    server.tool('poll', {}, async (_input, ctx) => {
      ctx.closeStream()
      await first.passed
      ctx.closeStream()
      await second.passed
      return 'polled'
    })
    const client = await rig(server, { events: memoryEvents() }).open()
    const primed = await nextId(new Reader(await call(client, 'poll')))
    const again = new Reader(await resume(client, primed))
    first.open()
    expect((await again.rest()).map(({ kind }) => kind)).toEqual(['comment', 'retry'])
    second.open()
    const { messages } = await received(new Reader(await resume(client, primed)))
    expect(messages).toMatchObject([{ result: { content: [{ text: 'polled' }] } }])
  })

  test('closeStream does nothing where nobody would come back', async () => {
    const { server, work } = stepping()
    work.open()
    const without = await rig(server).open()
    expect((await without.tool('poll')).result).toMatchObject({ content: [{ text: 'polled' }] })
    const old = await rig(server, { events: memoryEvents() }).open({ revision: '2025-06-18' })
    expect((await old.tool('poll')).result).toMatchObject({ content: [{ text: 'polled' }] })
    const json = await rig(server, { events: memoryEvents(), responses: 'json' }).open()
    expect((await json.tool('poll')).result).toMatchObject({ content: [{ text: 'polled' }] })
  })

  test('a GET stream goes on from its last event', async () => {
    const { server } = stepping()
    const { open, handler } = rig(server, { events: memoryEvents() })
    const client = await open()
    const stream = new Reader(await client.get())
    const primed = await nextId(stream)
    await handler.notify().toolsChanged()
    await handler.notify().promptsChanged()
    const again = new Reader(await resume(client, primed))
    expect(await again.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(await again.message()).toMatchObject({ method: 'notifications/prompts/list_changed' })
    await handler.notify().resourcesChanged()
    expect(await again.message()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await again.leave()
    await stream.leave()
  })

  test('a cancelled call ends its kept stream without an answer', async () => {
    const { server, work } = stepping()
    const client = await rig(server, { events: memoryEvents() }).open()
    const stream = new Reader(await call(client, 'steps', 1))
    const primed = await nextId(stream)
    await client.notify('notifications/cancelled', { requestId: 1 })
    work.open()
    expect((await received(stream)).messages).toHaveLength(1)
    const { messages } = await received(new Reader(await resume(client, primed)))
    expect(messages).toMatchObject([{ params: { progress: 1 } }])
  })

  test('a question is found again, and its answer counts', async () => {
    const { server } = quiet()
    server.tool('alive', {}, async (_input, ctx) => {
      await ctx.ping()
      return 'alive'
    })
    const client = await rig(server, { events: memoryEvents() }).open()
    const stream = new Reader(await call(client, 'alive'))
    const primed = await nextId(stream)
    await stream.leave()
    const again = new Reader(await resume(client, primed))
    const ping = await again.message()
    expect(ping).toMatchObject({ method: 'ping' })
    await client.answer(ping['id'], {})
    expect(await again.message()).toMatchObject({ result: { content: [{ text: 'alive' }] } })
  })
})

describe('bad ids', () => {
  test('unknown and malformed ones are 400 -32600', async () => {
    const { server, work } = stepping()
    work.open()
    const { open, handler } = rig(server, { events: memoryEvents() })
    const client = await open()
    const { ids } = await received(new Reader(await call(client, 'steps')))
    const known = ids[0] ?? ''
    for (const id of ['x', '', '0', `${known}9`, '__proto__', 'get.1', 'x'.repeat(5_000)]) {
      const answer = await read(await resume(client, id))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
    }
    expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0 })
  })

  test('SE-11 every id of one session is unknown in another', async () => {
    const { server, work } = stepping()
    work.open()
    const { open, handler } = rig(server, { events: memoryEvents() })
    const [one, two] = [await open(), await open()]
    const [oneGet, twoGet] = [new Reader(await one.get()), new Reader(await two.get())]
    const oneIds = [await nextId(oneGet)]
    const twoIds = [await nextId(twoGet)]
    await handler.notify().toolsChanged()
    oneIds.push(await nextId(oneGet))
    twoIds.push(await nextId(twoGet))
    for (const [client, ids] of [
      [one, oneIds],
      [two, twoIds],
    ] as const) {
      const { ids: own } = await received(new Reader(await call(client, 'steps')))
      ids.push(...own)
    }
    for (const id of oneIds) {
      const answer = await read(await resume(two, id))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
    }
    for (const id of twoIds) expect((await resume(one, id)).status).toBe(400)
    expect((await resume(one, oneIds[0] ?? '')).status).toBe(200)
    await Promise.all([one.delete(), two.delete()])
  })

  test('after DELETE nothing is left to go on from', async () => {
    const { server, work } = stepping()
    work.open()
    const events = memoryEvents()
    const client = await rig(server, { events }).open()
    const { ids } = await received(new Reader(await call(client, 'steps')))
    await client.delete()
    expect((await resume(client, ids[0] ?? '')).status).toBe(404)
    expect(await events.replay(client.id, ids[0] ?? '', () => undefined)).toBe('unknown')
  })
})

describe('SS-13 a store that answers later', () => {
  /** Every operation of the log waits for a moment of its own. */
  function lagging(turns: () => number): EventStore {
    const memory = memoryEvents()
    const later = async <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
      for (let turn = turns(); turn > 0; turn -= 1) await settle()
      return work()
    }
    return {
      append: (event) => later(() => memory.append(event)),
      replay: (...args) => later(() => memory.replay(...args)),
      delete: (session) => later(() => memory.delete(session)),
    }
  }

  test.each(Array.from({ length: 12 }, (_, index) => index))(
    'each event once and in order, whenever the answer comes (%i)',
    async (moment) => {
      const { server } = quiet()
      server.tool('busy', {}, async (_input, ctx) => {
        for (let step = 1; step <= 8; step += 1) {
          void ctx.progress(step)
          if (step % 2 === 0) await settle()
        }
        return 'done'
      })
      let turn = moment
      const events = lagging(() => (turn = (turn + 1) % 3))
      const { open, handler, clock } = rig(server, { events })
      const client = await open()
      const stream = new Reader(await call(client, 'busy', 9))
      const primed = await nextId(stream)
      for (let wait = 0; wait < moment; wait += 1) await settle()
      const { ids, messages } = await received(new Reader(await resume(client, primed)))
      expect(new Set(ids).size).toBe(ids.length)
      expect(
        messages.map(({ params, id }) => (params as { progress?: number })?.progress ?? id),
      ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      await received(stream)
      await settle()
      expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0, inFlight: 0 })
      expect(clock.armed()).toBe(0)
    },
  )

  test('a store that fails costs ids, not messages', async () => {
    const { server, work, reported } = stepping()
    work.open()
    const failing = async (): Promise<never> => {
      throw new Error('disk full')
    }
    const events: EventStore = { append: failing, replay: failing, delete: failing }
    const client = await rig(server, { events }).open()
    const { ids, messages } = await received(new Reader(await call(client, 'steps')))
    expect(ids).toEqual([])
    expect(messages).toMatchObject([{}, {}, { id: 1, result: {} }])
    expect(reported.length).toBeGreaterThan(0)
    expect((await resume(client, 'x')).status).toBe(500)
    expect((await client.ask('ping')).result).toEqual({})
  })

  test('one that throws at once, too', async () => {
    const { server, work } = stepping()
    work.open()
    const failing = (): never => {
      throw new Error('disk full')
    }
    const events: EventStore = { append: failing, replay: failing, delete: failing }
    const client = await rig(server, { events }).open()
    const { messages } = await received(new Reader(await call(client, 'steps')))
    expect(messages).toMatchObject([{}, {}, { id: 1, result: {} }])
  })
})

describe('two handlers that share everything', () => {
  test('a stream that began at one goes on at the other while the call runs', async () => {
    const { server, work } = stepping()
    const clock = fakeClock()
    const shared = {
      clock,
      bus: memoryBus(),
      sessions: memorySessions({ clock }),
      events: memoryEvents({ clock }),
    }
    const [a, b] = [rig(server, shared), rig(server, shared)]
    const client = await a.open()
    const stream = new Reader(await call(client, 'steps', 6))
    const primed = await nextId(stream)
    const again = new Reader(await resume(client.at(b.handler), primed))
    work.open()
    const { messages, ids } = await received(again)
    expect(messages).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { id: 6, result: {} },
    ])
    expect(new Set(ids).size).toBe(3)
    await received(stream)
    for (const { handler } of [a, b]) {
      expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0, inFlight: 0 })
    }
    expect(clock.armed()).toBe(0)
  })
})
