/**
 * Sessions in Durable Objects, one for each, with mail between whoever serves them.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import { newRecord, readRecord, SessionIds } from 'mcp-edge/stores'
import type {
  SessionAsker,
  SessionInit,
  SessionMail,
  SessionPatch,
  SessionRecord,
  SessionStore,
  SessionTraits,
} from 'mcp-edge/stores'
import { namespaceFrom } from './bindings.ts'
import { MAX_SESSIONS_PER_PRINCIPAL, SESSION_IDLE_MS } from './limits.ts'
import { ask } from './object-call.ts'
import type { ObjectAddress } from './object-call.ts'
import { ObjectSocket } from './object-socket.ts'
import type { ObjectNamespace } from './types.ts'

/** How sessions are kept. */
export interface DurableObjectSessionsOptions {
  /**
   * Keys of the session ids, the newest first: 32 random bytes each, as base64url.
   *
   * @default one that is made once and kept in an object of the namespace, because sessions must work
   *   before anybody has set a secret
   */
  readonly keys?: readonly string[] | undefined
  /** Milliseconds after which an unused session ends; noted in steps of a tenth. @default 1800000, half an hour */
  readonly idleTimeoutMs?: number | undefined
  /** Milliseconds a session lasts at most. @default 86400000, a day */
  readonly maxAgeMs?: number | undefined
  /** Sessions of one principal; anonymous callers have no bound of their own. @default 1000; null for none */
  readonly maxPerPrincipal?: number | null | undefined
  /** @default the platform's */
  readonly clock?: { now(): number } | undefined
}

/**
 * Makes a session store of a binding to {@link McpSession}. An id that is forged, expired or somebody
 * else's is refused without touching an object. Its mail reaches every isolate that serves a session.
 *
 * @param namespace the binding
 * @param options keys, lifetimes and bounds
 * @throws {TypeError} if there is no binding, or a key is not a key
 */
export function durableObjectSessions(
  namespace: ObjectNamespace | undefined,
  options: DurableObjectSessionsOptions = {},
): SessionStore {
  return new DurableObjectSessions(
    namespaceFrom('durableObjectSessions', namespace, 'McpSession'),
    options,
  )
}

const TRAITS: SessionTraits = { mutable: true, consistent: true, mail: true }
const KEY_BYTES = 32
const KEY_OBJECT = 'mcp-edge/key'

class DurableObjectSessions implements SessionStore {
  readonly traits = TRAITS
  readonly mail: SessionMail
  readonly #namespace: ObjectNamespace
  readonly #options: DurableObjectSessionsOptions
  readonly #idleMs: number
  readonly #maxPerPrincipal: number | null
  #known: SessionIds | undefined

  constructor(namespace: ObjectNamespace, options: DurableObjectSessionsOptions) {
    const { keys, idleTimeoutMs, maxPerPrincipal } = options
    this.#namespace = namespace
    this.#options = options
    this.#idleMs = idleTimeoutMs ?? SESSION_IDLE_MS
    this.#maxPerPrincipal =
      maxPerPrincipal === undefined ? MAX_SESSIONS_PER_PRINCIPAL : maxPerPrincipal
    if (keys !== undefined) this.#known = this.#idsOf(keys)
    this.mail = {
      send: (id, message) => this.#send(id, message),
      receive: (id, deliver, signal) => this.#receive(id, deliver, signal),
    }
  }

  async create(init: SessionInit): Promise<SessionRecord | 'full'> {
    const { id, expiresAt } = await (await this.#ids()).create(init.owner)
    const now = this.#now()
    if (!(await this.#enrol(id, init.owner, now))) return 'full'
    const record = newRecord(init, now)
    const lifetime = { idleMs: this.#idleMs, expiresAt }
    await ask(this.#session(id), { path: '/create', body: { record, lifetime } })
    return { id, ...record, uris: [] }
  }

  async get(id: string, asker?: SessionAsker): Promise<SessionRecord | undefined> {
    if (!(await this.#isGenuine(id, asker))) return undefined
    return this.#read(id, await ask(this.#session(id), { path: '/get', body: {} }))
  }

  async update(id: string, patch: SessionPatch): Promise<SessionRecord | undefined> {
    if (!(await this.#isGenuine(id))) return undefined
    return this.#read(id, await ask(this.#session(id), { path: '/update', body: { patch } }))
  }

  async delete(id: string): Promise<boolean> {
    if (!(await this.#isGenuine(id))) return false
    const { deleted, owner } = await ask(this.#session(id), { path: '/delete', body: {} })
    if (deleted !== true) return false
    if (typeof owner === 'string') await this.#tellPrincipal(owner, '/leave', { id })
    return true
  }

  async #send(id: string, message: string): Promise<void> {
    if (!(await this.#isGenuine(id))) return
    const body = { message, key: crypto.randomUUID() }
    await ask(this.#session(id), { path: '/send', body })
  }

  async #receive(
    id: string,
    deliver: (message: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted || !(await this.#isGenuine(id))) return
    let after: number | null = null
    const socket = new ObjectSocket({
      address: this.#session(id),
      path: '/mail',
      hello: () => ({ after }),
      receive: ({ ready, seq, message }) => {
        if (typeof ready === 'number') after ??= ready
        if (typeof seq !== 'number' || typeof message !== 'string') return
        if (after !== null && seq <= after) return
        after = seq
        deliver(message)
      },
      signal,
    })
    await socket.open()
  }

  async #read(
    id: string,
    { session }: Record<string, unknown>,
  ): Promise<SessionRecord | undefined> {
    if (!isRecord(session)) return undefined
    const { record, uris, touched } = session
    const found = readRecord(id, record, Array.isArray(uris) ? uris.map(String) : [])
    if (touched === true && found?.owner !== undefined) {
      const until = this.#now() + this.#idleMs
      await this.#tellPrincipal(found.owner, '/renew', { id, until })
    }
    return found
  }

  async #enrol(id: string, owner: string | undefined, now: number): Promise<boolean> {
    if (owner === undefined || this.#maxPerPrincipal === null) return true
    const member = { id, until: now + this.#idleMs, max: this.#maxPerPrincipal }
    const { enrolled } = await this.#tellPrincipal(owner, '/enrol', member)
    return enrolled === true
  }

  async #tellPrincipal(
    owner: string,
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    if (this.#maxPerPrincipal === null) return {}
    const name = `principal/${await digestOf(owner)}`
    return ask({ namespace: this.#namespace, name }, { path, body })
  }

  async #isGenuine(id: string, asker?: SessionAsker): Promise<boolean> {
    return (await (await this.#ids()).verify(id, asker)) !== undefined
  }

  /** The ids are kept, not the promise of them: no request may wait for another's. */
  async #ids(): Promise<SessionIds> {
    if (this.#known !== undefined) return this.#known
    const suggested = toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)))
    const address = { namespace: this.#namespace, name: KEY_OBJECT }
    const { key } = await ask(address, { path: '/key', body: { key: suggested } })
    this.#known ??= this.#idsOf([String(key)])
    return this.#known
  }

  #idsOf(keys: readonly string[]): SessionIds {
    const { maxAgeMs, clock } = this.#options
    return new SessionIds({ keys, maxAgeMs, clock }, 'durableObjectSessions: keys')
  }

  #session(id: string): ObjectAddress {
    return { namespace: this.#namespace, name: id }
  }

  #now(): number {
    return this.#options.clock?.now() ?? Date.now()
  }
}

/** A name has to be short, and says nothing of who it is made of. */
async function digestOf(owner: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return toBase64Url(new Uint8Array(digest))
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
