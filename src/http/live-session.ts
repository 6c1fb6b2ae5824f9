/**
 * What is alive for one session in one handler: calls in progress, questions that wait, streams that
 * are open. It exists while there is any, and only then hears of what happens elsewhere.
 *
 * @module
 */
import type { JSONRPCResponse } from '../protocol/jsonrpc.ts'
import { SESSION_TOUCH_MS } from '../protocol/limits.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import { PendingRequests } from '../rpc/pending.ts'
import type { Clock } from '../shared/clock.ts'
import type { Awaitable } from '../shared/fetch.ts'
import type { SessionMail, SessionStore } from '../stores/session-store.ts'
import { readSessionMessage } from './session-mail.ts'
import type { SessionMessage } from './session-mail.ts'

/** Something alive: a call, or a connection that carries a stream. */
export interface SessionMember {
  /** Takes what was told to the session; what does not concern it, it ignores. */
  receive(message: SessionMessage): void
}

/** A connection that a session opened with GET. */
export interface OpenConnection {
  /** The id of the session. */
  readonly session: string
  /** The name of the stream it carries. */
  readonly stream: string
}

/** What the live sessions of one handler share. */
export interface LiveSessionHome {
  readonly store: SessionStore
  readonly mail: SessionMail | undefined
  readonly clock: Clock
  /** Makes an id for a question; no handler makes the same one. */
  nextQuestionId(): string
  /** Keeps in mind which session to tell when the user is done at a page. */
  remember(elicitationId: string, session: string): void
  report(error: unknown): void
  /** Nothing is alive for a session any more. */
  forget(session: LiveSession): void
}

/** What is alive for one session. */
export class LiveSession {
  readonly id: string
  readonly #home: LiveSessionHome
  readonly #members = new Set<SessionMember>()
  #questions: PendingRequests | undefined
  #mail: AbortController | undefined
  #receiving: Awaitable<void> = undefined
  /** Mail to the session comes back to us. */
  #echoes = false
  #timer: unknown

  constructor(home: LiveSessionHome, id: string) {
    this.#home = home
    this.id = id
  }

  /** Whether mail reaches us, so that answers can come from anywhere. */
  get reachable(): boolean {
    return this.#home.mail !== undefined
  }

  /** How many questions wait for their answers. */
  get waiting(): number {
    return this.#questions?.size ?? 0
  }

  /** Questions to the client of this session, and of no other. */
  get questions(): PendingRequests {
    const { clock } = this.#home
    this.#questions ??= new PendingRequests({ clock, nextId: () => this.#home.nextQuestionId() })
    return this.#questions
  }

  /** What is alive. */
  get members(): ReadonlySet<SessionMember> {
    return this.#members
  }

  add(member: SessionMember): void {
    this.#members.add(member)
  }

  /** Lets go of something; with the last, of everything. */
  delete(member: SessionMember): void {
    this.#members.delete(member)
    if (this.#members.size > 0) return
    this.#mail?.abort()
    this.#home.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#home.forget(this)
  }

  /** Keeps the session from expiring while something is alive. */
  keep(): void {
    if (this.#members.size === 0) return
    this.#timer ??= this.#home.clock.setTimeout(() => void this.#touch(), SESSION_TOUCH_MS)
  }

  /**
   * From now on hears what other handlers are told about the session. Not done for every call,
   * because most are over before anyone could say something about them.
   *
   * @returns settles when nothing is missed any more; a failure is reported, and what arrives at
   *   this handler is still heard
   */
  listen(): Awaitable<void> {
    const { mail } = this.#home
    if (this.#mail !== undefined || this.#members.size === 0) return this.#receiving
    this.keep()
    const controller = new AbortController()
    this.#mail = controller
    if (mail === undefined) return undefined
    const deliver = (text: string): void => {
      const message = readSessionMessage(text)
      if (message !== undefined) this.deliver(message)
    }
    try {
      const receiving = mail.receive(this.id, deliver, controller.signal)
      if (receiving instanceof Promise) this.#receiving = this.#received(receiving)
      else this.#echoes = true
    } catch (error) {
      this.#home.report(error)
    }
    return this.#receiving
  }

  async #received(receiving: Promise<void>): Promise<void> {
    try {
      await receiving
      this.#echoes = true
    } catch (error) {
      this.#home.report(error)
    }
  }

  /**
   * Tells everyone who holds something alive for the session. Those here hear it at once, and once
   * more when it comes back; only an event must not be heard twice.
   */
  async send(message: SessionMessage): Promise<void> {
    if (message.kind !== 'event' || !this.#echoes) this.deliver(message)
    await this.#home.mail?.send(this.id, JSON.stringify(message))
  }

  /** Tells, and reports where that fails. For what must not fail on account of others. */
  tell(message: SessionMessage): void {
    this.send(message).catch((error: unknown) => this.#home.report(error))
  }

  /** Takes what was told to the session. Never throws. */
  deliver(message: SessionMessage): void {
    try {
      if (message.kind === 'answer') this.settle(message.response)
      if (message.kind === 'end') {
        this.#questions?.close(new ConnectionClosedError('The session has ended'))
      }
      for (const member of this.#members) member.receive(message)
    } catch (error) {
      this.#home.report(error)
    }
  }

  /**
   * Takes an answer of the client.
   *
   * @returns whether a question here waited for it
   */
  settle(response: JSONRPCResponse): boolean {
    return this.#questions?.settle(response) ?? false
  }

  /** The user was sent to a page; only this session hears when that is done. */
  expect(elicitationId: string): void {
    this.#home.remember(elicitationId, this.id)
    this.tell({ kind: 'elicitation', elicitationId })
  }

  async #touch(): Promise<void> {
    this.#timer = undefined
    try {
      const record = await this.#home.store.get(this.id)
      if (record === undefined) this.deliver({ kind: 'end' })
    } catch (error) {
      this.#home.report(error)
    }
    this.keep()
  }
}
