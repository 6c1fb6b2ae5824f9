/**
 * The contract of session stores, as cases for any test runner.
 *
 * @module
 */
import { isMcpError } from '../protocol/errors.ts'
import { LATEST_LEGACY_REVISION } from '../protocol/versions.ts'
import type { Awaitable } from '../shared/fetch.ts'
import type { SessionInit, SessionRecord, SessionStore } from '../stores/session-store.ts'
import { eventually, expectRefusal, expectSame, expectThat } from './contract.ts'
import type { ContractCase } from './contract.ts'

/** Bounds of a store under test; undefined means whatever the store does by itself. */
export interface SessionStoreBounds {
  readonly max?: number | undefined
  readonly idleTimeoutMs?: number | undefined
}

/** How to get at the store under test. */
export interface SessionStoreSubject {
  /**
   * Makes an empty store; called anew by each case. A store that is not mutable takes
   * `idleTimeoutMs` for the whole life of a session.
   */
  readonly create: (bounds: SessionStoreBounds) => Awaitable<SessionStore>
  /** Lets time pass for the store; without it, the cases about expiry are left out. */
  readonly advance?: ((ms: number) => Awaitable<void>) | undefined
  /** The store holds no more than `max`; without it, the case about a full store is left out. Default true. */
  readonly bounded?: boolean | undefined
}

const INIT: SessionInit = {
  revision: LATEST_LEGACY_REVISION,
  clientInfo: { name: 'contract', version: '1' },
  capabilities: { roots: {} },
  owner: 'somebody',
  origin: 'https://app.example',
}

const IDLE_MS = 60_000

/**
 * The contract of session stores. Run every case; each makes a store of its own.
 *
 * @param subject how to get at the store under test
 */
export function sessionStoreContract(subject: SessionStoreSubject): readonly ContractCase[] {
  return [
    ...identityCases(subject),
    ...mutationCases(subject),
    ...mailCases(subject),
    ...(subject.bounded === false ? [] : [fullCase(subject)]),
    ...(subject.advance === undefined ? [] : expiryCases(subject, subject.advance)),
  ]
}

async function open(store: SessionStore, init: SessionInit = INIT): Promise<SessionRecord> {
  const record = await store.create(init)
  expectThat(record !== 'full', 'an empty store has room')
  return record
}

function identityCases({ create }: SessionStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'a session is found as it was made',
      async run() {
        const store = await create({})
        const record = await open(store)
        const { revision, clientInfo, capabilities, owner, origin } = record
        expectSame({ revision, clientInfo, capabilities, owner, origin }, INIT, 'the record')
        expectSame([record.initialized, record.uris], [false, []], 'a fresh session')
        expectSame(await store.get(record.id), record, 'what get finds')
        expectSame(
          await store.get(record.id, { owner: INIT.owner }),
          record,
          'what its owner finds',
        )
      },
    },
    {
      name: 'LH-05 ids are visible ASCII and never repeat',
      async run() {
        const store = await create({})
        const ids = new Set<string>()
        for (let count = 0; count < 20; count += 1) ids.add((await open(store)).id)
        expectSame(ids.size, 20, 'the number of different ids')
        for (const id of ids)
          expectThat(/^[!-~]{16,}$/.test(id), `${id} is visible ASCII and hard to guess`)
      },
    },
    {
      name: 'ids that are unknown, forged or names of a prototype are unknown',
      async run() {
        const store = await create({})
        const { id } = await open(store)
        const foreign = [`${id}x`, id.slice(1), '', '__proto__', 'constructor', 'toString']
        for (const other of foreign) {
          expectSame(await store.get(other), undefined, `the session '${other}'`)
          expectSame(await store.delete(other), false, `deleting '${other}'`)
        }
      },
    },
    {
      name: 'LH-09 a deleted session is unknown, the others stay',
      async run() {
        const store = await create({})
        const [gone, stays] = [await open(store), await open(store)]
        if (!(await ends(store, gone.id))) return
        expectSame(await store.get(gone.id), undefined, 'the deleted session')
        expectSame(await store.delete(gone.id), false, 'deleting again')
        expectSame((await store.get(stays.id))?.id, stays.id, 'the other session')
      },
    },
  ]
}

/** Ends a session; a store that cannot change one may refuse. */
async function ends(store: SessionStore, id: string): Promise<boolean> {
  try {
    expectSame(await store.delete(id), true, 'deleting')
    return true
  } catch (refusal) {
    expectThat(!store.traits.mutable && isMcpError(refusal), 'a session can be ended')
    return false
  }
}

function mutationCases({ create }: SessionStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'updates hold, also two at once; without the trait they are refused',
      async run() {
        const store = await create({})
        const { id } = await open(store)
        if (!store.traits.mutable) {
          const refusal = await expectRefusal(
            () => store.update(id, { logLevel: 'info' }),
            'update',
          )
          expectThat(isMcpError(refusal), 'the refusal is an error for the peer')
          return
        }
        await Promise.all([
          store.update(id, { initialized: true, logLevel: 'warning' }),
          store.update(id, { subscribe: 'a://1' }),
          store.update(id, { subscribe: 'a://2' }),
          store.update(id, { subscribe: 'a://1' }),
        ])
        const record = await store.update(id, { unsubscribe: 'a://2' })
        expectSame(record?.uris, ['a://1'], 'the subscriptions')
        const found = await store.get(id)
        expectSame([found?.initialized, found?.logLevel], [true, 'warning'], 'the updates')
        expectSame(await store.update('unknown', {}), undefined, 'updating an unknown session')
      },
    },
    {
      name: 'LC-13 an update of one session leaves the others alone',
      async run() {
        const store = await create({})
        if (!store.traits.mutable) return
        const [changed, other] = [await open(store), await open(store)]
        await store.update(changed.id, { logLevel: 'error', subscribe: 'a://1' })
        const { logLevel, uris } = (await store.get(other.id)) ?? {}
        expectSame([logLevel, uris], [undefined, []], 'the other session')
      },
    },
  ]
}

function mailCases({ create }: SessionStoreSubject): readonly ContractCase[] {
  return [
    {
      name: 'mail reaches the session and nobody else; without the trait there is none',
      async run() {
        const store = await create({})
        expectSame(store.mail !== undefined, store.traits.mail, 'whether there is mail')
        if (store.mail === undefined) return
        const [mine, other] = [await open(store), await open(store)]
        const stop = new AbortController()
        const inbox: string[] = []
        const otherInbox: string[] = []
        await store.mail.receive(mine.id, (message) => inbox.push(message), stop.signal)
        await store.mail.receive(other.id, (message) => otherInbox.push(message), stop.signal)
        await store.mail.send(mine.id, 'one')
        await store.mail.send(mine.id, 'two')
        await eventually(() => inbox.length === 2, 'both messages arrive')
        expectSame([inbox, otherInbox], [['one', 'two'], []], 'the inboxes')
        stop.abort()
        await store.mail.send(mine.id, 'three')
        expectSame(inbox.length, 2, 'the mail after the end')
      },
    },
  ]
}

function fullCase({ create }: SessionStoreSubject): ContractCase {
  return {
    name: 'LH-31 a full store says so, and has room again after a deletion',
    async run() {
      const store = await create({ max: 2 })
      const first = await open(store)
      const second = await open(store)
      expectSame(await store.create(INIT), 'full', 'the answer of a full store')
      expectSame((await store.get(second.id))?.id, second.id, 'a live session')
      await store.delete(first.id)
      await open(store)
    },
  }
}

function expiryCases(
  { create, bounded }: SessionStoreSubject,
  advance: (ms: number) => Awaitable<void>,
): readonly ContractCase[] {
  const slides: ContractCase = {
    name: 'LH-30 a session expires when nobody has read it for the idle time, or a fixed time after its making',
    async run() {
      const store = await create({ idleTimeoutMs: IDLE_MS })
      const { id } = await open(store)
      const reading = store.traits.mutable ? 3 : 1
      for (let reads = 0; reads < reading; reads += 1) {
        await advance(IDLE_MS * 0.8)
        expectSame((await store.get(id))?.id, id, 'a session in use')
      }
      await advance(IDLE_MS + 1)
      expectSame(await store.get(id), undefined, 'a session nobody used')
      expectSame(await store.delete(id), false, 'deleting an expired session')
    },
  }
  const reclaims: ContractCase = {
    name: 'LH-31 expired sessions make room, live ones do not',
    async run() {
      const store = await create({ max: 2, idleTimeoutMs: IDLE_MS })
      const used = await open(store)
      await open(store)
      await advance(IDLE_MS * 0.8)
      await store.get(used.id)
      await advance(IDLE_MS * 0.4)
      await open(store)
      expectSame((await store.get(used.id))?.id, used.id, 'the session in use')
      expectSame(await store.create(INIT), 'full', 'the answer of a full store')
    },
  }
  return bounded === false ? [slides] : [slides, reclaims]
}
