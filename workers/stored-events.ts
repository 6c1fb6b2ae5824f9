/**
 * The event log of a session in its object: by stream, bounded, and with an answer for every request
 * that is owed one.
 *
 * @module
 */
import type { Row, SessionTables } from './session-tables.ts'

/** How much is kept, and for how long. */
export interface EventBounds {
  readonly maxEvents: number
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** An event to keep. */
export interface EventToKeep {
  readonly stream: string
  readonly data: string
  readonly final: boolean
  /** The request that is owed an answer on this stream, as JSON. */
  readonly owes: string | undefined
  /** Tells an event that is sent twice from two events. */
  readonly key: string
}

/** An event under its id. */
export interface KeptEvent {
  readonly id: string
  readonly data: string
}

/** The part of a stream that somebody missed. */
export interface MissedEvents {
  readonly stream: string
  readonly ended: boolean
  readonly events: readonly KeptEvent[]
}

/** A stream whose request nobody answers any more. */
export interface Orphan {
  readonly stream: string
  /** The id of the request, as JSON. */
  readonly owes: string
}

interface Totals {
  count: number
  bytes: number
}

/** The event log of one session. */
export class StoredEvents {
  readonly #tables: SessionTables
  #totals: Totals | undefined
  #nonce: string | undefined

  constructor(tables: SessionTables) {
    this.#tables = tables
  }

  /** Keeps an event and gives it an id; one that is kept already keeps its id. */
  append(event: EventToKeep, bounds: EventBounds, now: number): string {
    const { stream, data, final, owes, key } = event
    const known = this.#tables.row('SELECT seq FROM events WHERE key = ?', key)
    if (known !== undefined) return this.#idOf(stream, known['seq'])
    this.#tables.write('INSERT OR IGNORE INTO streams (name) VALUES (?)', stream)
    if (owes !== undefined) {
      this.#tables.write('UPDATE streams SET owes = ? WHERE name = ?', owes, stream)
    }
    if (final) {
      this.#tables.write('UPDATE streams SET ended = 1, due = NULL WHERE name = ?', stream)
    }
    const bytes = data.length * 2
    const totals = this.#count()
    this.#tables.write(
      'INSERT INTO events (stream, at, bytes, precious, data, key) VALUES (?, ?, ?, ?, ?, ?)',
      stream,
      now,
      bytes,
      final ? 1 : 0,
      data,
      key,
    )
    totals.count += 1
    totals.bytes += bytes
    const seq = this.#tables.row('SELECT MAX(seq) AS seq FROM events')?.['seq']
    this.#trim(bounds, now)
    return this.#idOf(stream, seq)
  }

  /** What followed an event on its stream; undefined for an id that is unknown. */
  replay(lastEventId: string, bounds: EventBounds, now: number): MissedEvents | undefined {
    this.#trimByAge(bounds, now)
    const position = this.#positionOf(lastEventId)
    if (position === undefined || !this.#canResume(position)) return undefined
    const { stream, seq } = position
    const rows = this.#tables.rows(
      'SELECT seq, data, precious FROM events WHERE stream = ? AND seq > ? ORDER BY seq',
      stream,
      seq,
    )
    if (rows.some(({ precious }) => precious === 1)) {
      this.#tables.write('UPDATE events SET precious = 0 WHERE stream = ?', stream)
    }
    const events = rows.map((row) => ({
      id: this.#idOf(stream, row['seq']),
      data: String(row['data']),
    }))
    return { stream, ended: this.#stream(stream)?.['ended'] === 1, events }
  }

  /** Forgets every event. */
  clear(): void {
    this.#totals = undefined
    this.#nonce = undefined
    this.#tables.write('DELETE FROM events')
    this.#tables.write('DELETE FROM streams')
  }

  /** Somebody works on the answer of a stream (null), or is out of touch until a time. */
  setDue(stream: string, due: number | null): void {
    if (this.#stream(stream) === undefined) return
    this.#tables.write(
      'UPDATE streams SET due = ? WHERE name = ? AND ended = 0 AND owes IS NOT NULL',
      due,
      stream,
    )
  }

  /** Streams that owe an answer; those of which somebody else knows that they are worked on are left out. */
  owing(held: ReadonlySet<string>): readonly string[] {
    return this.#tables
      .rows('SELECT name FROM streams WHERE ended = 0 AND owes IS NOT NULL AND due IS NULL')
      .map(({ name }) => String(name))
      .filter((name) => !held.has(name))
  }

  /** Streams whose time is up. */
  orphans(now: number): readonly Orphan[] {
    return this.#tables
      .rows('SELECT name, owes FROM streams WHERE ended = 0 AND due <= ?', now)
      .map(({ name, owes }) => ({ stream: String(name), owes: String(owes) }))
  }

  /** When something has to be done: the first answer that is overdue, or the first event that is too old. */
  dueAt({ maxAgeMs }: EventBounds): number {
    const owed = this.#tables.row('SELECT MIN(due) AS due FROM streams WHERE ended = 0')?.['due']
    const oldest = this.#tables.row('SELECT at FROM events ORDER BY seq LIMIT 1')?.['at']
    const due = typeof owed === 'number' ? owed : Infinity
    return Math.min(due, typeof oldest === 'number' ? oldest + maxAgeMs : Infinity)
  }

  /** Lets go of what is too old. */
  expire(bounds: EventBounds, now: number): void {
    this.#trimByAge(bounds, now)
  }

  get empty(): boolean {
    return this.#count().count === 0
  }

  #stream(name: string): Row | undefined {
    return this.#tables.row('SELECT * FROM streams WHERE name = ?', name)
  }

  /** Nothing that followed is lost, or the answer that matters is still there. */
  #canResume({ stream, seq }: { readonly stream: string; readonly seq: number }): boolean {
    const found = this.#stream(stream)
    if (found === undefined) return false
    const kept = this.#tables.row('SELECT 1 FROM events WHERE seq = ? AND stream = ?', seq, stream)
    const lastDropped = Number(found['last_dropped'])
    if (seq >= lastDropped) return kept !== undefined || seq === lastDropped
    const final = this.#tables.row(
      'SELECT 1 FROM events WHERE stream = ? AND precious = 1 LIMIT 1',
      stream,
    )
    const known = kept !== undefined || seq >= Number(found['first_dropped'])
    return final !== undefined && known
  }

  #trim(bounds: EventBounds, now: number): void {
    this.#trimByAge(bounds, now)
    this.#trimBySize(bounds, 'precious = 0')
    this.#trimBySize(bounds, 'precious = 1')
  }

  #trimByAge({ maxAgeMs }: EventBounds, now: number): void {
    this.#drop(
      this.#tables.rows('SELECT seq, stream, bytes FROM events WHERE at <= ?', now - maxAgeMs),
    )
  }

  #trimBySize({ maxEvents, maxBytes }: EventBounds, which: string): void {
    const totals = this.#count()
    while (totals.count > maxEvents || totals.bytes > maxBytes) {
      const dropped = this.#drop(
        this.#tables.rows(
          `SELECT seq, stream, bytes FROM events WHERE ${which} ORDER BY seq LIMIT 1`,
        ),
      )
      if (dropped === 0) return
    }
  }

  #drop(rows: readonly Row[]): number {
    const totals = this.#count()
    for (const { seq, stream, bytes } of rows) {
      this.#tables.write('DELETE FROM events WHERE seq = ?', seq)
      totals.count -= 1
      totals.bytes -= Number(bytes)
      this.#tables.write(
        'UPDATE streams SET first_dropped = CASE first_dropped WHEN 0 THEN ? ELSE first_dropped END, last_dropped = MAX(last_dropped, ?) WHERE name = ?',
        seq,
        seq,
        stream,
      )
      this.#tables.write(
        'DELETE FROM streams WHERE name = ? AND ended = 1 AND NOT EXISTS (SELECT 1 FROM events WHERE stream = ?)',
        stream,
        stream,
      )
    }
    return rows.length
  }

  #count(): Totals {
    if (this.#totals !== undefined) return this.#totals
    const row = this.#tables.row('SELECT COUNT(*) AS count, SUM(bytes) AS bytes FROM events')
    this.#totals = { count: Number(row?.['count'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
    return this.#totals
  }

  /** Objects count alike, so each marks its ids with a word of its own: none means anything elsewhere. */
  #mark(): string {
    this.#nonce ??= this.#tables.meta('nonce')
    if (this.#nonce === undefined) {
      this.#nonce = crypto.randomUUID().slice(0, 13)
      this.#tables.setMeta('nonce', this.#nonce)
    }
    return this.#nonce
  }

  #idOf(stream: string, seq: unknown): string {
    return `${stream}.${this.#mark()}.${String(seq)}`
  }

  #positionOf(id: string): { readonly stream: string; readonly seq: number } | undefined {
    const [, stream, mark, seq] =
      /^([^]*)\.([\da-f]{8}-[\da-f]{4})\.([1-9]\d{0,15})$/.exec(id) ?? []
    if (stream === undefined || seq === undefined) return undefined
    return mark === this.#mark() ? { stream, seq: Number(seq) } : undefined
  }
}
