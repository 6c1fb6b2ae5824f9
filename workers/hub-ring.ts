/**
 * The last events of a hub, in SQLite, each under its number.
 *
 * @module
 */
import { MAX_RING_EVENTS } from './limits.ts'
import { topicNumber } from './topics.ts'
import type { ObjectStorage } from './types.ts'

/** An event with its number, as it is sent. */
export interface NumberedEvent {
  readonly seq: number
  /** The number of its topic. */
  readonly topic: number
  readonly text: string
}

/** The last events of one hub. */
export class HubRing {
  readonly #storage: ObjectStorage
  #newest: number

  constructor(storage: ObjectStorage) {
    this.#storage = storage
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, topic INTEGER NOT NULL, text TEXT NOT NULL)',
    )
    const [row] = storage.sql.exec('SELECT MAX(seq) AS seq FROM events').toArray()
    this.#newest = Number(row?.['seq'] ?? 0)
  }

  /** The number of the newest event; 0 before the first. */
  get newest(): number {
    return this.#newest
  }

  /** Keeps an event, and lets go of the one it displaces. */
  add(topic: string, data: unknown): NumberedEvent {
    const seq = this.#newest + 1
    const number = topicNumber(topic)
    const text = JSON.stringify({ seq, topic, data })
    const { sql } = this.#storage
    sql.exec('INSERT INTO events (seq, topic, text) VALUES (?, ?, ?)', seq, number, text)
    if (seq > MAX_RING_EVENTS) {
      sql.exec('DELETE FROM events WHERE seq <= ?', seq - MAX_RING_EVENTS)
    }
    this.#newest = seq
    return { seq, topic: number, text }
  }

  /**
   * What followed an event.
   *
   * @returns undefined where something that followed is no longer kept, or the number is not ours
   */
  since(seq: number): readonly NumberedEvent[] | undefined {
    if (seq > this.#newest || seq < this.#newest - MAX_RING_EVENTS) return undefined
    const rows = this.#storage.sql
      .exec('SELECT seq, topic, text FROM events WHERE seq > ? ORDER BY seq', seq)
      .toArray()
    return rows.map((row) => ({
      seq: Number(row['seq']),
      topic: Number(row['topic']),
      text: String(row['text']),
    }))
  }
}
