/**
 * A server's side of one conversation over a channel: both eras, the opening message decides.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @module
 */
import {
  errorResponse,
  InternalError,
  InvalidRequestError,
  isMcpError,
  MethodNotFoundError,
  toMcpError,
  UnsupportedProtocolVersionError,
} from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import { isRequestId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest, Params, RequestId } from '../protocol/jsonrpc.ts'
import { SERVER_REQUEST_TIMEOUT_MS } from '../protocol/limits.ts'
import { missingEnvelope, readEnvelope } from '../protocol/meta.ts'
import type { BadEnvelope, Envelope } from '../protocol/meta.ts'
import { LATEST_LEGACY_REVISION } from '../protocol/versions.ts'
import { Peer } from '../rpc/peer.ts'
import type { Channel } from '../rpc/peer.ts'
import type { Caller, Call, Delivery } from '../server/call.ts'
import type { Answer } from '../server/eras/era.ts'
import { readHello } from '../server/features/lifecycle.ts'
import { RequestStates } from '../server/input-required/request-states.ts'
import type { RequestStateOptions } from '../server/input-required/request-states.ts'
import { createNotifier } from '../server/notifier.ts'
import type { Notifier } from '../server/notifier.ts'
import { report } from '../server/report.ts'
import type { McpServer } from '../server/server.ts'
import type { Clock } from '../shared/clock.ts'
import { Changes } from './changes.ts'
import { LegacyPeer } from './legacy-peer.ts'
import { LineOutbox } from './line-outbox.ts'

/** What a conversation is held with. */
export interface ConversationOptions {
  /** Becomes `ctx.env`. */
  readonly env?: unknown
  /** Makes `ctx.data` for each request. */
  readonly context?: ((source: { readonly env: unknown }) => unknown) | undefined
  /** Milliseconds a question to the client may wait; null for ever. Default 600 000. */
  readonly serverRequestTimeoutMs?: number | null | undefined
  readonly requestState?: RequestStateOptions | 'plain' | undefined
  readonly clock?: Clock | undefined
}

/** Everything reaches a client that reads what we write. */
const DELIVERY: Delivery = { changes: true, logging: true }

/** One conversation. */
export class Conversation {
  readonly #server: McpServer
  readonly #options: ConversationOptions
  readonly #peer: Peer
  readonly #channel: Channel
  readonly #states: RequestStates
  readonly #notifier: Notifier
  readonly #changes: Changes
  readonly #disconnect: () => void
  readonly #calls = new Map<RequestId, LineOutbox>()
  /** Set by a handshake, which decides for the whole process. */
  #legacy: LegacyPeer | undefined
  /** Set by the first modern request that does more than discover. */
  #modern = false
  #closed = false
  #idle: (() => void) | undefined

  constructor(server: McpServer, channel: Channel, options: ConversationOptions = {}) {
    const { clock, requestState } = options
    this.#server = server
    this.#channel = channel
    this.#options = options
    this.#states = new RequestStates(requestState, { clock })
    this.#peer = new Peer(
      channel,
      {
        request: (request) => void this.#request(request),
        notification: (notification) => void this.#notification(notification),
        invalid: (error, id) => this.#refuse(id, error),
      },
      { clock },
    )
    this.#changes = new Changes(server, (text) => this.#write(text), DELIVERY)
    const publish = this.#changes.publish
    this.#notifier = createNotifier(publish)
    this.#disconnect = server.connect({ publish, changed: (change) => void publish(change) })
  }

  /**
   * Takes one message that came in.
   *
   * @param text a line, without its end
   */
  receive(text: string): void {
    if (!this.#closed) this.#peer.receive(text)
  }

  /** Settles when no call is in progress; at once where there is none. */
  idle(): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle = resolve
    })
  }

  /**
   * Ends the conversation: listeners get their result, calls in progress are aborted.
   *
   * @param reason becomes the reason of their signals
   */
  close(reason: Error): void {
    if (this.#closed) return
    this.#changes.close()
    this.#closed = true
    this.#disconnect()
    this.#peer.close(reason)
    for (const outbox of this.#calls.values()) outbox.cancel(reason)
  }

  async #request(request: JSONRPCRequest): Promise<void> {
    const { id } = request
    if (this.#calls.has(id) || this.#changes.has(id))
      return this.#refuse(id, new InvalidRequestError('This id is in use by a request in progress'))
    let caller: Caller
    try {
      caller = this.#identify(request)
    } catch (thrown) {
      return this.#refuse(id, toMcpError(thrown))
    }
    if (request.method === 'subscriptions/listen') return this.#listen(request, caller)
    const outbox = this.#outbox(caller)
    this.#calls.set(id, outbox)
    try {
      const answer = await this.#run(request, caller, outbox)
      this.#settled(request, answer)
      if (!outbox.cancelled) await this.#write(toText(answer.body))
    } finally {
      this.#calls.delete(id)
      if (this.#calls.size === 0) this.#idle?.()
    }
  }

  /** Who sends a request, or why it is not served here and now. */
  #identify(request: JSONRPCRequest): Caller {
    const { method, params } = request
    const { legacy } = this.#server.core
    const envelope = readEnvelope(params)
    if (envelope !== undefined) return this.#claimed(method, envelope)
    if (method === 'initialize') return this.#greet(params ?? {})
    if (this.#legacy !== undefined) return legacy.identify(this.#legacy.identity, undefined)
    // A client may ask whether we are there before it greets.
    if (method === 'ping' && !this.#modern && legacy.revisions.length > 0)
      return legacy.identify({ revision: LATEST_LEGACY_REVISION, capabilities: {} }, undefined)
    throw missingEnvelope(params)
  }

  #claimed(method: string, envelope: Envelope | BadEnvelope): Caller {
    if (this.#legacy !== undefined)
      throw new InvalidRequestError('This conversation began with a handshake')
    if (!envelope.ok) throw envelope.error
    const caller = this.#server.core.modern.identify(envelope, undefined)
    if (method === 'initialize') throw new MethodNotFoundError(method)
    if (method !== 'server/discover') this.#modern = true
    return caller
  }

  #greet(params: Params): Caller {
    const { legacy, modern } = this.#server.core
    if (this.#legacy !== undefined)
      throw new InvalidRequestError('The conversation is initialized already')
    if (this.#modern || legacy.revisions.length === 0) {
      const { protocolVersion } = params
      const requested = typeof protocolVersion === 'string' ? protocolVersion : ''
      throw new UnsupportedProtocolVersionError(requested, modern.revisions)
    }
    return legacy.identify(readHello(legacy.revisions, params), undefined)
  }

  /** A handshake that was refused decides nothing. */
  #settled({ method, params = {} }: JSONRPCRequest, { error }: Answer): void {
    if (method !== 'initialize' || error !== undefined) return
    const hello = readHello(this.#server.core.legacy.revisions, params)
    this.#legacy = new LegacyPeer(hello)
    this.#changes.greet(this.#legacy)
  }

  #outbox(caller: Caller): LineOutbox {
    const { serverRequestTimeoutMs: timeoutMs = SERVER_REQUEST_TIMEOUT_MS } = this.#options
    const asks = this.#server.core.rulesOf(caller) === this.#server.core.legacy
    return new LineOutbox({
      write: (text) => this.#write(text),
      peer: asks ? this.#peer : undefined,
      timeoutMs,
    })
  }

  async #run(message: JSONRPCRequest, caller: Caller, outbox: LineOutbox): Promise<Answer> {
    const { core, dispatcher } = this.#server
    try {
      return await dispatcher.run(await this.#call(message, caller, outbox))
    } catch (error) {
      const { id, method } = message
      report(core.onError, error, { request: { method, id } })
      return core.rulesOf(caller).fault(id, new InternalError({ cause: error }))
    }
  }

  async #call(
    message: JSONRPCRequest | JSONRPCNotification,
    caller: Caller,
    outbox: LineOutbox,
  ): Promise<Call> {
    const { context, env } = this.#options
    return {
      id: 'id' in message ? message.id : undefined,
      method: message.method,
      params: message.params ?? {},
      caller,
      outbox,
      notifier: this.#notifier,
      states: this.#states,
      delivery: DELIVERY,
      session: this.#legacy,
      env,
      data: await context?.({ env }),
    }
  }

  #listen({ id, method, params = {} }: JSONRPCRequest, caller: Caller): void {
    if (this.#legacy !== undefined) return this.#refuse(id, new MethodNotFoundError(method))
    try {
      this.#changes.listen(id, params, caller)
    } catch (thrown) {
      if (!isMcpError(thrown)) throw thrown
      this.#refuse(id, thrown)
    }
  }

  async #notification(notification: JSONRPCNotification): Promise<void> {
    const { method, params = {} } = notification
    if (method === 'notifications/cancelled') return this.#cancelled(params)
    const caller = this.#callerOf(notification)
    if (caller === undefined) return
    const { core, dispatcher } = this.#server
    try {
      await dispatcher.notify(await this.#call(notification, caller, this.#outbox(caller)))
    } catch (error) {
      report(core.onError, error, { notification: { method } })
    }
  }

  /** Notifications are never answered, so one that nobody can have sent is dropped. */
  #callerOf({ params }: JSONRPCNotification): Caller | undefined {
    const { legacy, modern } = this.#server.core
    if (this.#legacy !== undefined) return legacy.identify(this.#legacy.identity, undefined)
    const envelope = readEnvelope(params)
    try {
      return envelope?.ok === true ? modern.identify(envelope, undefined) : undefined
    } catch {
      return undefined
    }
  }

  #cancelled({ requestId, reason }: Params): void {
    if (!isRequestId(requestId) || this.#changes.cancel(requestId)) return
    const why = typeof reason === 'string' ? reason : 'The client cancelled the call'
    this.#calls.get(requestId)?.cancel(new DOMException(why, 'AbortError'))
  }

  #refuse(id: RequestId | undefined, error: McpError): void {
    void this.#write(JSON.stringify(errorResponse(id, error)))
  }

  async #write(text: string): Promise<void> {
    if (this.#closed) return
    try {
      await this.#channel.send(text)
    } catch {
      // The client is gone; whoever owns the channel hears of that and closes us.
    }
  }
}

function toText(body: Answer['body']): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}
