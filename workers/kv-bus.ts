/**
 * A bus over Workers KV, for accounts without Durable Objects.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import type { Bus, BusEvent } from 'mcp-edge/stores'
import { kvFrom } from './bindings.ts'
import { KV_EVENT_TTL_S, KV_POLL_MS, MAX_SEEN_EVENTS } from './limits.ts'
import { spread } from './object-call.ts'
import { readMessage } from './sockets.ts'
import { topicNumber } from './topics.ts'
import type { KvNamespace } from './types.ts'

/** How often it is looked. */
export interface KvBusOptions {
  /**
   * Milliseconds between two looks of each stream, a quarter more or less; each look is one list
   * operation, and one read for each new event.
   *
   * @default 5000
   */
  readonly pollMs?: number | undefined
}

/**
 * Makes a bus of a KV namespace. An event is heard within `pollMs` where it was published, and within
 * 60 s more elsewhere, because KV is eventually consistent. The events of one isolate are heard in
 * their order as far as KV shows them in it.
 *
 * @param namespace the binding
 * @param options how often it is looked
 * @throws {TypeError} if there is no binding, or `pollMs` is not a positive integer
 */
export function kvBus(
  namespace: KvNamespace | undefined,
  { pollMs = KV_POLL_MS }: KvBusOptions = {},
): Bus {
  if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
    throw new TypeError('kvBus: pollMs must be a positive integer')
  }
  return new KvBus(kvFrom('kvBus', namespace), pollMs)
}

const PREFIX = 'mcp-edge/event/'
const TIME_DIGITS = 9
const COUNT_DIGITS = 6

interface Found {
  readonly key: string
  readonly topic: unknown
}

class KvBus implements Bus {
  readonly #kv: KvNamespace
  readonly #pollMs: number
  #published = 0

  constructor(kv: KvNamespace, pollMs: number) {
    this.#kv = kv
    this.#pollMs = pollMs
  }

  async publish({ topic, data }: BusEvent): Promise<void> {
    this.#published += 1
    const time = Date.now().toString(36).padStart(TIME_DIGITS, '0')
    const count = this.#published.toString(36).padStart(COUNT_DIGITS, '0')
    const key = `${PREFIX}${time}-${count}-${crypto.randomUUID()}`
    const options = { expirationTtl: KV_EVENT_TTL_S, metadata: { topic: topicNumber(topic) } }
    await this.#kv.put(key, JSON.stringify({ topic, data: data ?? null }), options)
  }

  async subscribe(
    topics: readonly string[],
    deliver: (event: BusEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return
    const seen = new Set((await this.#list()).map(({ key }) => key))
    const inbox = new KvInbox(new Set(topics), seen)
    const look = async (): Promise<void> => {
      try {
        const events = await inbox.unseen(await this.#list(), (key) => this.#kv.get(key))
        for (const event of events) if (!signal.aborted) deliver(event)
      } finally {
        later()
      }
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (): void => {
      // A look that fails is made up for by the next one.
      if (!signal.aborted) timer = setTimeout(() => void look().catch(noted), spread(this.#pollMs))
    }
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    later()
  }

  async #list(): Promise<readonly Found[]> {
    const found: Found[] = []
    let cursor: string | undefined
    do {
      const page = await this.#kv.list({ prefix: PREFIX, cursor: cursor ?? null })
      for (const { name, metadata } of page.keys) {
        found.push({ key: name, topic: isRecord(metadata) ? metadata['topic'] : undefined })
      }
      cursor = page.list_complete ? undefined : page.cursor
    } while (cursor !== undefined)
    return found
  }
}

/** What one subscription has seen. */
class KvInbox {
  readonly #topics: ReadonlySet<string>
  readonly #numbers: ReadonlySet<unknown>
  readonly #seen: Set<string>

  constructor(topics: ReadonlySet<string>, seen: Set<string>) {
    this.#topics = topics
    this.#numbers = new Set([...topics].map(topicNumber))
    this.#seen = seen
  }

  /** Events that are new and wanted, in the order of their keys. */
  async unseen(
    found: readonly Found[],
    read: (key: string) => Promise<string | null>,
  ): Promise<readonly BusEvent[]> {
    const events: BusEvent[] = []
    for (const { key, topic: number } of found) {
      if (this.#seen.has(key)) continue
      const value = this.#numbers.has(number) ? await read(key) : ''
      // Listed, but not yet to be read: the next look finds it.
      if (value === null) continue
      this.#see(key)
      const { topic, data } = readMessage(value) ?? {}
      if (typeof topic === 'string' && this.#topics.has(topic)) events.push({ topic, data })
    }
    return events
  }

  #see(key: string): void {
    this.#seen.add(key)
    const [oldest] = this.#seen
    if (this.#seen.size > MAX_SEEN_EVENTS && oldest !== undefined) this.#seen.delete(oldest)
  }
}

function noted(): void {}
