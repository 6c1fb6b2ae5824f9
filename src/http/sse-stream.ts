/**
 * An event stream to one client: bounded, kept alive, and given up when nobody reads it.
 *
 * @module
 */
import type { Clock } from '../shared/clock.ts'
import { jittered } from '../shared/jitter.ts'
import { KEEPALIVE_FRAME } from './sse-format.ts'

/** Keepalive ticks without any movement after which a reader with a backlog counts as gone. */
const STALLED_TICKS = 3

/** What `new TextEncoder()` makes; Node's types know the class only as a value. */
export type Encoder = InstanceType<typeof TextEncoder>

/** Events, as text or encoded: what many streams carry is encoded once, and nobody changes it. */
export type Frame = string | Uint8Array<ArrayBuffer>

/** What streams have in common. */
export interface StreamSettings {
  readonly clock: Clock
  /** Milliseconds between ticks of the stream's own timer; Infinity for no timer. */
  readonly keepaliveMs: number
  /** Bytes that may wait for the reader. */
  readonly streamBytes: number
  /** One for all streams keeps each of them small. */
  readonly encoder: Encoder
}

/** An event stream to one client. Writing to one that has ended does nothing. */
export class SseStream {
  /** What the response carries. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly #settings: StreamSettings
  readonly #onGone: () => void
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  #timer: unknown
  #enqueued = 0
  #enqueuedWhenEmpty = 0
  #drainedAtTick = 0
  #stalledTicks = 0
  readonly #waiting: (() => void)[] = []

  /** @param onGone called once when the reader is gone, or counts as gone; not after `end` */
  constructor(settings: StreamSettings, onGone: () => void) {
    this.#settings = settings
    this.#onGone = onGone
    this.readable = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#drained(),
        cancel: () => this.#gone(),
      },
      // Sized in bytes, with nothing wanted ahead of the reader: the backlog is then -desiredSize.
      { highWaterMark: 0, size: bytesOf },
    )
    this.#tickLater()
  }

  /** Whether anyone may still read what is written. */
  get open(): boolean {
    return this.#controller !== undefined
  }

  /** Bytes that wait for the reader. */
  get backlog(): number {
    return -(this.#controller?.desiredSize ?? 0)
  }

  /** Whether the backlog is at its bound. */
  get full(): boolean {
    const { streamBytes } = this.#settings
    // Most streams never come near their bound: what was written since the reader had read all tells.
    return this.#enqueued - this.#enqueuedWhenEmpty >= streamBytes && this.backlog >= streamBytes
  }

  /**
   * Writes what may be lost: dropped while the backlog is at its bound.
   *
   * @param frame one or more events
   * @returns settles when there is room again; undefined when there is room
   */
  offer(frame: Frame): Promise<void> | undefined {
    if (!this.full) this.write(frame)
    return this.room()
  }

  /** Settles when there is room again, or nobody reads any more; undefined when that is so now. */
  room(): Promise<void> | undefined {
    if (!this.open || !this.full) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /**
   * Writes what must not be lost, however long the backlog is.
   *
   * @param frame one or more events
   */
  write(frame: Frame): void {
    const bytes = typeof frame === 'string' ? this.#settings.encoder.encode(frame) : frame
    this.#controller?.enqueue(bytes)
    this.#enqueued += bytes.byteLength
  }

  /** Ends the stream after what has been written. */
  end(): void {
    const controller = this.#controller
    this.#release()
    controller?.close()
  }

  /** A reader is waiting, so it has read all there was. */
  #drained(): void {
    this.#enqueuedWhenEmpty = this.#enqueued
    if (this.#waiting.length === 0) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #tickLater(): void {
    const { clock, keepaliveMs } = this.#settings
    if (keepaliveMs === Infinity) return
    this.#timer = clock.setTimeout(() => this.tick(), jittered(keepaliveMs))
  }

  /**
   * Keeps the stream alive, or gives it up. A long queue is no proof of a slow reader; a queue that does
   * not move is. Called by the stream's own timer, or by whoever keeps many alive together.
   */
  tick(): void {
    const { backlog } = this
    const drained = this.#enqueued - backlog
    const stalled = backlog > 0 && drained === this.#drainedAtTick
    this.#stalledTicks = stalled ? this.#stalledTicks + 1 : 0
    this.#drainedAtTick = drained
    if (this.#stalledTicks >= STALLED_TICKS) {
      const controller = this.#controller
      this.#gone()
      controller?.error(new DOMException('The reader stopped reading', 'AbortError'))
      return
    }
    if (backlog === 0) this.write(KEEPALIVE_FRAME)
    // Deno tells while it writes that the reader is gone; a tick after that would be followed by one for ever.
    if (this.open) this.#tickLater()
  }

  #gone(): void {
    if (!this.open) return
    this.#release()
    this.#onGone()
  }

  #release(): void {
    this.#controller = undefined
    this.#settings.clock.clearTimeout(this.#timer)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /**
   * Gives the stream up because the platform says that its reader is gone. Closed, not failed: some
   * servers print what a stream fails with, and a client that leaves is no failure.
   */
  abandon(): void {
    const controller = this.#controller
    this.#gone()
    controller?.close()
  }
}

function bytesOf(chunk: Uint8Array<ArrayBuffer>): number {
  return chunk.byteLength
}
