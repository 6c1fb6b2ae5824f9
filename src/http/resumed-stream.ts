/**
 * A connection on which a client comes back for the rest of an answer: the stream that some POST
 * opened goes on here, wherever its call runs.
 *
 * @module
 */
import { toEventFrame } from './event-channel.ts'
import { SessionConnection } from './session-connection.ts'
import type { SessionMessage } from './session-mail.ts'
import { POLL_RETRY_MS } from '../protocol/limits.ts'
import { KEEPALIVE_FRAME, toRetryFrame } from './sse-format.ts'

type EventMessage = Extract<SessionMessage, { readonly kind: 'event' }>

/** Carries the stream of a call that another connection began. */
export class ResumedStream extends SessionConnection {
  /** What arrives while the events before it are looked up. */
  #held: EventMessage[] | undefined = []

  /**
   * Begins to send.
   *
   * @param replayed what the client missed, as text
   * @param delivered the ids in it; an event that was looked up and arrived as well is sent once
   */
  start(replayed: string, delivered: ReadonlySet<string>): void {
    this.sse.write(KEEPALIVE_FRAME + replayed)
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) {
      if (event.id === undefined || !delivered.has(event.id)) this.#send(event)
    }
  }

  override receive(message: SessionMessage): void {
    super.receive(message)
    if (message.kind === 'hangup' && message.stream === this.stream) this.#hangUp()
    if (message.kind !== 'event' || message.stream !== this.stream) return
    if (this.#held === undefined) this.#send(message)
    else this.#held.push(message)
  }

  #send(event: EventMessage): void {
    if (!this.open) return
    const frame = toEventFrame(event)
    if (frame !== '') this.sse.write(frame)
    if (event.final || this.sse.full) this.close()
  }

  #hangUp(): void {
    if (this.open) this.sse.write(toRetryFrame(POLL_RETRY_MS))
    this.close()
  }
}
