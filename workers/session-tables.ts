/**
 * The tables of a session object. They come into being with the first thing written, so that an object
 * that is merely asked leaves nothing behind.
 *
 * @module
 */
import type { ObjectStorage } from './types.ts'

const TABLES = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE uris (uri TEXT PRIMARY KEY) WITHOUT ROWID',
  'CREATE TABLE streams (name TEXT PRIMARY KEY, first_dropped INTEGER NOT NULL DEFAULT 0, last_dropped INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, owes TEXT, due INTEGER) WITHOUT ROWID',
  'CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, precious INTEGER NOT NULL, data TEXT NOT NULL, key TEXT NOT NULL UNIQUE)',
  'CREATE TABLE pending (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, message TEXT NOT NULL, key TEXT NOT NULL UNIQUE)',
  'CREATE TABLE members (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
]

/** A row of a query. */
export type Row = Readonly<Record<string, unknown>>

/** The tables of one session object. */
export class SessionTables {
  readonly #storage: ObjectStorage
  #exist: boolean
  #alarmAt: number | null | undefined

  constructor(storage: ObjectStorage) {
    this.#storage = storage
    const found = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'members'").toArray()
    this.#exist = found.length > 0
  }

  /** Whether anything was ever written. */
  get exist(): boolean {
    return this.#exist
  }

  /** Rows of a query; none where there are no tables. */
  rows(query: string, ...bindings: unknown[]): readonly Row[] {
    return this.#exist ? this.#storage.sql.exec(query, ...bindings).toArray() : []
  }

  /** The first row of a query. */
  row(query: string, ...bindings: unknown[]): Row | undefined {
    return this.rows(query, ...bindings)[0]
  }

  /** Writes. */
  write(statement: string, ...bindings: unknown[]): void {
    if (!this.#exist) {
      for (const table of TABLES) this.#storage.sql.exec(table)
      this.#exist = true
    }
    this.#storage.sql.exec(statement, ...bindings)
  }

  /** A value that stands for itself. */
  meta(key: string): string | undefined {
    const value = this.row('SELECT value FROM meta WHERE key = ?', key)?.['value']
    return typeof value === 'string' ? value : undefined
  }

  /** Writes a value that stands for itself. */
  setMeta(key: string, value: string): void {
    this.write('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value)
  }

  /** Sees to it that the object wakes by a time; it may wake before. */
  async wakeBy(time: number): Promise<void> {
    if (!Number.isFinite(time)) return
    this.#alarmAt ??= await this.#storage.getAlarm()
    if (this.#alarmAt !== null && this.#alarmAt <= time) return
    this.#alarmAt = time
    await this.#storage.setAlarm(time)
  }

  /** The alarm went off; there is none now. */
  woke(): void {
    this.#alarmAt = null
  }

  /** Forgets everything, the alarm included. */
  async wipe(): Promise<void> {
    this.#exist = false
    this.#alarmAt = null
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }
}
