/**
 * A stream of a session that outlives its connections: each event is kept before it is sent, and
 * whoever connects next finds what it missed.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import type { RequestId } from '../protocol/jsonrpc.ts'
import { EVENT_PATIENCE_MS, POLL_RETRY_MS } from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import { within } from '../shared/within.ts'
import type { EventStore } from '../stores/event-store.ts'
import type { SessionMessage } from './session-mail.ts'
import { toFrame, toResumableFrame, toRetryFrame } from './sse-format.ts'
import type { SseStream } from './sse-stream.ts'

/** What a channel is made with. */
export interface EventChannelOptions {
  readonly clock: Clock
  readonly events: EventStore
  readonly session: string
  /** The stream's name, unique within its session. */
  readonly stream: string
  /** Tells whoever carries the stream when nobody here does; absent where nobody else can. */
  readonly tell?: ((message: SessionMessage) => void) | undefined
  /** The request whose answer ends the stream. */
  readonly owes?: RequestId | undefined
  readonly report: (error: unknown) => void
}

/** One stream, kept and sent in order. */
export class EventChannel {
  readonly #options: EventChannelOptions
  #connection: SseStream | undefined
  /** What has to be kept and sent before the next event; undefined when nothing. */
  #tail: Promise<void> | undefined
  #owes: RequestId | undefined

  /** @param connection what carries the stream at first */
  constructor(options: EventChannelOptions, connection: SseStream) {
    this.#options = options
    this.#connection = connection
    this.#owes = options.owes
  }

  get stream(): string {
    return this.#options.stream
  }

  /** Sends an event that only carries an id, so that the client can come back from the start. */
  prime(): void {
    void this.#push('', false)
  }

  /**
   * Keeps a message and sends it.
   *
   * @returns settles when there is room again; undefined when there is room
   */
  offer(message: string): Promise<void> | undefined {
    return this.#push(message, false)
  }

  /**
   * Keeps the last message, sends it, and ends the connection.
   *
   * @param message empty when the stream ends without one
   * @returns settles when that is done; undefined when it is
   */
  finish(message: string): Promise<void> | undefined {
    return this.#push(message, true)
  }

  /** Ends the connection and asks the client to come back; the stream goes on. */
  hangUp(): void {
    this.#then(() => {
      if (this.#connection === undefined) {
        this.#options.tell?.({ kind: 'hangup', stream: this.stream })
        return
      }
      this.#connection.write(toRetryFrame(POLL_RETRY_MS))
      this.detach()
    })
  }

  /** Ends the connection, because another one carries the stream or because it is dead. */
  detach(): void {
    this.#connection?.end()
    this.#connection = undefined
  }

  #push(data: string, final: boolean): Promise<void> | undefined {
    if (this.#tail === undefined) {
      const id = this.#append(data, final)
      if (!(id instanceof Promise)) return this.#send({ id, data, final })
      return this.#sendLater(id, { data, final })
    }
    const later = this.#tail.then(() => this.#append(data, final))
    return this.#sendLater(later, { data, final })
  }

  /** Only whoever said it waits for room: the next event is kept meanwhile, and sent or left to the store. */
  async #sendLater(id: Promise<string | undefined>, event: ChannelEvent): Promise<void> {
    await this.#queue(this.#sendKept(id, event))
    await this.#connection?.room()
  }

  async #sendKept(id: Promise<string | undefined>, event: ChannelEvent): Promise<void> {
    void this.#send({ ...event, id: await id })
  }

  #then(work: () => void): void {
    if (this.#tail === undefined) work()
    else void this.#queue(this.#tail.then(work))
  }

  #queue(work: Promise<void>): Promise<void> {
    const tail = work.catch(this.#options.report).finally(() => {
      if (this.#tail === tail) this.#tail = undefined
    })
    this.#tail = tail
    return tail
  }

  /** A store that fails, or takes too long, costs the event its id, not its delivery. */
  #append(data: string, final: boolean): string | undefined | Promise<string | undefined> {
    const { clock, events, session, stream, report } = this.#options
    try {
      const owes = this.#owes
      this.#owes = undefined
      const id = events.append({ session, stream, data, final, owes })
      if (!(id instanceof Promise)) return id
      const deadline = { clock, ms: EVENT_PATIENCE_MS, reason: tooLong }
      return within(id, deadline).catch((error: unknown) => {
        report(error)
        return undefined
      })
    } catch (error) {
      report(error)
      return undefined
    }
  }

  #send(event: ChannelEvent): Promise<void> | undefined {
    const connection = this.#connection
    if (connection === undefined || !connection.open) {
      this.#options.tell?.({ kind: 'event', stream: this.stream, ...event })
      return undefined
    }
    const frame = toEventFrame(event)
    if (event.final) {
      if (frame !== '') connection.write(frame)
      this.detach()
      return undefined
    }
    if (!connection.full || event.id === undefined) return connection.offer(frame)
    // A reader this slow would lose the event here; it comes back and finds it.
    this.detach()
    return undefined
  }
}

function tooLong(): DOMException {
  return new DOMException('The event store takes too long to keep an event', 'TimeoutError')
}

/** An event as it goes out: without an id where it could not be kept. */
export interface ChannelEvent {
  readonly id?: string | undefined
  readonly data: string
  readonly final: boolean
}

/**
 * The text of an event.
 *
 * @returns empty when there is nothing to say
 */
export function toEventFrame({ id, data }: ChannelEvent): string {
  if (id !== undefined) return toResumableFrame(id, data)
  return data === '' ? '' : toFrame(data)
}
