/**
 * The event log in Durable Objects: each session's events beside its record.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import type { EventStore, Replay, StreamEvent } from 'mcp-edge/stores'
import { namespaceFrom } from './bindings.ts'
import {
  EVENT_AGE_MS,
  MAX_EVENTS,
  MAX_HELD_STREAMS,
  MAX_SESSION_EVENT_BYTES,
  MAX_STORED_EVENT_CHARS,
} from './limits.ts'
import { ask } from './object-call.ts'
import type { ObjectAddress } from './object-call.ts'
import { ObjectSocket } from './object-socket.ts'
import type { ObjectNamespace } from './types.ts'

/** How much is kept, and for how long. */
export interface DurableObjectEventsOptions {
  /** Events of one session. @default 1000 */
  readonly maxEvents?: number | undefined
  /** Bytes of one session, two a character. @default 16 MiB */
  readonly maxSessionBytes?: number | undefined
  /** Milliseconds. @default 300000, five minutes */
  readonly maxAgeMs?: number | undefined
}

/**
 * Makes an event log of the binding that `durableObjectSessions` has too. An event of more than
 * 600 000 characters is not kept: it goes out without an id, and cannot be resumed. A call whose
 * Worker dies before it has answered is answered with an error.
 *
 * @param namespace the binding to {@link McpSession}
 * @param options bounds
 * @throws {TypeError} if there is no binding
 */
export function durableObjectEvents(
  namespace: ObjectNamespace | undefined,
  options: DurableObjectEventsOptions = {},
): EventStore {
  return new DurableObjectEvents(
    namespaceFrom('durableObjectEvents', namespace, 'McpSession'),
    options,
  )
}

class DurableObjectEvents implements EventStore {
  readonly #namespace: ObjectNamespace
  readonly #bounds: Readonly<Record<string, number>>
  /** What each stream is held with until its last event; each entry belongs to one request. */
  readonly #held = new Map<string, AbortController>()

  constructor(
    namespace: ObjectNamespace,
    { maxEvents, maxSessionBytes, maxAgeMs }: DurableObjectEventsOptions,
  ) {
    this.#namespace = namespace
    this.#bounds = {
      maxEvents: maxEvents ?? MAX_EVENTS,
      maxBytes: maxSessionBytes ?? MAX_SESSION_EVENT_BYTES,
      maxAgeMs: maxAgeMs ?? EVENT_AGE_MS,
    }
  }

  async append({ session, stream, data, final = false, owes }: StreamEvent): Promise<string> {
    if (data.length > MAX_STORED_EVENT_CHARS) {
      throw new RangeError(`an event of ${data.length} characters is too long to be kept`)
    }
    const key = crypto.randomUUID()
    const owed = owes === undefined ? undefined : JSON.stringify(owes)
    const body = { stream, data, final, owes: owed, key, bounds: this.#bounds }
    const { id } = await ask(this.#session(session), { path: '/append', body })
    if (owed !== undefined && !final) this.#hold(session, stream)
    if (final) this.#release(stream)
    return String(id)
  }

  async replay(
    session: string,
    lastEventId: string,
    deliver: (id: string, data: string) => void,
  ): Promise<Replay | 'unknown'> {
    const body = { after: lastEventId, bounds: this.#bounds }
    const { missed } = await ask(this.#session(session), { path: '/replay', body })
    if (!isRecord(missed) || !Array.isArray(missed['events'])) return 'unknown'
    for (const event of missed['events']) {
      if (isRecord(event)) deliver(String(event['id']), String(event['data']))
    }
    return { stream: String(missed['stream']), ended: missed['ended'] === true }
  }

  async delete(session: string): Promise<void> {
    await ask(this.#session(session), { path: '/forget', body: {} })
  }

  /** As long as the socket stands, the object knows that somebody works on the answer. */
  #hold(session: string, stream: string): void {
    const controller = new AbortController()
    this.#held.set(stream, controller)
    const [oldest] = this.#held.keys()
    if (this.#held.size > MAX_HELD_STREAMS && oldest !== undefined) this.#held.delete(oldest)
    const socket = new ObjectSocket({
      address: this.#session(session),
      path: '/hold',
      hello: () => ({ stream }),
      receive: () => undefined,
      signal: controller.signal,
    })
    // A call that cannot be held is answered all the same, unless it takes longer than the grace.
    socket.open().catch(() => undefined)
  }

  #release(stream: string): void {
    this.#held.get(stream)?.abort()
    this.#held.delete(stream)
  }

  #session(name: string): ObjectAddress {
    return { namespace: this.#namespace, name }
  }
}
