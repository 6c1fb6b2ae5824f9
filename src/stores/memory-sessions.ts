/**
 * Sessions in the memory of one process.
 *
 * @module
 */
import { MAX_SESSIONS, SESSION_IDLE_MS } from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import { systemClock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import type {
  SessionInit,
  SessionPatch,
  SessionRecord,
  SessionStore,
  SessionTraits,
} from './session-store.ts'
import { patched } from './session-store.ts'

/** How many sessions are kept, and for how long. */
export interface MemorySessionsOptions {
  /** Default `MAX_SESSIONS`; null for no limit. */
  readonly max?: number | null | undefined
  /** Default `SESSION_IDLE_MS`; null to keep them for ever. */
  readonly idleTimeoutMs?: number | null | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** Makes ids; they must be unguessable. Default `crypto.randomUUID`. */
  readonly randomUUID?: (() => string) | undefined
}

/**
 * Makes a session store in memory. It has no timers: a session expires when somebody meets it, or
 * when its place is needed.
 *
 * @param options bounds
 * @throws {TypeError} if a bound is not a positive integer or null
 */
export function memorySessions(options: MemorySessionsOptions = {}): SessionStore {
  return new MemorySessions(options)
}

interface Entry {
  record: SessionRecord
  seen: number
}

/**
 * Node builds its UUIDs as a tree of twenty small strings, which takes more memory than the rest of
 * a session. Lower case changes nothing but that: it makes one flat string.
 */
function compactUUID(): string {
  return crypto.randomUUID().toLowerCase()
}

const TRAITS: SessionTraits = { mutable: true, consistent: true, mail: false }
/** Shared, because most sessions never subscribe. */
const NO_URIS: readonly string[] = []

class MemorySessions implements SessionStore {
  readonly traits = TRAITS
  readonly reach = 'process'
  readonly #max: number
  readonly #idleMs: number
  readonly #clock: Pick<Clock, 'now'>
  readonly #newId: () => string
  /** In the order in which they were last seen, so that what expired stands in front. */
  readonly #entries = new Map<string, Entry>()

  constructor({ max, idleTimeoutMs, clock, randomUUID }: MemorySessionsOptions) {
    this.#max = limitOf('max', max, MAX_SESSIONS)
    this.#idleMs = limitOf('idleTimeoutMs', idleTimeoutMs, SESSION_IDLE_MS)
    this.#clock = clock ?? systemClock
    this.#newId = randomUUID ?? compactUUID
  }

  create(init: SessionInit): SessionRecord | 'full' {
    const now = this.#clock.now()
    if (this.#entries.size >= this.#max && !this.#reclaim(now)) return 'full'
    const record: SessionRecord = {
      id: this.#newId(),
      revision: init.revision,
      clientInfo: init.clientInfo,
      capabilities: init.capabilities,
      owner: init.owner,
      origin: init.origin,
      createdAt: now,
      initialized: false,
      logLevel: undefined,
      uris: NO_URIS,
    }
    this.#entries.set(record.id, { record, seen: now })
    return record
  }

  get(id: string): SessionRecord | undefined {
    return this.#meet(id)?.record
  }

  update(id: string, patch: SessionPatch): SessionRecord | undefined {
    const entry = this.#meet(id)
    if (entry === undefined) return undefined
    entry.record = patched(entry.record, patch)
    return entry.record
  }

  delete(id: string): boolean {
    return this.#meet(id) !== undefined && this.#entries.delete(id)
  }

  size(): number {
    return this.#entries.size
  }

  #meet(id: string): Entry | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const now = this.#clock.now()
    if (entry.seen === now) return entry
    this.#entries.delete(id)
    if (this.#isExpired(entry, now)) return undefined
    entry.seen = now
    this.#entries.set(id, entry)
    return entry
  }

  #isExpired(entry: Entry, now: number): boolean {
    return now - entry.seen >= this.#idleMs
  }

  /** Drops what expired; tells whether there is room now. */
  #reclaim(now: number): boolean {
    for (const [id, entry] of this.#entries) {
      if (!this.#isExpired(entry, now)) break
      this.#entries.delete(id)
    }
    return this.#entries.size < this.#max
  }
}
