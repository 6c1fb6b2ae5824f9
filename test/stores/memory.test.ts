import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBus, memoryEvents, memorySessions } from 'mcp-edge/stores'
import { busContract, eventStoreContract, sessionStoreContract } from 'mcp-edge/testing'
import { describe, expect, test } from 'vitest'

function manualClock(): { now: () => number; advance: (ms: number) => void } {
  let time = 1_000_000
  return {
    now: () => time,
    advance: (ms) => {
      time += ms
    },
  }
}

describe('memorySessions', () => {
  const clock = manualClock()
  const cases = sessionStoreContract({
    create: (bounds) => memorySessions({ ...bounds, clock }),
    advance: clock.advance,
  })
  test.each(cases)('$name', ({ run }) => run())

  test('every bound is a positive integer or null', () => {
    for (const bad of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => memorySessions({ max: bad })).toThrow(/^max must be a positive integer/)
      expect(() => memorySessions({ idleTimeoutMs: bad })).toThrow(/^idleTimeoutMs must be/)
    }
    expect(memorySessions({ max: null, idleTimeoutMs: null }).traits.mail).toBe(false)
  })

  test('a record that was handed out does not change', async () => {
    const store = memorySessions()
    const record = await store.create({
      revision: '2025-06-18',
      clientInfo: { name: 'c', version: '1' },
      capabilities: {},
    })
    if (record === 'full') throw new Error('no room')
    await store.update(record.id, { subscribe: 'a://1', initialized: true })
    expect([record.uris, record.initialized]).toEqual([[], false])
    expect(await store.size?.()).toBe(1)
  })

  test('an idle session takes at most half a KiB', async () => {
    const store = memorySessions({ max: null })
    const body = JSON.stringify({
      revision: '2025-11-25',
      clientInfo: { name: 'client', version: '1.0.0' },
      capabilities: { roots: { listChanged: true } },
    })
    const before = heapAfterCollection()
    for (let count = 0; count < 20_000; count += 1) await store.create(JSON.parse(body))
    const perSession = (heapAfterCollection() - before) / 20_000
    expect(await store.size?.()).toBe(20_000)
    expect(perSession).toBeLessThan(512)
  })
})

describe('memoryEvents', () => {
  const clock = manualClock()
  const cases = eventStoreContract({
    create: (bounds) => memoryEvents({ ...bounds, clock }),
    advance: clock.advance,
  })
  test.each(cases)('$name', ({ run }) => run())

  test('the bytes of one session are bounded, its unseen answers last', async () => {
    const store = memoryEvents({ maxSessionBytes: 1_000, clock })
    const first = await store.append({ session: 's', stream: 'call', data: '' })
    await store.append({ session: 's', stream: 'call', data: 'a'.repeat(300), final: true })
    await store.append({ session: 's', stream: 'get', data: 'b'.repeat(300) })
    const heard: string[] = []
    expect(await store.replay('s', first, (_id, data) => heard.push(data))).toEqual({
      stream: 'call',
      ended: true,
    })
    expect(heard).toEqual(['a'.repeat(300)])
  })

  test('the bytes of all sessions are bounded: the one that grew least lately goes', async () => {
    const store = memoryEvents({ maxBytes: 1_000, clock })
    const quiet = await store.append({ session: 'quiet', stream: 's', data: 'x'.repeat(200) })
    const busy = await store.append({ session: 'busy', stream: 's', data: 'x'.repeat(200) })
    await store.append({ session: 'busy', stream: 's', data: 'x'.repeat(200) })
    expect(await store.replay('quiet', quiet, () => {})).toBe('unknown')
    expect(await store.replay('busy', busy, () => {})).toEqual({ stream: 's', ended: false })
  })

  test('sessions that ended without a word are forgotten with age', async () => {
    const store = memoryEvents({ maxAgeMs: 1_000, clock })
    const id = await store.append({ session: 'gone', stream: 's', data: 'x' })
    clock.advance(1_000)
    await store.append({ session: 'new', stream: 's', data: 'x' })
    expect(await store.replay('gone', id, () => {})).toBe('unknown')
  })

  test('an answer that was replayed is kept no longer than anything else', async () => {
    const store = memoryEvents({ maxEvents: 2, clock })
    const first = await store.append({ session: 's', stream: 'call', data: '' })
    await store.append({ session: 's', stream: 'call', data: 'answer', final: true })
    await store.replay('s', first, () => {})
    await store.append({ session: 's', stream: 'get', data: '1' })
    await store.append({ session: 's', stream: 'get', data: '2' })
    expect(await store.replay('s', first, () => {})).toBe('unknown')
  })

  test('every bound is a positive integer or null', () => {
    for (const name of ['maxEvents', 'maxSessionBytes', 'maxBytes', 'maxAgeMs'])
      expect(() => memoryEvents({ [name]: 0 })).toThrow(`${name} must be a positive integer`)
  })
})

describe('memoryBus', () => {
  test.each(busContract({ create: memoryBus }))('$name', ({ run }) => run())

  test('a subscriber that fails is reported to the publisher', async () => {
    const bus = memoryBus()
    const failure = new Error('broken')
    await bus.subscribe(
      ['t'],
      () => {
        throw failure
      },
      new AbortController().signal,
    )
    await expect(bus.publish({ topic: 't', data: 1 })).rejects.toMatchObject({ errors: [failure] })
  })
})

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
