/**
 * The stream that a session opens with GET: what the server says without being asked. It carries
 * changes, completed pages and log messages of the server at large; never an answer, never a
 * question.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { isAtLeast, isLoggingLevel } from '../protocol/logging.ts'
import {
  ELICITATIONS_TOPIC,
  LOG_TOPIC,
  PROMPTS_TOPIC,
  resourceTopic,
  RESOURCES_TOPIC,
  TOOLS_TOPIC,
} from '../stores/bus.ts'
import type { BusEvent } from '../stores/bus.ts'
import { patched } from '../stores/session-store.ts'
import type { SessionRecord } from '../stores/session-store.ts'
import type { Awaitable } from '../shared/fetch.ts'
import { EventChannel } from './event-channel.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionMessage } from './session-mail.ts'
import { SessionConnection } from './session-connection.ts'
import type { Sessions } from './sessions.ts'
import { KEEPALIVE_FRAME } from './sse-format.ts'

/** The name of the one stream of a session that no request opened; no stream of a request has it. */
export const GET_STREAM = 'get'

/** A topic that is subscribed to. */
interface Followed {
  /** Ends the subscription. */
  readonly controller: AbortController
  /** The subscription has other topics too, so it goes on when this one is left. */
  readonly shared: boolean
  muted?: boolean | undefined
}

/** Whose stream is opened, and by whom. */
export interface Opened {
  readonly record: SessionRecord
  readonly auth: AuthInfo | undefined
}

/** The open GET stream of one session. */
export class GetStream extends SessionConnection {
  readonly #channel: EventChannel | undefined
  /** What is subscribed to on the bus. */
  readonly #topics = new Map<string, Followed>()
  /** Pages whose completion this session waits for. */
  readonly #elicitations: Set<string>
  #record: SessionRecord
  /** What arrives before the stream has said what it owes from before. */
  #held: string[] | undefined = []

  /**
   * @param live what is alive for the session
   * @param opened the session, and who opens its stream
   */
  constructor(sessions: Sessions, live: LiveSession, { record, auth }: Opened) {
    super(sessions, live, { stream: GET_STREAM, auth })
    this.#record = record
    this.#elicitations = new Set(sessions.expectedBy(record.id))
    const { clock, events } = sessions
    if (events === undefined) return
    const report = (error: unknown): void => sessions.report(error)
    const options = { clock, events, session: record.id, stream: GET_STREAM, report }
    this.#channel = new EventChannel(options, this.sse)
  }

  /**
   * Subscribes to what the session wants to hear.
   *
   * @returns settles when nothing is missed any more
   */
  subscribe(): Awaitable<unknown> {
    const { uris, logLevel } = this.#record
    const topics = [TOOLS_TOPIC, PROMPTS_TOPIC, RESOURCES_TOPIC, ...uris.map(resourceTopic)]
    if (logLevel !== undefined) topics.push(LOG_TOPIC)
    if (this.#elicitations.size > 0) topics.push(ELICITATIONS_TOPIC)
    this.sessions.host.watched.add(uris)
    return this.#follow(topics)
  }

  /**
   * Begins to send.
   *
   * @param replayed what the client missed, as text
   * @param primed an event with an id and no data comes first
   */
  start(replayed: string, primed: boolean): void {
    // Something has to flow at once: some proxies hold back headers until the first byte.
    this.sse.write(KEEPALIVE_FRAME + replayed)
    if (primed) this.#channel?.prime()
    const held = this.#held ?? []
    this.#held = undefined
    for (const message of held) this.#send(message)
  }

  override receive(message: SessionMessage): void {
    super.receive(message)
    if (message.kind === 'elicitation') {
      this.#elicitations.add(message.elicitationId)
      this.#followLater(ELICITATIONS_TOPIC)
    }
    if (message.kind !== 'patch') return
    const before = this.#record
    this.#record = patched(before, message.patch)
    if (this.#record.logLevel !== undefined) this.#followLater(LOG_TOPIC)
    this.#followUris(before.uris, this.#record.uris)
  }

  protected override closed(): void {
    for (const { controller } of this.#topics.values()) controller.abort()
    this.#topics.clear()
    this.sessions.host.watched.remove(this.#record.uris)
  }

  #followUris(before: readonly string[], now: readonly string[]): void {
    const { watched } = this.sessions.host
    const added = now.filter((uri) => !before.includes(uri))
    const removed = before.filter((uri) => !now.includes(uri))
    for (const uri of added) this.#followAgain(resourceTopic(uri))
    for (const uri of removed) this.#leave(resourceTopic(uri))
    watched.add(added)
    watched.remove(removed)
  }

  #followAgain(topic: string): void {
    const followed = this.#topics.get(topic)
    if (followed === undefined) this.#followLater(topic)
    else followed.muted = false
  }

  #followLater(topic: string): void {
    const failed = (error: unknown): void => this.sessions.report(error)
    try {
      const following = this.#follow([topic])
      if (following instanceof Promise) following.catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  /** Topics that are asked for together are subscribed to together: over a network, that is one way. */
  #follow(topics: readonly string[]): Awaitable<void> {
    const { bus } = this.sessions.host.settings
    const added = topics.filter((topic) => !this.#topics.has(topic))
    if (bus === undefined || added.length === 0 || !this.open) return undefined
    const controller = new AbortController()
    for (const topic of added) this.#topics.set(topic, { controller, shared: added.length > 1 })
    return bus.subscribe(added, this.#hear, controller.signal)
  }

  #leave(topic: string): void {
    const followed = this.#topics.get(topic)
    if (followed === undefined) return
    if (followed.shared) {
      followed.muted = true
      return
    }
    this.#topics.delete(topic)
    followed.controller.abort()
  }

  readonly #hear = ({ topic, data }: BusEvent): void => {
    if (this.#topics.get(topic)?.muted === true) return
    const message = this.#wanted(topic, data)
    if (message === undefined) return
    if (this.#held === undefined) this.#send(message)
    else this.#held.push(message)
  }

  #wanted(topic: string, data: unknown): string | undefined {
    if (topic === LOG_TOPIC) return this.#wantedLog(data)
    if (typeof data !== 'string') return undefined
    if (topic === ELICITATIONS_TOPIC) {
      const elicitationId = elicitationIn(data)
      if (elicitationId === undefined || !this.#elicitations.delete(elicitationId)) return undefined
      this.sessions.done(elicitationId)
    }
    return data
  }

  #wantedLog(data: unknown): string | undefined {
    const { logLevel } = this.#record
    if (logLevel === undefined || !isRecord(data) || !isLoggingLevel(data['level']))
      return undefined
    const text = data['text']
    return isAtLeast(data['level'], logLevel) && typeof text === 'string' ? text : undefined
  }

  #send(message: string): void {
    if (this.#channel === undefined) void this.sse.offer(this.sessions.frameOf(message))
    else void this.#channel.offer(message)
    // A reader too slow is sent away, and finds what it missed when it comes back.
    if (!this.sse.open) this.close()
  }
}

function elicitationIn(text: string): string | undefined {
  const value: unknown = JSON.parse(text)
  const params = isRecord(value) ? value['params'] : undefined
  const id = isRecord(params) ? params['elicitationId'] : undefined
  return typeof id === 'string' ? id : undefined
}
