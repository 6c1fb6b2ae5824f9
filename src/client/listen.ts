/**
 * Listening for changes, as an async iterable that outlives broken connections.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @module
 */
import { isMcpError } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { MAX_RELISTEN_MS, MAX_WAITING_CHARS, RECONNECT_MS } from '../protocol/limits.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { HttpError, NetworkError, StreamBrokenError } from './errors.ts'
import { changeOf, everythingIn } from './listen-filter.ts'
import type { Change } from './listen-filter.ts'
import { sleep } from './sleep.ts'

/** A change, as the application sees it. */
export type ListenEvent = Change & {
  /** True after a gap in which changes may have been missed: read it again. */
  readonly missed?: boolean | undefined
}

/** Told what happens on a listen stream. */
export interface ChangeSink {
  /** The server grants this much of the filter. */
  acknowledged(filter: SubscriptionFilter): void
  /** A notification came. */
  changed(method: string, params: Params): void
  /** Something may have changed unseen. */
  missed(change: Change): void
}

/** What a subscription needs. */
export interface ListenOptions {
  readonly signal?: AbortSignal | undefined
  readonly clock: Clock
  /** Listens once, until the signal fires or the server ends it. */
  readonly listen: (sink: ChangeSink, signal: AbortSignal) => Promise<void>
}

/**
 * Changes at the server, one after the other. Ends when the server ends it, when its signal fires,
 * on `close()`, and when the loop over it is left. A broken connection is made anew, and everything
 * in the filter then counts as changed.
 */
export class Subscription implements AsyncIterable<ListenEvent> {
  /** What the server granted, once it has; rejects when it refuses. */
  readonly acknowledged: Promise<SubscriptionFilter>
  readonly #options: ListenOptions
  readonly #controller = new AbortController()
  readonly #waiting = new Map<string, ListenEvent>()
  #waitingChars = 0
  readonly #ack = Promise.withResolvers<SubscriptionFilter>()
  readonly #onAbort: () => void
  #wake: (() => void) | undefined
  #end: { readonly error?: unknown } | undefined
  #granted: SubscriptionFilter | undefined

  constructor(options: ListenOptions) {
    this.#options = options
    this.acknowledged = this.#ack.promise
    this.acknowledged.catch(() => undefined)
    this.#onAbort = () => this.close()
    if (options.signal?.aborted === true) this.#controller.abort()
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    void this.#run()
  }

  /** Ends the subscription; the server is told. */
  close(): void {
    this.#controller.abort()
  }

  /** Yields changes until the subscription ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ListenEvent, void, undefined> {
    try {
      for (;;) {
        for (const [key, event] of this.#waiting) {
          this.#taken(key)
          yield event
        }
        if (this.#waiting.size > 0) continue
        if (this.#end !== undefined) break
        await this.#change()
      }
      if ('error' in this.#end) throw this.#end.error
    } finally {
      this.close()
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller
    try {
      for (let failures = 0; ;) {
        const before = this.#granted
        const error = await this.#once(signal)
        if (error === undefined || signal.aborted) return this.#finish({})
        const opened = this.#granted !== before
        if (this.#granted === undefined || !isPassing(error)) return this.#finish({ error })
        failures = opened ? 1 : failures + 1
        await sleep(backOff(failures), signal, this.#options.clock)
      }
    } catch {
      this.#finish({})
    }
  }

  /** Listens once; returns what broke it. */
  async #once(signal: AbortSignal): Promise<unknown> {
    try {
      signal.throwIfAborted()
      await this.#options.listen(this.#sink(), signal)
      return undefined
    } catch (error) {
      return error ?? new ConnectionClosedError()
    }
  }

  #sink(): ChangeSink {
    return {
      acknowledged: (filter) => {
        const again = this.#granted !== undefined
        this.#granted = filter
        this.#ack.resolve(filter)
        if (again)
          for (const change of everythingIn(filter)) this.#push({ ...change, missed: true })
      },
      changed: (method, params) => {
        const change = changeOf(method, params)
        if (change !== undefined) this.#push(change)
      },
      missed: (change) => this.#push({ ...change, missed: true }),
    }
  }

  /** Two changes of one thing that nobody has read yet are one: the queue is as long as the filter. */
  #push(event: ListenEvent): void {
    const key = event.kind === 'resourceUpdated' ? `${event.kind} ${event.uri}` : keyOf(event)
    if (!this.#waiting.has(key)) this.#waitingChars += key.length
    this.#waiting.set(key, event)
    if (this.#waitingChars > MAX_WAITING_CHARS) this.#taken(key)
    this.#wake?.()
  }

  #taken(key: string): void {
    this.#waiting.delete(key)
    this.#waitingChars -= key.length
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end = end
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#ack.reject(
      'error' in end ? end.error : new ConnectionClosedError('The subscription ended'),
    )
    this.#wake?.()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function keyOf(event: ListenEvent): string {
  return event.kind === 'other'
    ? `other ${event.method} ${JSON.stringify(event.params)}`
    : event.kind
}

/** Failures that may be over at the next attempt. */
function isPassing(error: unknown): boolean {
  if (error instanceof HttpError) return error.status >= 500 || error.status === 429
  if (isMcpError(error)) return false
  return (
    error instanceof StreamBrokenError ||
    error instanceof NetworkError ||
    error instanceof ConnectionClosedError
  )
}

/** Half of the wait is random, so that the clients of a restarted server do not all come at once. */
function backOff(failures: number): number {
  const ms = Math.min(RECONNECT_MS * 2 ** (failures - 1), MAX_RELISTEN_MS)
  return ms / 2 + (Math.random() * ms) / 2
}
