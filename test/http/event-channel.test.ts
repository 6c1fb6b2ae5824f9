import { describe, expect, test } from 'vitest'
import {
  EventChannel,
  toEventFrame,
  type EventChannelOptions,
} from '../../src/http/event-channel.ts'
import { SseStream } from '../../src/http/sse-stream.ts'
import { EVENT_PATIENCE_MS } from '../../src/protocol/limits.ts'
import type { StreamEvent } from '../../src/stores/event-store.ts'
import { fakeClock, settle } from '../support/index.ts'
import { gate } from './served.ts'
import { textOf } from './session-parts.ts'

/** A channel, what it kept, and what it told and reported. */
function channel(options: Partial<EventChannelOptions> = {}) {
  const clock = fakeClock()
  const settings = { clock, keepaliveMs: Infinity, streamBytes: 60, encoder: new TextEncoder() }
  const connection = new SseStream(settings, () => undefined)
  const kept: StreamEvent[] = []
  const told: unknown[] = []
  const reported: unknown[] = []
  const append = (event: StreamEvent): string => `id-${kept.push(event)}`
  const made = new EventChannel(
    {
      clock,
      events: { append, replay: () => 'unknown', delete: () => undefined },
      session: 's',
      stream: 'x',
      tell: (message) => void told.push(message),
      report: (error) => void reported.push(error),
      ...options,
    },
    connection,
  )
  return { clock, connection, channel: made, kept, told, reported }
}

/** A store that keeps an event as `keep` says. */
function storing(keep: (event: StreamEvent) => string | Promise<string>) {
  return { events: { append: keep, replay: () => 'unknown' as const, delete: () => undefined } }
}

describe('EventChannel', () => {
  test('keeps each event before it sends it, and the last one ends the connection', async () => {
    const { channel: made, connection, kept } = channel({ owes: 7 })
    made.prime()
    expect(made.offer('"a"')).toBeUndefined()
    expect(made.finish('"b"')).toBeUndefined()
    expect(kept).toEqual([
      { session: 's', stream: 'x', data: '', final: false, owes: 7 },
      { session: 's', stream: 'x', data: '"a"', final: false, owes: undefined },
      { session: 's', stream: 'x', data: '"b"', final: true, owes: undefined },
    ])
    expect(await textOf(connection)).toBe(
      'id: id-1\ndata: \n\nevent: message\nid: id-2\ndata: "a"\n\nevent: message\nid: id-3\ndata: "b"\n\n',
    )
  })

  test('the order holds however long the store takes for one of them', async () => {
    const slow = gate()
    let count = 0
    const { channel: made, connection } = channel(
      storing(async () => {
        count += 1
        const id = String(count)
        if (count === 1) await slow.passed
        return id
      }),
    )
    void made.offer('1')
    void made.offer('2')
    const finished = made.finish('3')
    slow.open()
    await finished
    const text = await textOf(connection)
    expect([...text.matchAll(/data: (\d)/g)].map(([, data]) => data)).toEqual(['1', '2', '3'])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('a store that %s costs the id, not the delivery', async (_, keep) => {
    const { channel: made, connection, reported } = channel(storing(keep))
    await made.offer('1')
    await made.finish('2')
    expect(await textOf(connection)).toBe('event: message\ndata: 1\n\nevent: message\ndata: 2\n\n')
    expect(reported.map(String)).toEqual(['Error: full', 'Error: full'])
  })

  test('neither does one that never answers hold it up for ever', async () => {
    const {
      channel: made,
      connection,
      clock,
      reported,
    } = channel(storing(() => new Promise(() => undefined)))
    const finished = made.finish('1')
    await clock.advance(EVENT_PATIENCE_MS)
    await finished
    expect(await textOf(connection)).toBe('event: message\ndata: 1\n\n')
    expect(String(reported[0])).toContain('takes too long')
    expect(clock.armed()).toBe(0)
  })

  test('what is said while nobody here carries the stream is told to whoever does', () => {
    const { channel: made, told } = channel()
    made.detach()
    void made.offer('1')
    made.hangUp()
    void made.finish('2')
    expect(told).toEqual([
      { kind: 'event', stream: 'x', id: 'id-1', data: '1', final: false },
      { kind: 'hangup', stream: 'x' },
      { kind: 'event', stream: 'x', id: 'id-2', data: '2', final: true },
    ])
  })

  test('hanging up asks the client back after what was said before', async () => {
    const slow = gate()
    const { channel: made, connection } = channel(
      storing(async () => {
        await slow.passed
        return 'late'
      }),
    )
    void made.offer('1')
    made.hangUp()
    expect(connection.open).toBe(true)
    slow.open()
    expect(await textOf(connection)).toMatch(/^event: message\nid: late\ndata: 1\n\nretry: \d+\n/)
  })

  test('a reader too slow is sent away, and the event stays in the store', async () => {
    const { channel: made, connection, kept } = channel()
    expect(made.offer('1'.repeat(60))).toBeInstanceOf(Promise)
    expect(made.offer('2')).toBeUndefined()
    await settle()
    expect([kept.length, connection.open]).toEqual([2, false])
    expect(await textOf(connection)).not.toContain('data: 2')
  })

  test('with a store that answers later, too', async () => {
    let count = 0
    const { channel: made, connection } = channel(storing(async () => String((count += 1))))
    const offered = made.offer('1'.repeat(60))
    await made.offer('2')
    await offered
    expect([count, connection.open]).toEqual([2, false])
    expect(await textOf(connection)).not.toContain('data: 2')
  })
})

test.each([
  [{ id: 'i', data: '1', final: false }, 'event: message\nid: i\ndata: 1\n\n'],
  [{ id: 'i', data: '', final: true }, 'id: i\ndata: \n\n'],
  [{ data: '1', final: false }, 'event: message\ndata: 1\n\n'],
  [{ data: '', final: true }, ''],
])('%j is the text %j', (event, text) => {
  expect(toEventFrame(event)).toBe(text)
})
