/**
 * The contract of event stores, as cases for any test runner.
 *
 * @module
 */
import type { Awaitable } from '../shared/fetch.ts'
import type { EventStore, Replay } from '../stores/event-store.ts'
import { expectSame, expectThat } from './contract.ts'
import type { ContractCase } from './contract.ts'

/** Bounds of a store under test; undefined means whatever the store does by itself. */
export interface EventStoreBounds {
  readonly maxEvents?: number | undefined
  readonly maxAgeMs?: number | undefined
}

/** How to get at the store under test. */
export interface EventStoreSubject {
  /** Makes an empty store; called anew by each case. */
  readonly create: (bounds: EventStoreBounds) => Awaitable<EventStore>
  /** Lets time pass for the store; without it, the case about age is left out. */
  readonly advance?: ((ms: number) => Awaitable<void>) | undefined
}

interface Replayed {
  readonly outcome: Replay | 'unknown'
  readonly data: readonly string[]
  readonly ids: readonly string[]
}

const AGE_MS = 60_000

/**
 * The contract of event stores. Run every case; each makes a store of its own.
 *
 * @param subject how to get at the store under test
 */
export function eventStoreContract(subject: EventStoreSubject): readonly ContractCase[] {
  return [
    ...replayCases(subject),
    ...isolationCases(subject),
    ...boundCases(subject),
    ...(subject.advance === undefined ? [] : [ageCase(subject, subject.advance)]),
  ]
}

async function replay(store: EventStore, session: string, from: string): Promise<Replayed> {
  const data: string[] = []
  const ids: string[] = []
  const outcome = await store.replay(session, from, (id, text) => {
    ids.push(id)
    data.push(text)
  })
  return { outcome, data, ids }
}

function replayCases({ create }: EventStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'LH-20 a replay delivers what followed on the same stream, in order',
      async run() {
        const store = await create({})
        const first = await store.append({ session: 's', stream: 'a', data: '' })
        await store.append({ session: 's', stream: 'b', data: 'b1' })
        const second = await store.append({ session: 's', stream: 'a', data: 'a1' })
        const third = await store.append({ session: 's', stream: 'a', data: 'a2' })
        const { outcome, data, ids } = await replay(store, 's', first)
        expectSame(outcome, { stream: 'a', ended: false }, 'the outcome')
        expectSame(
          [data, ids],
          [
            ['a1', 'a2'],
            [second, third],
          ],
          'what is delivered',
        )
        expectSame((await replay(store, 's', third)).data, [], 'what follows the last event')
      },
    },
    {
      name: 'LH-20 ids are unique over the streams of a session, and visible ASCII',
      async run() {
        const store = await create({})
        const ids = new Set<string>()
        for (let count = 0; count < 20; count += 1)
          ids.add(await store.append({ session: 's', stream: `s${count % 3}`, data: 'x' }))
        expectSame(ids.size, 20, 'the number of different ids')
        for (const id of ids) expectThat(/^[!-~]+$/.test(id), `${id} is visible ASCII`)
      },
    },
    {
      name: 'SE-13 the final event is delivered and ends the stream',
      async run() {
        const store = await create({})
        const first = await store.append({ session: 's', stream: 'a', data: '' })
        const last = await store.append({ session: 's', stream: 'a', data: 'end', final: true })
        const { outcome, data } = await replay(store, 's', first)
        expectSame([outcome, data], [{ stream: 'a', ended: true }, ['end']], 'the replay')
        const again = await replay(store, 's', last)
        expectSame([again.outcome, again.data], [{ stream: 'a', ended: true }, []], 'one more')
      },
    },
  ]
}

function isolationCases({ create }: EventStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'SE-11 an id of another session is unknown, and its events are never delivered',
      async run() {
        const store = await create({})
        const mine = await store.append({ session: 'a', stream: 'get', data: 'a1' })
        const foreign = await store.append({ session: 'b', stream: 'get', data: 'b1' })
        await store.append({ session: 'b', stream: 'get', data: 'b2' })
        await store.append({ session: 'a', stream: 'get', data: 'a2' })
        expectSame((await replay(store, 'a', foreign)).outcome, 'unknown', 'the foreign id')
        expectSame((await replay(store, 'a', mine)).data, ['a2'], 'the own events')
      },
    },
    {
      name: 'ids that were never issued are unknown',
      async run() {
        const store = await create({})
        const id = await store.append({ session: 's', stream: 'a', data: 'x' })
        const forged = [
          '',
          '0',
          `${id}0`,
          `${id}x`,
          '__proto__',
          'a.',
          'a.__proto__',
          '.1',
          'a.1e3',
        ]
        for (const other of forged)
          expectSame((await replay(store, 's', other)).outcome, 'unknown', `the id '${other}'`)
        expectSame((await replay(store, 'nobody', id)).outcome, 'unknown', 'an unknown session')
      },
    },
    {
      name: 'a deleted session is forgotten, the others stay',
      async run() {
        const store = await create({})
        const gone = await store.append({ session: 'a', stream: 's', data: 'x' })
        const stays = await store.append({ session: 'b', stream: 's', data: 'x' })
        await store.delete('a')
        await store.delete('a')
        expectSame((await replay(store, 'a', gone)).outcome, 'unknown', 'the deleted session')
        expectSame((await replay(store, 'b', stays)).data, [], 'the other session')
      },
    },
  ]
}

function boundCases({ create }: EventStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'what followed and is no longer kept makes an id unknown',
      async run() {
        const store = await create({ maxEvents: 3 })
        const ids: string[] = []
        for (let count = 0; count < 6; count += 1)
          ids.push(await store.append({ session: 's', stream: 'a', data: `${count}` }))
        expectSame((await replay(store, 's', ids[0] ?? '')).outcome, 'unknown', 'a gap')
        expectSame((await replay(store, 's', ids[3] ?? '')).data, ['4', '5'], 'no gap')
      },
    },
    {
      name: 'SE-13 other events go before a final one that nobody has seen',
      async run() {
        const store = await create({ maxEvents: 3 })
        const first = await store.append({ session: 's', stream: 'call', data: '' })
        await store.append({ session: 's', stream: 'call', data: 'answer', final: true })
        for (let count = 0; count < 6; count += 1)
          await store.append({ session: 's', stream: 'get', data: `${count}` })
        const { outcome, data } = await replay(store, 's', first)
        expectSame([outcome, data], [{ stream: 'call', ended: true }, ['answer']], 'the answer')
      },
    },
  ]
}

function ageCase(
  { create }: EventStoreSubject,
  advance: (ms: number) => Awaitable<void>,
): ContractCase {
  return {
    name: 'what is too old is no longer kept, final events included',
    async run() {
      const store = await create({ maxAgeMs: AGE_MS })
      const first = await store.append({ session: 's', stream: 'a', data: '' })
      await store.append({ session: 's', stream: 'a', data: 'end', final: true })
      await advance(AGE_MS + 1)
      expectSame((await replay(store, 's', first)).outcome, 'unknown', 'an old id')
    },
  }
}
