/**
 * `McpSession`: the Durable Object of one session. It keeps the record, what went out on the streams,
 * and mail for whoever serves the session now; it runs no tools.
 *
 * Everything lives in SQLite, so an object that was evicted or reset goes on where it was. One alarm
 * wakes it when something is due; when nothing is left, not a row is.
 *
 * @see https://developers.cloudflare.com/durable-objects/api/alarms/
 * @module
 */
import { INTERNAL_ERROR, isRecord, JSONRPC_VERSION } from 'mcp-edge/protocol'
import {
  CLOSE_ENDED,
  EVENT_AGE_MS,
  MAIL_KEPT_MS,
  MAX_EVENTS,
  MAX_SESSION_EVENT_BYTES,
  OWED_GRACE_MS,
} from './limits.ts'
import { SessionTables } from './session-tables.ts'
import { closeSocket, readMessage, sendOn, upgraded, wantsSocket } from './sockets.ts'
import { StoredEvents } from './stored-events.ts'
import type { EventBounds, Orphan } from './stored-events.ts'
import { StoredMail } from './stored-mail.ts'
import { StoredMembers } from './stored-members.ts'
import { StoredSessionRecord } from './stored-session.ts'
import type { ObjectState, PlatformSocket } from './types.ts'

/** What holders of something alive are told at the end, in the words of `mcp-edge/http`. */
const SESSION_ENDED = '{"kind":"end"}'

type Body = Readonly<Record<string, unknown>>

/** One session; under other names also the list of a principal's sessions, and a key. */
export class McpSession {
  readonly #state: ObjectState
  readonly #tables: SessionTables
  readonly #session: StoredSessionRecord
  readonly #events: StoredEvents
  readonly #mail: StoredMail
  readonly #members: StoredMembers
  #bounds: EventBounds = {
    maxEvents: MAX_EVENTS,
    maxBytes: MAX_SESSION_EVENT_BYTES,
    maxAgeMs: EVENT_AGE_MS,
  }

  /** @param state what the platform gives the object */
  constructor(state: ObjectState) {
    this.#state = state
    this.#tables = new SessionTables(state.storage)
    this.#session = new StoredSessionRecord(this.#tables)
    this.#events = new StoredEvents(this.#tables)
    this.#mail = new StoredMail(this.#tables)
    this.#members = new StoredMembers(this.#tables)
    this.#resume()
  }

  /** The time, for tests that move it. */
  now(): number {
    return Date.now()
  }

  /** Answers a question of the stores, or takes a socket. */
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (wantsSocket(request)) {
      return upgraded((socket) => {
        this.#state.acceptWebSocket(socket)
        socket.serializeAttachment({ kind: pathname })
      })
    }
    const body: unknown = await request.json()
    const answer = await this.#answer(pathname, isRecord(body) ? body : {})
    await this.#wakeInTime()
    return answer === undefined
      ? new Response(`nothing is known about ${pathname}`, { status: 404 })
      : Response.json(answer)
  }

  /** A socket says what it is for. */
  webSocketMessage(socket: PlatformSocket, text: unknown): void {
    const hello = readMessage(text) ?? {}
    const { kind } = attachmentOf(socket)
    if (kind === '/hold' && typeof hello['stream'] === 'string') {
      socket.serializeAttachment({ kind, stream: hello['stream'] })
      this.#events.setDue(hello['stream'], null)
      sendOn(socket, JSON.stringify({ ready: 0, hello: hello['hello'] }))
      return
    }
    if (kind !== '/mail' || !this.#alive()) {
      closeSocket(socket, CLOSE_ENDED, 'the session is over')
      return
    }
    const { after } = hello
    socket.serializeAttachment({ kind, receives: true })
    sendOn(socket, JSON.stringify({ ready: this.#mail.newest, hello: hello['hello'] }))
    if (typeof after !== 'number') return
    for (const letter of this.#mail.since(after)) sendOn(socket, JSON.stringify(letter))
  }

  /** Whoever worked on an answer may be dead; it has a while to come back. */
  async webSocketClose(socket: PlatformSocket): Promise<void> {
    const { stream } = attachmentOf(socket)
    closeSocket(socket)
    if (stream === undefined) return
    this.#events.setDue(stream, this.now() + OWED_GRACE_MS)
    await this.#wakeInTime()
  }

  /** A connection broke. */
  webSocketError(socket: PlatformSocket): Promise<void> {
    return this.webSocketClose(socket)
  }

  /** Does what is due. Doing it twice does no harm. */
  async alarm(): Promise<void> {
    this.#tables.woke()
    const now = this.now()
    if (this.#session.exists && !this.#alive()) return this.#end()
    for (const orphan of this.#events.orphans(now)) this.#answerFor(orphan)
    this.#events.expire(this.#bounds, now)
    this.#mail.expire(now - MAIL_KEPT_MS)
    this.#members.expire(now)
    if (this.#vacant()) return this.#tables.wipe()
    await this.#wakeInTime()
  }

  #answer(path: string, body: Body): unknown {
    switch (path) {
      case '/create':
        return this.#create(body)
      case '/get':
        return { session: this.#session.get(this.now()) ?? null }
      case '/update':
        return { session: this.#session.update(recordIn(body, 'patch'), this.now()) ?? null }
      case '/delete':
        return this.#delete()
      case '/send':
        return this.#send(body)
      case '/append':
        return this.#append(body)
      case '/replay':
        return this.#replay(body)
      case '/forget':
        this.#events.clear()
        return {}
      default:
        return this.#answerOthers(path, body)
    }
  }

  /** What is asked of an object that is not a session. */
  #answerOthers(path: string, body: Body): unknown {
    const id = textIn(body, 'id')
    const until = numberIn(body, 'until')
    switch (path) {
      case '/enrol':
        return {
          enrolled: this.#members.enrol({ id, until, max: numberIn(body, 'max') }, this.now()),
        }
      case '/renew':
        this.#members.renew(id, until)
        return {}
      case '/leave':
        this.#members.leave(id)
        return this.#vacant() ? this.#tables.wipe().then(() => ({})) : {}
      case '/key':
        return { key: this.#key(textIn(body, 'key')) }
      default:
        return undefined
    }
  }

  #create(body: Body): unknown {
    this.#session.create(recordIn(body, 'record'), recordIn(body, 'lifetime'), this.now())
    return {}
  }

  async #delete(): Promise<unknown> {
    const deleted = this.#alive()
    const { owner } = this.#session
    if (this.#tables.exist) await this.#end()
    return { deleted, owner }
  }

  #send(body: Body): unknown {
    if (!this.#alive()) return {}
    const letter = this.#mail.add(textIn(body, 'message'), textIn(body, 'key'), this.now())
    if (letter !== undefined) this.#post(JSON.stringify(letter))
    return {}
  }

  #append(body: Body): unknown {
    this.#bounds = toBounds(body, this.#bounds)
    const owes = body['owes']
    const event = {
      stream: textIn(body, 'stream'),
      data: textIn(body, 'data'),
      final: body['final'] === true,
      owes: typeof owes === 'string' ? owes : undefined,
      key: textIn(body, 'key'),
    }
    const id = this.#events.append(event, this.#bounds, this.now())
    if (owes !== undefined) this.#events.setDue(event.stream, this.now() + OWED_GRACE_MS)
    return { id }
  }

  #replay(body: Body): unknown {
    this.#bounds = toBounds(body, this.#bounds)
    const missed = this.#events.replay(textIn(body, 'after'), this.#bounds, this.now())
    return { missed: missed ?? null }
  }

  /** An error in place of the answer that nobody will give. */
  #answerFor({ stream, owes }: Orphan): void {
    const id: unknown = JSON.parse(owes)
    const message = 'The call was interrupted; whether it had an effect is unknown'
    const error = { code: INTERNAL_ERROR, message }
    const data = JSON.stringify({ jsonrpc: JSONRPC_VERSION, id, error })
    const key = `${stream} interrupted`
    const event = { stream, data, final: true, owes: undefined, key }
    const eventId = this.#events.append(event, this.#bounds, this.now())
    const letter = { kind: 'event', stream, id: eventId, data, final: true }
    this.#send({ message: JSON.stringify(letter), key })
  }

  #key(suggested: string): string {
    const known = this.#tables.meta('key')
    if (known !== undefined) return known
    this.#tables.setMeta('key', suggested)
    return suggested
  }

  /** After a reset, whoever works on an answer has to come back; what needs doing is found again. */
  #resume(): void {
    if (!this.#tables.exist) return
    const held = new Set<string>()
    for (const socket of this.#state.getWebSockets()) {
      const { stream } = attachmentOf(socket)
      if (stream !== undefined) held.add(stream)
    }
    for (const stream of this.#events.owing(held)) {
      this.#events.setDue(stream, this.now() + OWED_GRACE_MS)
    }
  }

  #alive(): boolean {
    return this.#session.exists && this.now() < this.#session.endsAt
  }

  async #end(): Promise<void> {
    this.#post(JSON.stringify({ seq: this.#mail.newest + 1, message: SESSION_ENDED }))
    this.#session.clear()
    this.#events.clear()
    this.#mail.clear()
    await this.#tables.wipe()
    for (const socket of this.#state.getWebSockets()) {
      closeSocket(socket, CLOSE_ENDED, 'the session is over')
    }
  }

  #post(text: string): void {
    for (const socket of this.#state.getWebSockets()) {
      if (attachmentOf(socket).receives) sendOn(socket, text)
    }
  }

  #vacant(): boolean {
    return (
      !this.#session.exists &&
      this.#events.empty &&
      this.#mail.empty &&
      this.#members.empty &&
      this.#tables.meta('key') === undefined
    )
  }

  async #wakeInTime(): Promise<void> {
    if (!this.#tables.exist) return
    const due = Math.min(
      this.#session.endsAt,
      this.#events.dueAt(this.#bounds),
      this.#mail.oldest + MAIL_KEPT_MS,
      this.#members.firstEnd,
    )
    await this.#tables.wakeBy(due)
  }
}

interface Attachment {
  readonly kind: string | undefined
  /** It holds the answer of this stream. */
  readonly stream: string | undefined
  readonly receives: boolean
}

function attachmentOf(socket: PlatformSocket): Attachment {
  const value = socket.deserializeAttachment()
  const { kind, stream, receives } = isRecord(value) ? value : {}
  return {
    kind: typeof kind === 'string' ? kind : undefined,
    stream: typeof stream === 'string' ? stream : undefined,
    receives: receives === true,
  }
}

function toBounds(body: Body, before: EventBounds): EventBounds {
  const { maxEvents, maxBytes, maxAgeMs } = recordIn(body, 'bounds')
  return {
    maxEvents: typeof maxEvents === 'number' ? maxEvents : before.maxEvents,
    maxBytes: typeof maxBytes === 'number' ? maxBytes : before.maxBytes,
    maxAgeMs: typeof maxAgeMs === 'number' ? maxAgeMs : before.maxAgeMs,
  }
}

function recordIn(body: Body, key: string): Record<string, unknown> {
  const value = body[key]
  return isRecord(value) ? value : {}
}

function textIn(body: Body, key: string): string {
  const value = body[key]
  return typeof value === 'string' ? value : ''
}

function numberIn(body: Body, key: string): number {
  const value = body[key]
  return typeof value === 'number' ? value : 0
}
