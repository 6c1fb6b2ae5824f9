/**
 * The tables of a session object. They come into being with the first thing written, so that an object
 * that is merely asked leaves nothing behind.
 *
 * @module
 */
import type { ObjectStorage } from './types.ts'

const TABLES: Readonly<Record<string, string>> = {
  meta: '(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  uris: '(uri TEXT PRIMARY KEY) WITHOUT ROWID',
  streams:
    '(name TEXT PRIMARY KEY, first_dropped INTEGER NOT NULL DEFAULT 0, last_dropped INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, owes TEXT, due INTEGER) WITHOUT ROWID',
  events:
    '(seq INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, precious INTEGER NOT NULL, data TEXT NOT NULL, key TEXT NOT NULL UNIQUE)',
  pending:
    '(seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, message TEXT NOT NULL, key TEXT NOT NULL UNIQUE)',
  members: '(id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
}

/** A row of a query. */
export type Row = Readonly<Record<string, unknown>>

/** The tables of one session object. */
export class SessionTables {
  readonly #storage: ObjectStorage
  readonly #existing: Set<string>
  #alarmAt: number | null | undefined

  constructor(storage: ObjectStorage) {
    this.#storage = storage
    const found = storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const names = found.map(({ name }) => String(name))
    this.#existing = new Set(names.filter((name) => Object.hasOwn(TABLES, name)))
  }

  /** Whether anything was ever written. */
  get exist(): boolean {
    return this.#existing.size > 0
  }

  /** Rows of a query; none where its table is not there. */
  rows(query: string, ...bindings: unknown[]): readonly Row[] {
    const isThere = this.#existing.has(tableIn(query))
    return isThere ? this.#storage.sql.exec(query, ...bindings).toArray() : []
  }

  /** The first row of a query. */
  row(query: string, ...bindings: unknown[]): Row | undefined {
    return this.rows(query, ...bindings)[0]
  }

  /** Writes. A table comes into being with its first row; before that, nothing in it can change. */
  write(statement: string, ...bindings: unknown[]): void {
    const table = tableIn(statement)
    if (!this.#existing.has(table)) {
      if (!statement.startsWith('INSERT')) return
      this.#storage.sql.exec(`CREATE TABLE ${table} ${TABLES[table]}`)
      this.#existing.add(table)
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
    this.#existing.clear()
    this.#alarmAt = null
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }
}

/** The table of a statement: in ours, always the first that is named. */
function tableIn(statement: string): string {
  return /(?:FROM|INTO|UPDATE) (\w+)/.exec(statement)?.[1] ?? ''
}
