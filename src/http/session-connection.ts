/**
 * A connection that a session opened with GET, whichever stream it carries.
 *
 * @module
 */
import type { LiveSession, OpenConnection, SessionMember } from './live-session.ts'
import type { SessionMessage } from './session-mail.ts'
import type { Sessions } from './sessions.ts'
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { Awaitable } from '../shared/fetch.ts'
import { SseStream } from './sse-stream.ts'
import { endInTime } from './stream-age.ts'

/** What a connection carries, and for whom. */
export interface Carried {
  /** The name of the stream, unique within its session. */
  readonly stream: string
  readonly auth: AuthInfo | undefined
}

/** An open connection; another one that carries the same stream takes its place. */
export class SessionConnection implements SessionMember, OpenConnection {
  readonly sse: SseStream
  readonly sessions: Sessions
  protected readonly live: LiveSession
  readonly #stream: string
  readonly #holder: string
  readonly #since: number
  #closed = false
  readonly #deadline: unknown

  /**
   * @param live what is alive for its session
   * @param carried the stream it carries, and who opens it
   */
  constructor(sessions: Sessions, live: LiveSession, { stream, auth }: Carried) {
    const { settings } = sessions.host
    this.sessions = sessions
    this.live = live
    this.#stream = stream
    this.#holder = settings.randomUUID()
    this.#since = sessions.nextMoment()
    this.sse = new SseStream(settings, () => this.close())
    this.#deadline = endInTime(settings, auth?.expiresAt, () => this.close())
    live.add(this)
    sessions.connections.add(this)
  }

  /** The name of the stream it carries. */
  get stream(): string {
    return this.#stream
  }

  /** The id of the session. */
  get session(): string {
    return this.live.id
  }

  get open(): boolean {
    return !this.#closed
  }

  /** From now on hears what is told to the session. */
  listen(): Awaitable<void> {
    return this.live.listen()
  }

  /** Tells whoever carried the stream so far that it is carried here now. */
  takeOver(): Promise<void> {
    const { id } = this.live
    const message = {
      kind: 'takeover',
      stream: this.#stream,
      holder: this.#holder,
      at: this.#since,
    } as const
    return this.sessions.send(id, message)
  }

  receive(message: SessionMessage): void {
    if (message.kind === 'end') this.close()
    if (message.kind !== 'takeover' || message.stream !== this.#stream) return
    const { holder, at } = message
    // Mail can arrive late: a connection older than ours does not take over from us.
    if (holder !== this.#holder && at >= this.#since) this.close()
  }

  /** Ends the connection. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.sse.end()
    this.sessions.clock.clearTimeout(this.#deadline)
    this.sessions.connections.delete(this)
    this.closed()
    this.live.delete(this)
  }

  /** The connection has ended. */
  protected closed(): void {}
}
