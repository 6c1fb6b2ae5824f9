/**
 * From a change to the bus of one endpoint.
 *
 * @module
 */
import { BUS_PATIENCE_MS } from '../protocol/limits.ts'
import type { Change } from '../server/notifier.ts'
import { report } from '../server/report.ts'
import type { OnError } from '../server/report.ts'
import { toBusEvent } from '../server/subscriptions.ts'
import type { Bus } from '../stores/bus.ts'
import { nextTurn } from '../shared/turn.ts'
import { within } from '../shared/within.ts'
import type { Settings } from './options.ts'

/** Parts of a stream's byte budget that may be published in one turn of the event loop. */
const BURSTS_PER_BUDGET = 4

/** Publishes changes; whatever becomes of them, no request is harmed. */
export class Publisher {
  readonly #bus: Bus
  readonly #settings: Settings
  readonly #onError: OnError | undefined
  #sinceTurn = 0

  constructor(bus: Bus, settings: Settings, onError: OnError | undefined) {
    this.#bus = bus
    this.#settings = settings
    this.#onError = onError
  }

  /**
   * Hands a change to the bus. Never rejects: a bus that fails, or takes longer than
   * {@link BUS_PATIENCE_MS}, is reported.
   *
   * @param change what changed
   */
  async publish(change: Change): Promise<void> {
    const event = toBusEvent(change)
    try {
      await within(this.#bus.publish(event), {
        clock: this.#settings.clock,
        ms: BUS_PATIENCE_MS,
        reason: () => new DOMException('The bus takes too long to publish', 'TimeoutError'),
      })
    } catch (error) {
      report(this.#onError, error, { notification: { method: `publish ${event.topic}` } })
    }
    await this.#pace(String(event.data).length)
  }

  /** A burst gives way now and then, so that streams whose clients read can drain in between. */
  async #pace(published: number): Promise<void> {
    this.#sinceTurn += published
    if (this.#sinceTurn * BURSTS_PER_BUDGET < this.#settings.streamBytes) return
    this.#sinceTurn = 0
    await nextTurn()
  }
}
