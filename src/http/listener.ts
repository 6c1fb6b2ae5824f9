/**
 * One open listen stream: what it waits for, what waits for it, and every way it ends.
 *
 * @module
 */
import { principalOf } from '../protocol/auth-info.ts'
import { InternalError } from '../protocol/errors.ts'
import type { RequestId } from '../protocol/jsonrpc.ts'
import { BUS_PATIENCE_MS } from '../protocol/limits.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import { report } from '../server/report.ts'
import { acknowledgement, completion, topicsOf } from '../server/subscriptions.ts'
import { onAbort } from '../shared/abort.ts'
import type { Undo } from '../shared/abort.ts'
import { within } from '../shared/within.ts'
import type { Bus, BusEvent } from '../stores/bus.ts'
import type { Deployment, Visit } from './deployment.ts'
import type { OpenStream } from './listeners.ts'
import { refusalResponse, streamResponse } from './responses.ts'
import type { ExtraHeaders } from './responses.ts'
import { toFrame } from './sse-format.ts'
import { SseStream } from './sse-stream.ts'
import { endInTime } from './stream-age.ts'

/** What one listen stream is about. */
export interface Subscription {
  readonly bus: Bus
  /** The id of the listen request. */
  readonly id: RequestId
  /** What is granted. */
  readonly filter: SubscriptionFilter
}

/** One open listen stream. It holds its slot from its making until its end. */
export class Listener implements OpenStream {
  // What each event touches stands first and together: with thousands of streams, every stretch of
  // memory that a fan-out has to fetch for a stream shows.
  #over = false
  /** What waits for the acknowledgement, or for room: the last event of each topic, so the filter bounds it. */
  #waiting: Map<string, unknown> | undefined = new Map()
  readonly #idText: string
  readonly #stream: SseStream
  readonly #deployment: Deployment
  readonly principal: string | undefined
  readonly #expiresAt: number | undefined
  readonly #subscription: Subscription
  readonly #controller = new AbortController()
  readonly #unwatch: Undo | undefined
  #timer: unknown
  #watches = false

  constructor(deployment: Deployment, visit: Visit, subscription: Subscription) {
    this.principal = visit.auth === undefined ? undefined : principalOf(visit.auth)
    this.#deployment = deployment
    // Of the request nothing is kept: it would stay in memory as long as the stream is open.
    this.#expiresAt = visit.auth?.expiresAt
    this.#subscription = subscription
    this.#idText = JSON.stringify(subscription.id)
    const { listeners } = deployment
    const isolated = visit.execution !== undefined
    this.#stream = new SseStream(listeners.streamsOf(isolated), () => this.#release())
    listeners.add(this, isolated)
    this.#unwatch = onAbort(visit.request.signal, () => this.#stream.abandon())
  }

  /**
   * Subscribes, and only then acknowledges, so that nothing is lost in between.
   *
   * @param extra headers of the response
   * @returns the stream, or a refusal where the bus failed or the stream has ended meanwhile
   */
  async open(extra: ExtraHeaders): Promise<Response> {
    const { server, settings, watched } = this.#deployment
    const { bus, id, filter } = this.#subscription
    try {
      const subscribing = bus.subscribe(topicsOf(filter), this.#deliver, this.#controller.signal)
      await within(subscribing, {
        clock: settings.clock,
        ms: BUS_PATIENCE_MS,
        reason: () => new DOMException('The bus takes too long to subscribe', 'TimeoutError'),
      })
    } catch (error) {
      this.#release()
      report(server.core.onError, error, { request: { method: 'subscriptions/listen', id } })
      return refusalResponse({ status: 500, error: new InternalError(), id }, extra)
    }
    if (this.#over) return refusalResponse({ status: 503, error: new InternalError(), id }, extra)
    this.#watches = true
    watched.add(filter.resourceSubscriptions ?? [])
    this.#timer = endInTime(settings, this.#expiresAt, () => this.complete())
    this.#stream.write(toFrame(acknowledgement(id, filter)))
    this.#flush()
    return streamResponse(this.#stream.readable, extra)
  }

  tick(): void {
    this.#stream.tick()
  }

  /** Ends the stream with the result of the listen request. */
  complete(): void {
    if (this.#over) return
    const { id } = this.#subscription
    if (this.#watches) {
      this.#flushAll()
      this.#stream.write(toFrame(completion(id, this.#deployment.server.core.info)))
    }
    this.#release()
  }

  readonly #deliver = ({ topic, data }: BusEvent): void => {
    if (this.#over) return
    if (this.#waiting === undefined && !this.#stream.full) return this.#write(data)
    if (this.#waiting !== undefined) {
      this.#waiting.set(topic, data)
      return
    }
    this.#waiting = new Map([[topic, data]])
    this.#flushLater()
  }

  #write(data: unknown): void {
    const frame = this.#deployment.listeners.frameOf(data)
    if (frame !== undefined) this.#stream.write(frame.head + this.#idText + frame.tail)
  }

  /** Writes what waits as far as there is room. */
  #flush(): void {
    if (this.#over || this.#waiting === undefined) return
    for (const [topic, data] of this.#waiting) {
      if (this.#stream.full) return this.#flushLater()
      this.#waiting.delete(topic)
      this.#write(data)
    }
    this.#waiting = undefined
  }

  #flushLater(): void {
    const room = this.#stream.room()
    if (room === undefined) this.#flush()
    else void room.then(() => this.#flush())
  }

  #flushAll(): void {
    for (const data of this.#waiting?.values() ?? []) this.#write(data)
  }

  #release(): void {
    if (this.#over) return
    const { listeners, settings, watched } = this.#deployment
    this.#over = true
    this.#waiting = undefined
    this.#unwatch?.()
    settings.clock.clearTimeout(this.#timer)
    listeners.delete(this)
    this.#controller.abort()
    this.#stream.end()
    if (this.#watches) watched.remove(this.#subscription.filter.resourceSubscriptions ?? [])
  }
}
