/**
 * Session mail, kept for a moment for whoever reconnects.
 *
 * @module
 */
import { MAX_KEPT_MAIL } from './limits.ts'
import type { SessionTables } from './session-tables.ts'

/** A message under its number. */
export interface Letter {
  readonly seq: number
  readonly message: string
}

/** The mail of one session. */
export class StoredMail {
  readonly #tables: SessionTables

  constructor(tables: SessionTables) {
    this.#tables = tables
  }

  /** The number of the newest letter; 0 before the first. */
  get newest(): number {
    const seq = Number(this.#tables.row('SELECT MAX(seq) AS seq FROM pending')?.['seq'] ?? 0)
    return Math.max(seq, Number(this.#tables.meta('mail') ?? 0))
  }

  get empty(): boolean {
    return this.#tables.row('SELECT 1 FROM pending LIMIT 1') === undefined
  }

  /** When the oldest letter came; Infinity where there is none. */
  get oldest(): number {
    const at = this.#tables.row('SELECT MIN(at) AS at FROM pending')?.['at']
    return typeof at === 'number' ? at : Infinity
  }

  /** Keeps a letter; undefined when it is kept already. */
  add(message: string, key: string, now: number): Letter | undefined {
    if (this.#tables.row('SELECT 1 FROM pending WHERE key = ?', key) !== undefined) return undefined
    this.#tables.write('INSERT INTO pending (at, message, key) VALUES (?, ?, ?)', now, message, key)
    const seq = Number(this.#tables.row('SELECT MAX(seq) AS seq FROM pending')?.['seq'])
    this.#tables.write('DELETE FROM pending WHERE seq <= ?', seq - MAX_KEPT_MAIL)
    return { seq, message }
  }

  /** The letters that followed one. */
  since(seq: number): readonly Letter[] {
    return this.#tables
      .rows('SELECT seq, message FROM pending WHERE seq > ? ORDER BY seq', seq)
      .map((row) => ({ seq: Number(row['seq']), message: String(row['message']) }))
  }

  /** Lets go of what came before a time, and remembers how far the numbers had come. */
  expire(time: number): void {
    if (this.#tables.row('SELECT 1 FROM pending WHERE at <= ? LIMIT 1', time) === undefined) return
    this.#tables.setMeta('mail', String(this.newest))
    this.#tables.write('DELETE FROM pending WHERE at <= ?', time)
  }

  /** Forgets every letter. */
  clear(): void {
    this.#tables.write('DELETE FROM pending')
  }
}
