import { InvalidRequestError } from 'mcp-edge/protocol'
import { memoryBus, memoryEvents, memorySessions } from 'mcp-edge/stores'
import type { Bus, EventStore, SessionStore } from 'mcp-edge/stores'
import { busContract, eventStoreContract, sessionStoreContract } from 'mcp-edge/testing'
import type { ContractCase } from 'mcp-edge/testing'
import { describe, expect, test } from 'vitest'

/** The names of the cases that an implementation breaks. */
async function broken(cases: readonly ContractCase[]): Promise<string> {
  const names: string[] = []
  for (const { name, run } of cases) await run().catch(() => names.push(name))
  return names.join('\n')
}

describe('sessionStoreContract', () => {
  const subject = (change: (store: SessionStore) => Partial<SessionStore>) =>
    sessionStoreContract({
      create: (bounds) => {
        const store = memorySessions(bounds)
        const bound: SessionStore = {
          traits: store.traits,
          create: (init) => store.create(init),
          get: (id) => store.get(id),
          update: (id, patch) => store.update(id, patch),
          delete: (id) => store.delete(id),
        }
        return { ...bound, ...change(store) }
      },
    })

  test('accepts a store that refuses what it cannot do', async () => {
    const cases = subject(({ traits }) => ({
      traits: { ...traits, mutable: false },
      update: () => Promise.reject(new InvalidRequestError('This server keeps no session state')),
    }))
    expect(await broken(cases)).toBe('')
  })

  test.each<[string, (store: SessionStore) => Partial<SessionStore>, RegExp]>([
    [
      'ignores updates in silence',
      ({ traits }) => ({ traits: { ...traits, mutable: false } }),
      /^updates hold/m,
    ],
    ['loses updates', (store) => ({ update: (id) => store.get(id) }), /^updates hold/m],
    ['promises mail', ({ traits }) => ({ traits: { ...traits, mail: true } }), /^mail reaches/m],
    ['deletes nothing', () => ({ delete: () => true }), /^LH-09/m],
    ['finds nothing', () => ({ get: () => undefined }), /^a session is found/m],
  ])('catches a store that %s', async (_case, change, expected) => {
    expect(await broken(subject(change))).toMatch(expected)
  })

  test('catches a store without bounds', async () => {
    const cases = sessionStoreContract({ create: () => memorySessions({ max: null }) })
    expect(await broken(cases)).toMatch(/^LH-31/m)
  })

  test('catches a store where nothing expires', async () => {
    const cases = sessionStoreContract({ create: () => memorySessions(), advance: () => {} })
    expect(await broken(cases)).toMatch(/^LH-30/m)
  })
})

describe('eventStoreContract', () => {
  test('SE-11 catches a store that all sessions share', async () => {
    const cases = eventStoreContract({
      create: (bounds) => {
        const store = memoryEvents(bounds)
        const shared: EventStore = {
          append: (event) => store.append({ ...event, session: 'all' }),
          replay: (_session, id, deliver) => store.replay('all', id, deliver),
          delete: () => store.delete('all'),
        }
        return shared
      },
    })
    expect(await broken(cases)).toMatch(/^SE-11/m)
  })

  test('SE-13 catches a store that drops answers', async () => {
    const cases = eventStoreContract({
      create: (bounds) => {
        const store = memoryEvents(bounds)
        const forgetful: EventStore = {
          append: ({ session, stream, data }) => store.append({ session, stream, data }),
          replay: (session, id, deliver) => store.replay(session, id, deliver),
          delete: (session) => store.delete(session),
        }
        return forgetful
      },
    })
    expect(await broken(cases)).toMatch(/^SE-13 other events go before/m)
  })
})

describe('busContract', () => {
  test.each<[string, (bus: Bus) => Bus, RegExp]>([
    [
      'tells everybody everything',
      (bus) => ({
        publish: (event) => bus.publish({ ...event, topic: 'all' }),
        subscribe: (_topics, deliver, signal) => bus.subscribe(['all'], deliver, signal),
      }),
      /^an event reaches/m,
    ],
    [
      'never stops',
      (bus) => ({
        publish: (event) => bus.publish(event),
        subscribe: (topics, deliver) =>
          bus.subscribe(topics, deliver, new AbortController().signal),
      }),
      /^nothing is delivered after/m,
    ],
  ])('catches a bus that %s', async (_case, wrap, expected) => {
    expect(await broken(busContract({ create: () => wrap(memoryBus()) }))).toMatch(expected)
  })
})
