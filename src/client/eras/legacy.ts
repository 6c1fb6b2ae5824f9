/**
 * The legacy era: a handshake first, a session that may get lost, and a server that asks.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @module
 */
import { isRequestId } from '../../protocol/jsonrpc.ts'
import type { JSONRPCRequest, Params, ProgressToken } from '../../protocol/jsonrpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import { abortable } from '../../shared/abort.ts'
import { createSingleFlight } from '../../shared/single-flight.ts'
import type { SingleFlight, SingleFlightMode } from '../../shared/single-flight.ts'
import type { Answers } from '../answers.ts'
import { SessionLostError } from '../errors.ts'
import type { Link } from '../link.ts'
import type { ChangeSink } from '../listen.ts'
import { changeOf, everythingIn, grantable, matches } from '../listen-filter.ts'
import type { Verdict } from '../options.ts'
import { Questions } from '../questions.ts'
import type { EraCall, EraSession } from './era.ts'
import { metaOf } from './meta.ts'

/** What a legacy session is made of. */
export interface LegacyParts {
  readonly link: Link
  readonly answers: Answers
  readonly warn: (error: Error) => void
  readonly singleFlight: SingleFlightMode
  /** Whether anything needs the stream on which the server speaks unasked. */
  readonly wantsStream: () => boolean
  /** Opens a session; the first one was opened before this object was made. */
  readonly handshake: () => Promise<Verdict>
}

interface Listener {
  readonly granted: SubscriptionFilter
  readonly sink: ChangeSink
}

/** A connection to a legacy server. */
export class LegacySession implements EraSession {
  readonly mirrorsArguments = false
  readonly declaresOnce = true
  readonly #parts: LegacyParts
  readonly #renewal: SingleFlight<void>
  readonly #questions: Questions
  readonly #subscriptions = new Map<string, number>()
  readonly #listeners = new Set<Listener>()
  #verdict: Verdict
  #generation = 0
  #streaming = false
  #logLevel: LoggingLevel | undefined

  constructor(verdict: Verdict, parts: LegacyParts) {
    this.#verdict = verdict
    this.#parts = parts
    this.#renewal = createSingleFlight(parts.singleFlight)
    this.#questions = new Questions({ ...parts, send: (response) => parts.link.notify(response) })
  }

  get verdict(): Verdict {
    return this.#verdict
  }

  async openStream(wanted: boolean = this.#parts.wantsStream()): Promise<void> {
    if (this.#streaming || !wanted) return
    this.#streaming = true
    await this.#parts.link.listen()
  }

  async send(call: EraCall): Promise<Params> {
    return this.#surviving(() => this.#send(call), call.signal)
  }

  async notify(method: string, params?: Params): Promise<void> {
    const message = { jsonrpc: '2.0', method, params } as const
    await this.#surviving(() => this.#parts.link.notify(message))
  }

  request(request: JSONRPCRequest): void {
    void this.#questions.answer(request)
  }

  cancelled(params: Params | undefined): void {
    const id = params?.['requestId']
    if (isRequestId(id)) this.#questions.cancel(id)
  }

  changed(method: string, params: Params): void {
    const change = changeOf(method, params)
    if (change === undefined || change.kind === 'other') return
    for (const { granted, sink } of this.#listeners)
      if (matches(change, granted)) sink.changed(method, params)
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    this.#logLevel = level
    await this.send({ method: 'logging/setLevel', params: { level } })
  }

  async rootsChanged(): Promise<void> {
    await this.notify('notifications/roots/list_changed')
  }

  async listen(filter: SubscriptionFilter, sink: ChangeSink, signal: AbortSignal): Promise<void> {
    const granted = grantable(filter, this.#verdict.serverCapabilities)
    const uris = granted.resourceSubscriptions ?? []
    const listener = { granted, sink }
    const held: string[] = []
    try {
      await abortable(signal, this.openStream(true))
      for (const uri of uris) {
        held.push(uri)
        await abortable(signal, this.#subscribe(uri))
      }
      this.#listeners.add(listener)
      sink.acknowledged(granted)
      await abortable(signal, new Promise<never>(() => undefined))
    } finally {
      this.#listeners.delete(listener)
      for (const uri of held) void this.#unsubscribe(uri)
    }
  }

  close(): void {
    this.#questions.close()
  }

  #send(call: EraCall): Promise<Params> {
    return this.#parts.link.send({ ...call, params: (token) => withMeta(call, token) })
  }

  /** A server that has forgotten the session gets a new one, and the message once more. */
  async #surviving<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const generation = this.#generation
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SessionLostError)) throw error
      // Another request may have renewed the session while this one was failing.
      if (generation === this.#generation)
        await abortable(
          signal,
          this.#renewal('session', () => this.#renew()),
        )
      return await work()
    }
  }

  async #renew(): Promise<void> {
    this.#verdict = await this.#parts.handshake()
    this.#generation += 1
    if (this.#streaming) await this.#parts.link.listen()
    const level = this.#logLevel
    if (level !== undefined) await this.#quietly({ method: 'logging/setLevel', params: { level } })
    for (const uri of this.#subscriptions.keys())
      await this.#quietly({ method: 'resources/subscribe', params: { uri } })
    // Nobody knows what changed between the two sessions.
    for (const { granted, sink } of this.#listeners)
      for (const change of everythingIn(granted)) sink.missed(change)
  }

  async #subscribe(uri: string): Promise<void> {
    const count = this.#subscriptions.get(uri) ?? 0
    this.#subscriptions.set(uri, count + 1)
    if (count > 0) return
    await this.send({ method: 'resources/subscribe', params: { uri } })
  }

  async #unsubscribe(uri: string): Promise<void> {
    const count = this.#subscriptions.get(uri) ?? 0
    if (count > 1) return void this.#subscriptions.set(uri, count - 1)
    if (!this.#subscriptions.delete(uri) || this.#parts.link.ended) return undefined
    return this.#quietly({ method: 'resources/unsubscribe', params: { uri } })
  }

  /** For what the application did not ask for and could not act on. */
  async #quietly(call: EraCall): Promise<void> {
    try {
      await this.#send(call)
    } catch (error) {
      if (error instanceof Error) this.#parts.warn(error)
    }
  }
}

function withMeta(call: EraCall, token: ProgressToken): Params | undefined {
  const meta = metaOf(call, token)
  if (Object.keys(meta).length > 0) return { ...call.params, _meta: meta }
  return Object.keys(call.params).length > 0 ? call.params : undefined
}
