/**
 * The bus over Durable Objects: whoever publishes, in whatever isolate, reaches every stream.
 *
 * @module
 */
import type { Bus, BusEvent } from 'mcp-edge/stores'
import { MAX_CONNECTS_IN_FLIGHT, MAX_SHARDS, MAX_SOCKET_TOPICS, SHARDS } from './limits.ts'
import { namespaceFrom } from './bindings.ts'
import { ask } from './object-call.ts'
import type { ObjectAddress } from './object-call.ts'
import { ObjectSocket } from './object-socket.ts'
import { changedEvent, topicNumber } from './topics.ts'
import type { ObjectNamespace } from './types.ts'

/** How a bus is spread. */
export interface DurableObjectBusOptions {
  /**
   * Hubs that topics are spread over, at most 8; each takes about a thousand publishes a second. Every
   * Worker that shares the namespace needs the same number.
   *
   * @default 4
   */
  readonly shards?: number | undefined
}

/** A bus that takes many events at once. */
export interface DurableObjectBus extends Bus {
  /**
   * Publishes events in one request to each hub concerned. Events of one topic keep their order. In a
   * loop of `publish`, listeners in the same isolate get a turn only when the loop ends; this spares
   * the loop.
   */
  publishMany(events: readonly BusEvent[]): Promise<void>
}

/**
 * Makes a bus of a binding to {@link McpHub}. A publish has been stored and sent when its promise
 * resolves. A listener reconnects by itself and hears each event once and in order; a publish whose
 * answer was lost may be heard twice. What a listener missed for longer than its hub remembers is
 * reported as "changed", for everything it listens to.
 *
 * @param namespace the binding
 * @param options how many hubs
 * @throws {TypeError} if there is no binding, or the number of shards is not between 1 and 8
 */
export function durableObjectBus(
  namespace: ObjectNamespace | undefined,
  { shards = SHARDS }: DurableObjectBusOptions = {},
): DurableObjectBus {
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) {
    throw new TypeError(`durableObjectBus: shards must be an integer from 1 to ${MAX_SHARDS}`)
  }
  return new HubBus(namespaceFrom('durableObjectBus', namespace, 'McpHub'), shards)
}

class HubBus implements DurableObjectBus {
  readonly #namespace: ObjectNamespace
  readonly #shards: number
  readonly #streams = new WeakMap<(event: BusEvent) => void, Map<number, HubSubscription>>()

  constructor(namespace: ObjectNamespace, shards: number) {
    this.#namespace = namespace
    this.#shards = shards
  }

  publish(event: BusEvent): Promise<void> {
    return this.publishMany([event])
  }

  async publishMany(events: readonly BusEvent[]): Promise<void> {
    const groups = this.#grouped(events, ({ topic }) => topic)
    const publishing = [...groups].map(([shard, some]) => {
      const body = { events: some.map(({ topic, data }) => ({ topic, data: data ?? null })) }
      return ask(this.#hub(shard), { path: '/publish', body })
    })
    await Promise.all(publishing)
  }

  async subscribe(
    topics: readonly string[],
    deliver: (event: BusEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return
    const stream = this.#streamOf(deliver)
    const groups = [...this.#grouped(topics, (topic) => topic)]
    const connect = async (): Promise<void> => {
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
        const [shard, some] = group
        await this.#subscriptionOf(stream, shard, deliver).add(some, signal)
      }
    }
    await Promise.all(Array.from({ length: MAX_CONNECTS_IN_FLIGHT }, () => connect()))
  }

  /** A stream that subscribes bit by bit does so through one function, and shares its sockets. */
  #streamOf(deliver: (event: BusEvent) => void): Map<number, HubSubscription> {
    const stream = this.#streams.get(deliver) ?? new Map<number, HubSubscription>()
    this.#streams.set(deliver, stream)
    return stream
  }

  #subscriptionOf(
    stream: Map<number, HubSubscription>,
    shard: number,
    deliver: (event: BusEvent) => void,
  ): HubSubscription {
    const known = stream.get(shard)
    if (known !== undefined) return known
    const end = (): void => void stream.delete(shard)
    const made = new HubSubscription(this.#hub(shard), deliver, end)
    stream.set(shard, made)
    return made
  }

  #hub(shard: number): ObjectAddress {
    return { namespace: this.#namespace, name: `hub/${shard}of${this.#shards}` }
  }

  #grouped<Item>(
    items: readonly Item[],
    topicOf: (item: Item) => string,
  ): ReadonlyMap<number, Item[]> {
    return Map.groupBy(items, (item) => topicNumber(topicOf(item)) % this.#shards)
  }
}

/** What one stream hears from one hub. */
class HubSubscription {
  readonly #deliver: (event: BusEvent) => void
  readonly #end: () => void
  readonly #controller = new AbortController()
  readonly #socket: ObjectSocket
  /** The signals that each topic is wanted until. */
  readonly #topics = new Map<string, Set<AbortSignal>>()
  #opening: Promise<void> | undefined
  /** The last number heard; null before the first connection. */
  #after: number | null = null

  constructor(address: ObjectAddress, deliver: (event: BusEvent) => void, end: () => void) {
    this.#deliver = deliver
    this.#end = end
    this.#socket = new ObjectSocket({
      address,
      path: '/listen',
      hello: (again) => this.#hello(again),
      receive: (message) => this.#receive(message),
      signal: this.#controller.signal,
    })
  }

  async add(topics: readonly string[], signal: AbortSignal): Promise<void> {
    const wanted = new Set([...this.#topics.keys(), ...topics])
    if (wanted.size > MAX_SOCKET_TOPICS) {
      throw new TypeError(
        `durableObjectBus: a stream has at most ${MAX_SOCKET_TOPICS} topics a hub`,
      )
    }
    for (const topic of topics) {
      this.#topics.set(topic, (this.#topics.get(topic) ?? new Set()).add(signal))
    }
    signal.addEventListener('abort', () => this.#remove(topics, signal), { once: true })
    if (this.#opening === undefined) {
      this.#opening = this.#socket.open()
      await this.#opening
      return
    }
    await this.#opening
    await this.#socket.greetAgain()
  }

  /** The hub goes on sending what nobody wants; it is told with the next hello. */
  #remove(topics: readonly string[], signal: AbortSignal): void {
    for (const topic of topics) {
      const signals = this.#topics.get(topic)
      signals?.delete(signal)
      if (signals?.size === 0) this.#topics.delete(topic)
    }
    if (this.#topics.size > 0) return
    this.#end()
    this.#controller.abort()
  }

  #hello(again: boolean): Readonly<Record<string, unknown>> {
    const topics = [...new Set([...this.#topics.keys()].map(topicNumber))]
    return { topics, after: again ? null : this.#after }
  }

  #receive({ ready, gap, live, seq, topic, data }: Record<string, unknown>): void {
    if (typeof ready === 'number') {
      if (live === true || gap === true) this.#after = ready
      if (gap === true) this.#tellChanged()
      return
    }
    if (typeof seq !== 'number' || typeof topic !== 'string') return
    if (this.#after !== null && seq <= this.#after) return
    this.#after = seq
    if (this.#topics.has(topic)) this.#deliver({ topic, data })
  }

  #tellChanged(): void {
    for (const topic of this.#topics.keys()) {
      const event = changedEvent(topic)
      if (event !== undefined) this.#deliver(event)
    }
  }
}
