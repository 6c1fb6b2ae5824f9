/**
 * The event log in the memory of one process.
 *
 * @module
 */
import {
  EVENT_AGE_MS,
  MAX_EVENT_BYTES,
  MAX_EVENTS,
  MAX_SESSION_EVENT_BYTES,
} from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import { systemClock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import type { EventStore, Replay, StreamEvent } from './event-store.ts'

/** How much is kept, and for how long. A string counts two bytes per character. */
export interface MemoryEventsOptions {
  /** Events of one session. Default `MAX_EVENTS`; null for no limit. */
  readonly maxEvents?: number | null | undefined
  /** Bytes of one session. Default `MAX_SESSION_EVENT_BYTES`; null for no limit. */
  readonly maxSessionBytes?: number | null | undefined
  /** Bytes of all sessions. Default `MAX_EVENT_BYTES`; null for no limit. */
  readonly maxBytes?: number | null | undefined
  /** Default `EVENT_AGE_MS`; null for no limit. */
  readonly maxAgeMs?: number | null | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/**
 * Makes an event log in memory. It has no timers: what is too old goes when something is added or
 * looked for.
 *
 * @param options bounds
 * @throws {TypeError} if a bound is not a positive integer or null
 */
export function memoryEvents(options: MemoryEventsOptions = {}): EventStore {
  return new MemoryEvents(options)
}

interface Stream {
  readonly name: string
  /** The first and the last event that was ever dropped. */
  firstDropped: number
  lastDropped: number
  /** The final event, while it is kept. */
  final: Entry | undefined
  ended: boolean
  kept: number
}

interface Entry {
  readonly sequence: number
  readonly stream: Stream
  readonly data: string
  readonly time: number
  /** Others go first. */
  precious: boolean
}

interface Log {
  readonly streams: Map<string, Stream>
  /** By sequence number, oldest first. */
  readonly entries: Map<number, Entry>
  bytes: number
  time: number
}

class MemoryEvents implements EventStore {
  readonly reach = 'process'
  readonly #maxEvents: number
  readonly #maxSessionBytes: number
  readonly #maxBytes: number
  readonly #maxAgeMs: number
  readonly #clock: Pick<Clock, 'now'>
  /** In the order in which they last grew. */
  readonly #logs = new Map<string, Log>()
  #bytes = 0
  /** One count for all sessions: so no id of one session is ever an id of another. */
  #sequence = 0

  constructor(options: MemoryEventsOptions) {
    this.#maxEvents = limitOf('maxEvents', options.maxEvents, MAX_EVENTS)
    this.#maxSessionBytes = limitOf(
      'maxSessionBytes',
      options.maxSessionBytes,
      MAX_SESSION_EVENT_BYTES,
    )
    this.#maxBytes = limitOf('maxBytes', options.maxBytes, MAX_EVENT_BYTES)
    this.#maxAgeMs = limitOf('maxAgeMs', options.maxAgeMs, EVENT_AGE_MS)
    this.#clock = options.clock ?? systemClock
  }

  append({ session, stream: name, data, final = false }: StreamEvent): string {
    const time = this.#clock.now()
    const log = this.#touch(session, time)
    const stream = streamIn(log, name)
    this.#sequence += 1
    const entry = { sequence: this.#sequence, stream, data, time, precious: final }
    log.entries.set(entry.sequence, entry)
    stream.kept += 1
    if (final) {
      stream.final = entry
      stream.ended = true
    }
    this.#count(log, sizeOf(entry))
    this.#trim(log, time)
    this.#trimLogs(session, time)
    return idOf(entry)
  }

  replay(
    session: string,
    lastEventId: string,
    deliver: (id: string, data: string) => void,
  ): Replay | 'unknown' {
    const log = this.#logs.get(session)
    if (log === undefined) return 'unknown'
    this.#trimByAge(log, this.#clock.now())
    const { name, sequence } = positionOf(lastEventId)
    const stream = log.streams.get(name)
    if (stream === undefined || !canResume(log, stream, sequence)) return 'unknown'
    for (const entry of log.entries.values()) {
      if (entry.stream !== stream || entry.sequence <= sequence) continue
      deliver(idOf(entry), entry.data)
      entry.precious = false
    }
    return { stream: name, ended: stream.ended }
  }

  delete(session: string): void {
    const log = this.#logs.get(session)
    if (log === undefined) return
    this.#bytes -= log.bytes
    this.#logs.delete(session)
  }

  #touch(session: string, time: number): Log {
    const log = this.#logs.get(session) ?? emptyLog()
    log.time = time
    this.#logs.delete(session)
    this.#logs.set(session, log)
    return log
  }

  #count(log: Log, bytes: number): void {
    log.bytes += bytes
    this.#bytes += bytes
  }

  #trim(log: Log, now: number): void {
    this.#trimByAge(log, now)
    this.#trimBySize(log, false)
    this.#trimBySize(log, true)
  }

  #trimByAge(log: Log, now: number): void {
    for (const entry of log.entries.values()) {
      if (now - entry.time < this.#maxAgeMs) return
      this.#drop(log, entry)
    }
  }

  #trimBySize(log: Log, evenPrecious: boolean): void {
    for (const entry of log.entries.values()) {
      if (log.entries.size <= this.#maxEvents && log.bytes <= this.#maxSessionBytes) return
      if (evenPrecious || !entry.precious) this.#drop(log, entry)
    }
  }

  /** Sessions that end without a word leave a log behind; the ones that grew least lately go. */
  #trimLogs(current: string, now: number): void {
    for (const [session, log] of this.#logs) {
      const isOld = now - log.time >= this.#maxAgeMs
      if (session === current || !(isOld || this.#bytes > this.#maxBytes)) return
      this.delete(session)
    }
  }

  #drop(log: Log, entry: Entry): void {
    const { stream, sequence } = entry
    log.entries.delete(sequence)
    this.#count(log, -sizeOf(entry))
    if (stream.firstDropped === 0) stream.firstDropped = sequence
    stream.lastDropped = Math.max(stream.lastDropped, sequence)
    if (stream.final === entry) stream.final = undefined
    stream.kept -= 1
    if (stream.ended && stream.kept === 0) log.streams.delete(stream.name)
  }
}

function emptyLog(): Log {
  return { streams: new Map(), entries: new Map(), bytes: 0, time: 0 }
}

function streamIn(log: Log, name: string): Stream {
  const known = log.streams.get(name)
  if (known !== undefined) return known
  const stream: Stream = {
    name,
    firstDropped: 0,
    lastDropped: 0,
    final: undefined,
    ended: false,
    kept: 0,
  }
  log.streams.set(name, stream)
  return stream
}

/** Nothing that followed is lost, or the answer that matters is still there. */
function canResume(log: Log, stream: Stream, sequence: number): boolean {
  const isKept = log.entries.get(sequence)?.stream === stream
  if (sequence >= stream.lastDropped) return isKept || sequence === stream.lastDropped
  return stream.final !== undefined && (isKept || sequence >= stream.firstDropped)
}

function idOf({ stream, sequence }: Entry): string {
  return `${stream.name}.${sequence}`
}

function positionOf(id: string): { readonly name: string; readonly sequence: number } {
  const at = id.lastIndexOf('.')
  const digits = id.slice(at + 1)
  return { name: id.slice(0, at), sequence: /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : NaN }
}

function sizeOf({ data }: Entry): number {
  return data.length * 2
}
