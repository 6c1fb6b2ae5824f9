/**
 * The open listen streams of one endpoint, and what they share.
 *
 * @module
 */
import { report } from '../server/report.ts'
import type { OnError } from '../server/report.ts'
import { splitForTag } from '../server/subscriptions.ts'
import type { TaggedParts } from '../server/subscriptions.ts'
import type { Settings } from './options.ts'
import { FRAME_HEAD, FRAME_TAIL } from './sse-format.ts'

/** An open listen stream, as far as the others look at it. */
export interface OpenStream {
  /** Whose it is; undefined for anonymous callers. */
  readonly principal: string | undefined
  /** Ends it with its result. */
  complete(): void
}

/** The open listen streams of one endpoint. */
export class Listeners {
  readonly #open = new Set<OpenStream>()
  readonly #byPrincipal = new Map<string, number>()
  readonly #settings: Settings
  readonly #onError: OnError | undefined
  #data: unknown
  #frame: TaggedParts | undefined

  constructor(settings: Settings, onError: OnError | undefined) {
    this.#settings = settings
    this.#onError = onError
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  /**
   * Whether there is room for one more.
   *
   * @param principal whose it would be; undefined for anonymous callers, who have no cap of their own
   */
  admits(principal: string | undefined): boolean {
    const { listenStreams, listenPerPrincipal } = this.#settings
    if (this.#open.size >= listenStreams) return false
    return principal === undefined || (this.#byPrincipal.get(principal) ?? 0) < listenPerPrincipal
  }

  /** Takes a stream's slot. */
  add(listener: OpenStream): void {
    this.#open.add(listener)
    this.#count(listener.principal, 1)
  }

  /** Frees a stream's slot. */
  delete(listener: OpenStream): void {
    if (this.#open.delete(listener)) this.#count(listener.principal, -1)
  }

  /** Ends every stream with its result. */
  complete(): void {
    for (const listener of this.#open) listener.complete()
  }

  /**
   * The frame of an event, but for the id of the subscription. Every stream asks for the same event
   * in turn, so the last one is kept.
   *
   * @param data the event's data
   */
  frameOf(data: unknown): TaggedParts | undefined {
    if (data === this.#data) return this.#frame
    this.#data = data
    const parts = splitForTag(data)
    this.#frame = parts && { head: FRAME_HEAD + parts.head, tail: parts.tail + FRAME_TAIL }
    if (parts === undefined) {
      const error = new TypeError('an event of the bus is no notification as JSON text')
      report(this.#onError, error, { notification: { method: 'subscriptions/listen' } })
    }
    return this.#frame
  }

  #count(principal: string | undefined, step: number): void {
    if (principal === undefined) return
    const count = (this.#byPrincipal.get(principal) ?? 0) + step
    if (count > 0) this.#byPrincipal.set(principal, count)
    else this.#byPrincipal.delete(principal)
  }
}
