/**
 * Where a broken stream can be resumed, and for how long to try.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import {
  MAX_RECONNECTS,
  MIN_RECONNECT_MS,
  RECONNECT_BUDGET_MS,
  RECONNECT_MS,
} from '../../protocol/limits.ts'
import { sleep } from '../sleep.ts'
import type { Clock } from '../../shared/clock.ts'

/** The resumption of one logical stream, over all the connections it takes. */
export class Resumption {
  readonly #clock: Clock
  #lastId: string | undefined
  #delayMs = RECONNECT_MS
  #attempts = 0
  #budgetMs = RECONNECT_BUDGET_MS

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The id of the last event, to be sent as `Last-Event-ID`. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** Notes an event: the stream works, so attempts count anew. */
  event(id?: string): void {
    if (id !== undefined && isHeaderSafe(id)) this.#lastId = id === '' ? undefined : id
    this.#attempts = 0
  }

  /** Notes how long the server asks to wait; raised to a floor, never shortened. */
  retry(ms: number): void {
    this.#delayMs = Math.max(ms, MIN_RECONNECT_MS)
  }

  /** Gives the stream its whole budget again: it has carried something useful. */
  renew(): void {
    this.#budgetMs = RECONNECT_BUDGET_MS
  }

  /**
   * Waits until the stream may be resumed.
   *
   * @param signal ends the wait; its reason is thrown
   * @param atLeastMs a wait the server asked for in another way
   * @returns undefined to go on, or why to give up
   */
  async wait(signal: AbortSignal, atLeastMs = 0): Promise<string | undefined> {
    if (this.#attempts >= MAX_RECONNECTS)
      return `it could not be resumed in ${MAX_RECONNECTS} attempts`
    const ms = Math.max(this.#delayMs, atLeastMs)
    if (ms > this.#budgetMs)
      return `the server asks to wait ${ms} ms, of which ${this.#budgetMs} are left`
    this.#attempts += 1
    this.#budgetMs -= ms
    await sleep(ms, signal, this.#clock)
    return undefined
  }
}

/** An id that cannot be sent in a header cannot be resumed from. */
function isHeaderSafe(id: string): boolean {
  return /^[\x20-\x7e\x80-\xff]*$/.test(id)
}
