/**
 * The sessions of one handler: who may enter which, and what is alive for each.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import { principalOf } from '../protocol/auth-info.ts'
import type { AuthInfo } from '../protocol/auth-info.ts'
import { SESSION_ID_HEADER } from '../protocol/constants.ts'
import { InvalidParamsError } from '../protocol/errors.ts'
import type { JSONRPCResponse, RequestId } from '../protocol/jsonrpc.ts'
import { MAX_EXPECTED_ELICITATIONS, MAX_SESSION_URIS } from '../protocol/limits.ts'
import type { Delivery } from '../server/call.ts'
import { report } from '../server/report.ts'
import type { McpServer } from '../server/server.ts'
import { after } from '../shared/after.ts'
import type { Clock } from '../shared/clock.ts'
import type { Awaitable } from '../shared/fetch.ts'
import type { EventStore } from '../stores/event-store.ts'
import type {
  SessionMail,
  SessionPatch,
  SessionRecord,
  SessionStore,
} from '../stores/session-store.ts'
import type { Exchange } from './exchange.ts'
import { LiveSession } from './live-session.ts'
import type { LiveSessionHome, OpenConnection } from './live-session.ts'
import type { Settings } from './options.ts'
import { refused } from './responses.ts'
import type { ExtraHeaders } from './responses.ts'
import { sessionMail } from './session-mail.ts'
import type { SessionMessage } from './session-mail.ts'
import { toFrame } from './sse-format.ts'
import type { Frame } from './sse-stream.ts'
import type { Watched } from './watched.ts'

/** What a request shows of itself before its body is read. */
export interface SessionVisit {
  readonly request: Request
  readonly auth: AuthInfo | undefined
  /** Headers of every response to it. */
  readonly extra: ExtraHeaders
}

/** Where sessions are served. */
export interface SessionHost {
  readonly server: McpServer
  readonly settings: Settings
  /** Exchanges in progress. */
  readonly live: Set<Exchange>
  /** Who watches which resource. */
  readonly watched: Watched
}

/** How much is alive for sessions. */
export interface SessionStats {
  /** Sessions for which something is. */
  readonly sessions: number
  /** Questions that wait for their answers. */
  readonly questions: number
}

/** The sessions of one handler. */
export class Sessions implements LiveSessionHome {
  readonly host: SessionHost
  readonly store: SessionStore
  readonly events: EventStore | undefined
  readonly mail: SessionMail | undefined
  readonly clock: Clock
  /** What reaches the client of a session besides answers. */
  readonly delivery: Delivery
  /** Connections that sessions opened with GET. */
  readonly connections: Set<OpenConnection> = new Set()
  readonly #randomUUID: () => string
  readonly #live = new Map<string, LiveSession>()
  /** Sessions by the pages that their users were sent to, the oldest first. */
  readonly #expected = new Map<string, string>()
  #prefix: string | undefined
  #framed: string | undefined
  #frame: Uint8Array<ArrayBuffer> | undefined
  #questions = 0
  #lastMoment = 0

  constructor(host: SessionHost, store: SessionStore) {
    const { bus, events, clock, randomUUID } = host.settings
    this.host = host
    this.store = store
    this.events = events
    this.mail = sessionMail(store, bus)
    this.clock = clock
    this.delivery = {
      changes: bus !== undefined && store.traits.mutable,
      logging: store.traits.mutable,
    }
    this.#randomUUID = randomUUID
  }

  /** Counts what is alive. */
  stats(): SessionStats {
    const questions = [...this.#live.values()].reduce((sum, { waiting }) => sum + waiting, 0)
    return { sessions: this.#live.size, questions }
  }

  /**
   * Finds the session that a request names, and checks that it may enter. Whether a session exists
   * is nobody's business but its owner's.
   *
   * @param visit the request
   * @param serve answers it inside the session
   * @param id the id that a refusal repeats, where the request has one
   * @returns what was answered, or the refusal
   * @throws whatever the store or the `ownsSession` option throws
   */
  enter(
    visit: SessionVisit,
    serve: (record: SessionRecord) => Awaitable<Response>,
    id?: RequestId,
  ): Awaitable<Response> {
    const { headers } = visit.request
    const refuse = (status: number, message: string): Response =>
      refused({ extra: visit.extra, id }, status, message)
    const named = headers.get(SESSION_ID_HEADER)
    if (named === null) return refuse(400, `Header ${SESSION_ID_HEADER} is missing`)
    const owner = ownerOf(visit.auth)
    return after(this.store.get(named, { owner }), (record) => {
      if (record === undefined || record.owner !== owner) {
        return refuse(404, 'There is no such session')
      }
      const origin = record.origin === undefined ? null : headers.get('origin')
      if (origin !== null && origin !== record.origin) {
        return refuse(403, 'The session belongs to another origin')
      }
      const { ownsSession } = this.host.settings
      if (ownsSession === undefined) return serve(record)
      return after(ownsSession(visit.request, record), (owns) =>
        owns ? serve(record) : refuse(403, 'The session belongs to somebody else'),
      )
    })
  }

  /** What is alive for a session here; made where there is nothing yet. */
  live(id: string): LiveSession {
    const known = this.#live.get(id)
    if (known !== undefined) return known
    const made = new LiveSession(this, id)
    if (!this.host.settings.requestBound) this.#live.set(id, made)
    return made
  }

  /** Tells whoever holds something alive for a session, here and elsewhere. */
  async send(id: string, message: SessionMessage): Promise<void> {
    const live = this.#live.get(id)
    if (live === undefined) await this.mail?.send(id, JSON.stringify(message))
    else await live.send(message)
  }

  /**
   * Changes what is kept of a session, and tells the streams that depend on it.
   *
   * @throws {InvalidParamsError} if it would subscribe to too many resources
   * @throws {InvalidRequestError} where the store cannot change it
   */
  async update(id: string, patch: SessionPatch): Promise<void> {
    if (patch.subscribe !== undefined) {
      const uris = (await this.store.get(id))?.uris ?? []
      if (uris.length >= MAX_SESSION_URIS && !uris.includes(patch.subscribe)) {
        throw new InvalidParamsError(
          `A session subscribes to at most ${MAX_SESSION_URIS} resources`,
        )
      }
    }
    await this.store.update(id, patch)
    await this.send(id, { kind: 'patch', patch })
  }

  /** Takes a client's answer to whoever asked. An answer to nobody's question is dropped. */
  async answer(id: string, response: JSONRPCResponse): Promise<void> {
    if (this.#live.get(id)?.settle(response) === true) return
    await this.mail?.send(id, JSON.stringify({ kind: 'answer', response }))
  }

  /** Ends what is alive here, and leaves the sessions be. */
  close(): void {
    for (const live of this.#live.values()) live.deliver({ kind: 'end' })
  }

  nextQuestionId(): string {
    this.#prefix ??= this.#randomUUID()
    this.#questions += 1
    return `${this.#prefix}-${this.#questions}`
  }

  /** The time, but later than every time before. */
  nextMoment(): number {
    this.#lastMoment = Math.max(this.clock.now(), this.#lastMoment + 1)
    return this.#lastMoment
  }

  /**
   * A message as an event. Every stream that hears of a change asks for the same one in turn, so the
   * last one is kept.
   */
  frameOf(message: string): Frame {
    if (this.#frame === undefined || message !== this.#framed) {
      this.#framed = message
      this.#frame = this.host.settings.encoder.encode(toFrame(message))
    }
    return this.#frame
  }

  /** A name for a stream; no handler makes the same one. */
  nextStreamName(): string {
    return this.#randomUUID()
  }

  remember(elicitationId: string, session: string): void {
    this.#expected.delete(elicitationId)
    this.#expected.set(elicitationId, session)
    const [oldest] = this.#expected.keys()
    if (this.#expected.size > MAX_EXPECTED_ELICITATIONS && oldest !== undefined) {
      this.#expected.delete(oldest)
    }
  }

  /** The pages whose completion a session waits for, as far as they were asked for here. */
  expectedBy(session: string): readonly string[] {
    return [...this.#expected].filter(([, owner]) => owner === session).map(([id]) => id)
  }

  /** A page is done, and its session was told. */
  done(elicitationId: string): void {
    this.#expected.delete(elicitationId)
  }

  report(error: unknown): void {
    report(this.host.server.core.onError, error, { notification: { method: 'session' } })
  }

  forget(session: LiveSession): void {
    if (this.#live.get(session.id) === session) this.#live.delete(session.id)
  }
}

/**
 * The principal that a session belongs to.
 *
 * @param auth who opens it, or wants to enter
 */
export function ownerOf(auth: AuthInfo | undefined): string | undefined {
  return auth === undefined ? undefined : principalOf(auth)
}
