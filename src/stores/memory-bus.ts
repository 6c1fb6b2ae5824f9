/**
 * The bus of one process.
 *
 * @module
 */
import { onAbort } from '../shared/abort.ts'
import { inSlices } from '../shared/turn.ts'
import type { Bus, BusEvent } from './bus.ts'

/**
 * Makes a bus in memory. A publish has reached every subscriber when its promise resolves; with many
 * subscribers it gives way to other work in between, and later events wait for it.
 */
export function memoryBus(): Bus {
  return new MemoryBus()
}

/** A subscription is the function that hears of it, which no other subscription has. */
type Subscription = (event: BusEvent) => void

class MemoryBus implements Bus {
  readonly reach = 'process'
  readonly #topics = new Map<string, Set<Subscription>>()
  /** The last delivery that has not ended: the next one waits, so that nobody is overtaken. */
  #delivering: Promise<void> | undefined

  async publish(event: BusEvent): Promise<void> {
    const failures: unknown[] = []
    const before = this.#delivering
    const delivering =
      before === undefined
        ? this.#deliver(event, failures)
        : before.then(() => this.#deliver(event, failures))
    this.#delivering = delivering
    await delivering
    if (this.#delivering === delivering) this.#delivering = undefined
    if (failures.length > 0) throw new AggregateError(failures, 'A subscriber of the bus failed')
  }

  #deliver(event: BusEvent, failures: unknown[]): Promise<void> {
    return inSlices(this.#topics.get(event.topic) ?? [], (deliver) => {
      try {
        deliver(event)
      } catch (failure) {
        failures.push(failure)
      }
    })
  }

  subscribe(topics: readonly string[], deliver: Subscription, signal: AbortSignal): void {
    if (signal.aborted) return
    const taken = topics.some((topic) => this.#topics.get(topic)?.has(deliver))
    const subscription: Subscription = taken ? (event) => deliver(event) : deliver
    for (const topic of topics) this.#add(topic, subscription)
    onAbort(signal, () => {
      for (const topic of topics) this.#remove(topic, subscription)
    })
  }

  #add(topic: string, subscription: Subscription): void {
    const subscriptions = this.#topics.get(topic)
    if (subscriptions === undefined) this.#topics.set(topic, new Set([subscription]))
    else subscriptions.add(subscription)
  }

  #remove(topic: string, subscription: Subscription): void {
    const subscriptions = this.#topics.get(topic)
    subscriptions?.delete(subscription)
    if (subscriptions?.size === 0) this.#topics.delete(topic)
  }
}
