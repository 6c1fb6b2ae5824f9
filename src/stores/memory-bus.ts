/**
 * The bus of one process.
 *
 * @module
 */
import { onAbort } from '../shared/abort.ts'
import type { Bus, BusEvent } from './bus.ts'

/**
 * Makes a bus in memory. Events are delivered before `publish` returns.
 */
export function memoryBus(): Bus {
  return new MemoryBus()
}

interface Subscription {
  readonly deliver: (event: BusEvent) => void
}

class MemoryBus implements Bus {
  readonly #topics = new Map<string, Set<Subscription>>()

  async publish(event: BusEvent): Promise<void> {
    const failures: unknown[] = []
    for (const { deliver } of this.#topics.get(event.topic) ?? []) {
      try {
        deliver(event)
      } catch (failure) {
        failures.push(failure)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'A subscriber of the bus failed')
  }

  subscribe(
    topics: readonly string[],
    deliver: (event: BusEvent) => void,
    signal: AbortSignal,
  ): void {
    if (signal.aborted) return
    const subscription = { deliver }
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
