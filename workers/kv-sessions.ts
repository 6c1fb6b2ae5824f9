/**
 * Sessions in Workers KV: an immutable, sealed record for each, and its removal.
 *
 * @module
 */
import { InvalidRequestError } from 'mcp-edge/protocol'
import { newRecord, readRecord, SealedBox, SessionIds } from 'mcp-edge/stores'
import type {
  SessionAsker,
  SessionInit,
  SessionPatch,
  SessionRecord,
  SessionStore,
  SessionTraits,
} from 'mcp-edge/stores'
import { kvFrom } from './bindings.ts'
import { KV_CACHE_MS, KV_MIN_TTL_S, KV_WRITE_PAUSE_MS, MAX_CACHED_SESSIONS } from './limits.ts'
import type { KvNamespace } from './types.ts'

/** What KV sessions are made with. */
export interface KvSessionsOptions {
  /** Keys, the newest first: 32 random bytes each, as base64url. They sign ids and seal records. */
  readonly keys: readonly string[]
  /** Milliseconds a session lasts, used or not. @default 86400000, a day */
  readonly maxAgeMs?: number | undefined
  /** @default the platform's */
  readonly clock?: { now(): number } | undefined
}

/**
 * Makes a session store of a KV namespace. KV is eventually consistent: for up to 60 s, another
 * location may not know a new session, and may still know one that was ended. Nothing of a session
 * changes, so log levels, subscriptions and questions are refused. Where there are Durable Objects,
 * `durableObjectSessions` has none of these limits.
 *
 * @param namespace the binding
 * @param options keys and lifetime
 * @throws {TypeError} if there is no binding, no key, or a key is not a key
 */
export function kvSessions(
  namespace: KvNamespace | undefined,
  options: KvSessionsOptions,
): SessionStore {
  return new KvSessions(kvFrom('kvSessions', namespace), options)
}

const TRAITS: SessionTraits = { mutable: false, consistent: false, mail: false }
const PREFIX = 'mcp-edge/session/'

interface Cached {
  /** Undefined for a session that was ended here. */
  readonly record: SessionRecord | undefined
  readonly until: number
}

class KvSessions implements SessionStore {
  readonly traits = TRAITS
  readonly #kv: KvNamespace
  readonly #ids: SessionIds
  readonly #box: SealedBox
  readonly #now: () => number
  /** What this isolate wrote or read lately; KV itself believes what it read for as long. */
  readonly #cache = new Map<string, Cached>()

  constructor(kv: KvNamespace, { keys, maxAgeMs, clock }: KvSessionsOptions) {
    this.#kv = kv
    this.#ids = new SessionIds({ keys: keys ?? [], maxAgeMs, clock }, 'kvSessions: keys')
    this.#box = new SealedBox(keys, 'kvSessions: keys')
    this.#now = () => clock?.now() ?? Date.now()
  }

  async create(init: SessionInit): Promise<SessionRecord> {
    const { id, expiresAt } = await this.#ids.create(init.owner)
    const kept = newRecord(init, this.#now())
    const sealed = await this.#box.seal(JSON.stringify(kept), id)
    const seconds = Math.ceil((expiresAt - this.#now()) / 1000)
    await this.#kv.put(PREFIX + id, sealed, { expirationTtl: Math.max(KV_MIN_TTL_S, seconds) })
    const record = { id, ...kept, uris: [] }
    this.#remember(id, record)
    return record
  }

  async get(id: string, asker?: SessionAsker): Promise<SessionRecord | undefined> {
    if ((await this.#ids.verify(id, asker)) === undefined) return undefined
    const cached = this.#cache.get(id)
    if (cached !== undefined && cached.until > this.#now()) return cached.record
    const sealed = await this.#kv.get(PREFIX + id)
    const text = sealed === null ? undefined : await this.#box.open(sealed, id)
    const record = text === undefined ? undefined : readRecord(id, JSON.parse(text))
    if (record !== undefined) this.#remember(id, record)
    return record
  }

  update(_id: string, _patch: SessionPatch): never {
    throw new InvalidRequestError('Sessions of this server cannot change')
  }

  async delete(id: string): Promise<boolean> {
    if ((await this.get(id)) === undefined) return false
    this.#remember(id, undefined)
    try {
      await this.#kv.delete(PREFIX + id)
    } catch {
      // KV takes one write a second for each key, and a session can be shorter than that.
      await new Promise((resolve) => setTimeout(resolve, KV_WRITE_PAUSE_MS))
      await this.#kv.delete(PREFIX + id)
    }
    return true
  }

  #remember(id: string, record: SessionRecord | undefined): void {
    this.#cache.delete(id)
    this.#cache.set(id, { record, until: this.#now() + KV_CACHE_MS })
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > MAX_CACHED_SESSIONS && oldest !== undefined) this.#cache.delete(oldest)
  }
}
