/**
 * The record of a session in its object.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import { TOUCHES_PER_IDLE } from './limits.ts'
import type { SessionTables } from './session-tables.ts'

/** What is kept of a session, as it travels. The Worker reads it as a record. */
export interface StoredSession {
  /** The record as JSON, without its URIs. */
  readonly record: Readonly<Record<string, unknown>>
  readonly uris: readonly string[]
  /** The session was marked as used just now. */
  readonly touched: boolean
}

interface Lifetime {
  readonly idleMs: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The record of one session. What it answers is held in memory, so that reading costs nothing. */
export class StoredSessionRecord {
  readonly #tables: SessionTables
  #record: Record<string, unknown> | undefined
  #lifetime: Lifetime = { idleMs: Infinity, expiresAt: Infinity }
  #seen = 0
  #uris: Set<string> = new Set()

  constructor(tables: SessionTables) {
    this.#tables = tables
    const saved: unknown = JSON.parse(tables.meta('session') ?? 'null')
    if (!isRecord(saved) || !isRecord(saved['record'])) return
    this.#record = saved['record']
    this.#lifetime = toLifetime(saved)
    this.#seen = Number(tables.meta('seen'))
    this.#uris = new Set(tables.rows('SELECT uri FROM uris').map(({ uri }) => String(uri)))
  }

  /** When the session ends if nobody uses it; Infinity where there is none. */
  get endsAt(): number {
    if (this.#record === undefined) return Infinity
    return Math.min(this.#seen + this.#lifetime.idleMs, this.#lifetime.expiresAt)
  }

  /** The principal that it belongs to. */
  get owner(): unknown {
    return this.#record?.['owner']
  }

  get exists(): boolean {
    return this.#record !== undefined
  }

  /** Begins the session; one that has begun stays as it is, because the question may come twice. */
  create(record: Record<string, unknown>, lifetime: Record<string, unknown>, now: number): void {
    if (this.#record !== undefined) return
    this.#lifetime = toLifetime(lifetime)
    this.#seen = now
    this.#tables.setMeta('seen', String(now))
    this.#save(record)
  }

  /** The session, marked as used. */
  get(now: number): StoredSession | undefined {
    if (this.#record === undefined || now >= this.endsAt) return undefined
    return { record: this.#record, uris: [...this.#uris], touched: this.#touch(now) }
  }

  /** Changes the session. Each member of the patch stands for itself. */
  update(patch: Record<string, unknown>, now: number): StoredSession | undefined {
    if (this.get(now) === undefined || this.#record === undefined) return undefined
    const { initialized, logLevel, subscribe, unsubscribe } = patch
    if (initialized === true) this.#save({ ...this.#record, initialized })
    if (typeof logLevel === 'string') this.#save({ ...this.#record, logLevel })
    if (typeof unsubscribe === 'string' && this.#uris.delete(unsubscribe)) {
      this.#tables.write('DELETE FROM uris WHERE uri = ?', unsubscribe)
    }
    if (typeof subscribe === 'string' && !this.#uris.has(subscribe)) {
      this.#uris.add(subscribe)
      this.#tables.write('INSERT OR IGNORE INTO uris (uri) VALUES (?)', subscribe)
    }
    return this.get(now)
  }

  /** Forgets what is in memory; the tables are wiped with everything else. */
  clear(): void {
    this.#record = undefined
    this.#uris = new Set()
  }

  #save(record: Record<string, unknown>): void {
    this.#record = record
    const { idleMs, expiresAt } = this.#lifetime
    this.#tables.setMeta('session', JSON.stringify({ record, idleMs, expiresAt }))
  }

  #touch(now: number): boolean {
    if (now - this.#seen < this.#lifetime.idleMs / TOUCHES_PER_IDLE) return false
    this.#seen = now
    this.#tables.setMeta('seen', String(now))
    return true
  }
}

function toLifetime({ idleMs, expiresAt }: Record<string, unknown>): Lifetime {
  return {
    idleMs: typeof idleMs === 'number' ? idleMs : Infinity,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : Infinity,
  }
}
