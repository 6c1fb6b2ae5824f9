/**
 * The open listen streams of one endpoint, and what they share.
 *
 * @module
 */
import { report } from '../server/report.ts'
import type { OnError } from '../server/report.ts'
import { splitForTag } from '../server/subscriptions.ts'
import type { TaggedParts } from '../server/subscriptions.ts'
import { jittered } from '../shared/jitter.ts'
import { inSlices } from '../shared/turn.ts'
import type { Settings } from './options.ts'
import { FRAME_HEAD, FRAME_TAIL } from './sse-format.ts'
import type { StreamSettings } from './sse-stream.ts'

/** An open listen stream, as far as the others look at it. */
export interface OpenStream {
  /** Whose it is; undefined for anonymous callers. */
  readonly principal: string | undefined
  /** Ends it with its result. */
  complete(): void
  /** Keeps it alive, or gives it up. */
  tick(): void
}

/** The open listen streams of one endpoint. */
export class Listeners {
  readonly #open = new Set<OpenStream>()
  readonly #byPrincipal = new Map<string, number>()
  readonly #settings: Settings
  /** What streams are made with that one timer keeps alive. */
  readonly #streams: StreamSettings
  readonly #onError: OnError | undefined
  #timer: unknown
  #ticking = false
  #data: unknown
  #frame: TaggedParts | undefined

  constructor(settings: Settings, onError: OnError | undefined) {
    this.#settings = settings
    this.#streams = this.#shared ? { ...settings, keepaliveMs: Infinity } : settings
    this.#onError = onError
  }

  /**
   * Whether one timer keeps all streams alive: with thousands of them, theirs would cost more than a
   * fan-out. Where news comes from beyond the process, each has its own.
   */
  get #shared(): boolean {
    return this.#settings.bus?.reach === 'process'
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

  /**
   * What a request's stream is made with. On Workers a timer ends with the request that set it, and
   * requests must not touch each other's streams, so there each stream has its own.
   *
   * @param isolated whether the request has an execution context of its own
   */
  streamsOf(isolated: boolean): StreamSettings {
    return isolated ? this.#settings : this.#streams
  }

  /**
   * Takes a stream's slot.
   *
   * @param listener the stream
   * @param isolated whether its request has an execution context of its own, so that it ticks by itself
   */
  add(listener: OpenStream, isolated = false): void {
    this.#open.add(listener)
    this.#count(listener.principal, 1)
    if (!isolated) this.#tickLater()
  }

  /** Frees a stream's slot. */
  delete(listener: OpenStream): void {
    if (!this.#open.delete(listener)) return
    this.#count(listener.principal, -1)
    if (this.#open.size > 0) return
    this.#settings.clock.clearTimeout(this.#timer)
    this.#timer = undefined
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

  #tickLater(): void {
    const { clock, keepaliveMs } = this.#settings
    const busy = this.#timer !== undefined || this.#ticking || this.#open.size === 0
    if (busy || !this.#shared || keepaliveMs === Infinity) return
    this.#timer = clock.setTimeout(() => void this.#tick(), jittered(keepaliveMs))
  }

  async #tick(): Promise<void> {
    this.#timer = undefined
    this.#ticking = true
    await inSlices(this.#open, (stream) => stream.tick())
    this.#ticking = false
    this.#tickLater()
  }

  #count(principal: string | undefined, step: number): void {
    if (principal === undefined) return
    const count = (this.#byPrincipal.get(principal) ?? 0) + step
    if (count > 0) this.#byPrincipal.set(principal, count)
    else this.#byPrincipal.delete(principal)
  }
}
