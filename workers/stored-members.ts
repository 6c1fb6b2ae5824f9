/**
 * The sessions of one principal, counted in an object of their own.
 *
 * @module
 */
import type { SessionTables } from './session-tables.ts'

/** A session that wants to be counted. */
export interface Member {
  readonly id: string
  /** When it ends by itself. */
  readonly until: number
  /** How many may be counted at once. */
  readonly max: number
}

/** The sessions of one principal. */
export class StoredMembers {
  readonly #tables: SessionTables

  constructor(tables: SessionTables) {
    this.#tables = tables
  }

  get empty(): boolean {
    return this.#tables.row('SELECT 1 FROM members LIMIT 1') === undefined
  }

  /** When the first of them ends by itself; Infinity where there is none. */
  get firstEnd(): number {
    const until = this.#tables.row('SELECT MIN(until) AS until FROM members')?.['until']
    return typeof until === 'number' ? until : Infinity
  }

  /** Counts a session; false where there is no room. */
  enrol({ id, until, max }: Member, now: number): boolean {
    this.expire(now)
    if (this.#tables.row('SELECT 1 FROM members WHERE id = ?', id) !== undefined) return true
    const count = Number(this.#tables.row('SELECT COUNT(*) AS count FROM members')?.['count'] ?? 0)
    if (count >= max) return false
    this.#tables.write('INSERT INTO members (id, until) VALUES (?, ?)', id, until)
    return true
  }

  /** A session goes on. */
  renew(id: string, until: number): void {
    this.#tables.write('UPDATE members SET until = ? WHERE id = ?', until, id)
  }

  /** A session is over. */
  leave(id: string): void {
    this.#tables.write('DELETE FROM members WHERE id = ?', id)
  }

  /** Forgets those that have ended. */
  expire(now: number): void {
    this.#tables.write('DELETE FROM members WHERE until <= ?', now)
  }
}
