/**
 * The modern era: every request carries its own envelope, and nothing is remembered between two.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  TASKS_EXTENSION,
} from '../../protocol/constants.ts'
import { extensionSettings } from '../../protocol/capabilities.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  Params,
  ProgressToken,
} from '../../protocol/jsonrpc.ts'
import { CLIENT_TIMEOUT_MS } from '../../protocol/limits.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import { RequestTimeoutError } from '../../rpc/errors.ts'
import { abortAfter } from '../../shared/abort.ts'
import type { Clock } from '../../shared/clock.ts'
import { ClientError, InvalidResponseError } from '../errors.ts'
import type { Link } from '../link.ts'
import type { ChangeSink } from '../listen.ts'
import { readFilter } from '../listen-filter.ts'
import type { Verdict } from '../options.ts'
import type { EraCall, EraSession } from './era.ts'
import { metaOf } from './meta.ts'

/** What the envelope of every request says. */
export interface Identity {
  readonly protocolVersion: string
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
}

/** What a modern session is made of. */
export interface ModernParts {
  readonly link: Link
  readonly clock: Clock
  readonly clientInfo: Implementation
  /** Read for each request, so that what is registered later counts. */
  readonly capabilities: () => ClientCapabilities
  readonly warn: (error: Error) => void
  /** Looks into a failure, where the verdict was kept and not proven since; gives what takes over. */
  readonly doubt?: ((error: unknown) => Promise<EraSession | undefined>) | undefined
}

/**
 * Adds the envelope to a request's parameters. What the application put into `_meta` stays, except
 * for the keys that are the protocol's.
 *
 * @param call the request
 * @param identity who sends it
 * @param token under which progress is reported, where the request wants it
 */
export function withEnvelope(
  call: Omit<EraCall, 'method'>,
  identity: Identity,
  token?: ProgressToken,
): Params {
  const meta = {
    ...metaOf(call, token),
    ...(call.logLevel === undefined ? {} : { [META_LOG_LEVEL]: call.logLevel }),
    [META_PROTOCOL_VERSION]: identity.protocolVersion,
    [META_CLIENT_INFO]: identity.clientInfo,
    [META_CLIENT_CAPABILITIES]: identity.capabilities,
  }
  return { ...call.params, _meta: meta }
}

/**
 * Refuses a result of a kind nobody here knows: taking it for complete would be a lie. A server that
 * leaves the kind out means `complete`.
 *
 * @param method what was asked
 * @param result what came
 * @param capabilities what the client declared; an extension may bring kinds of its own
 * @throws {InvalidResponseError} for any other kind
 */
export function checkResultType(
  method: string,
  result: Params,
  capabilities: ClientCapabilities,
): Params {
  const { resultType } = result
  if (resultType === undefined || resultType === 'complete') return result
  if (resultType === 'input_required') return result
  if (resultType === 'task' && extensionSettings(capabilities, TASKS_EXTENSION) !== undefined)
    return result
  throw new InvalidResponseError(method, `its resultType ${JSON.stringify(resultType)} is unknown`)
}

/** A connection to a modern server. */
export class ModernSession implements EraSession {
  readonly verdict: Verdict
  readonly #parts: ModernParts
  #doubt: ModernParts['doubt']
  #logLevel: LoggingLevel | undefined

  constructor(verdict: Verdict, parts: ModernParts) {
    this.verdict = verdict
    this.#parts = parts
    this.#doubt = parts.doubt
  }

  readonly declaresOnce = false
  get mirrorsArguments(): boolean {
    return this.#parts.link.kind === 'http'
  }

  send(call: EraCall): Promise<Params> {
    return this.#trusting(
      () => this.#send(call),
      (other) => other.send(call),
    )
  }

  async #send(call: EraCall): Promise<Params> {
    const stamped = { ...call, logLevel: call.logLevel ?? this.#logLevel }
    const result = await this.#parts.link.send({
      ...call,
      params: (token) => withEnvelope(stamped, this.#identity(), token),
    })
    return checkResultType(call.method, result, this.#parts.capabilities())
  }

  async notify(method: string, params: Params = {}): Promise<void> {
    const { protocolVersion } = this.verdict
    const meta = { ...metaOf({ params }), [META_PROTOCOL_VERSION]: protocolVersion }
    await this.#parts.link.notify({ jsonrpc: '2.0', method, params: { ...params, _meta: meta } })
  }

  request({ method }: JSONRPCRequest): void {
    const why = `The server sent the request ${method}, which this revision does not allow`
    this.#parts.warn(new ClientError(why, { method }))
  }

  cancelled(): void {
    // A modern server asks nothing by request, so there is nothing it could cancel.
  }

  changed(): void {
    // Changes come tagged with the subscription they belong to, see `listen`.
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    this.#logLevel = level
  }

  async rootsChanged(): Promise<void> {
    // Roots are asked for in each request that needs them; nobody has to be told.
  }

  listen(filter: SubscriptionFilter, sink: ChangeSink, signal: AbortSignal): Promise<void> {
    return this.#trusting(
      () => this.#listen(filter, sink, signal),
      (other) => other.listen(filter, sink, signal),
    )
  }

  async #listen(filter: SubscriptionFilter, sink: ChangeSink, signal: AbortSignal): Promise<void> {
    const method = 'subscriptions/listen'
    const opening = new AbortController()
    const { clock } = this.#parts
    const reason = (): Error => new RequestTimeoutError(method, CLIENT_TIMEOUT_MS)
    const disarm = abortAfter(opening, { clock, ms: CLIENT_TIMEOUT_MS, reason })
    const onSubscription = (notification: JSONRPCNotification): void => {
      disarm()
      deliver(notification, sink)
    }
    try {
      await this.#parts.link.send({
        method,
        signal: AbortSignal.any([signal, opening.signal]),
        params: () => withEnvelope({ params: { notifications: filter } }, this.#identity()),
        onSubscription,
      })
    } finally {
      disarm()
    }
  }

  async openStream(): Promise<void> {
    // Everything a modern server says belongs to a request.
  }

  close(): void {
    // Nothing outlives a request.
  }

  /** A success proves the verdict that was kept; a failure may mean that it is no longer true. */
  async #trusting<T>(work: () => Promise<T>, again: (other: EraSession) => Promise<T>): Promise<T> {
    try {
      const done = await work()
      this.#doubt = undefined
      return done
    } catch (error) {
      const other = await this.#doubt?.(error)
      if (other === undefined) throw error
      return again(other)
    }
  }

  #identity(): Identity {
    const { clientInfo, capabilities } = this.#parts
    const { protocolVersion } = this.verdict
    return { protocolVersion, clientInfo, capabilities: capabilities() }
  }
}

function deliver({ method, params = {} }: JSONRPCNotification, sink: ChangeSink): void {
  if (method !== 'notifications/subscriptions/acknowledged') return sink.changed(method, params)
  return sink.acknowledged(readFilter(params['notifications']))
}
