/**
 * A transport with the requests that wait on it: sends, routes what comes in, and lets go of
 * everything when the connection ends. Knows nothing of eras.
 *
 * @module
 */
import { isRecord, isRequestId } from '../protocol/jsonrpc.ts'
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Params,
  ProgressToken,
  RequestId,
} from '../protocol/jsonrpc.ts'
import { META_SUBSCRIPTION_ID } from '../protocol/constants.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import { PendingRequests } from '../rpc/pending.ts'
import type { WaitOptions } from '../rpc/pending.ts'
import type { Clock } from '../shared/clock.ts'
import type { Connector, Transport } from './transport.ts'

/** Where what comes in goes. */
export interface LinkHandlers {
  /** A request of the server. */
  readonly request: (request: JSONRPCRequest) => void
  /** A notification that belongs to no request of ours. */
  readonly notification: (notification: JSONRPCNotification) => void
  /** What was wrong and has been dealt with. */
  readonly warn: (error: Error) => void
  /** The connection ended without being asked to. */
  readonly closed: (error: Error) => void
}

/** A request to be sent. */
export interface LinkCall extends Omit<WaitOptions, 'onAbandon'> {
  /** Makes the parameters, given the token under which progress may be asked for. */
  readonly params: (token: ProgressToken) => Params | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly onStatus?: ((status: number) => void) | undefined
  /** Receives the notifications tagged with this request's id. */
  readonly onSubscription?: ((notification: JSONRPCNotification) => void) | undefined
}

/** One connection. */
export class Link {
  readonly #pending: PendingRequests
  readonly #handlers: LinkHandlers
  readonly #subscriptions = new Map<RequestId, (notification: JSONRPCNotification) => void>()
  #transport: Transport | undefined
  #ended = false

  private constructor(handlers: LinkHandlers, clock: Clock) {
    this.#handlers = handlers
    this.#pending = new PendingRequests({ clock })
  }

  /**
   * Opens a connection.
   *
   * @param connector makes the transport
   * @param handlers where what comes in goes
   * @param clock whose time
   */
  static async open(connector: Connector, handlers: LinkHandlers, clock: Clock): Promise<Link> {
    const link = new Link(handlers, clock)
    link.#transport = await connector({
      receive: (message) => link.#receive(message),
      warn: (error) => link.#warn(error),
      closed: (error) => link.#lost(error),
    })
    return link
  }

  /** What kind of transport it is. */
  get kind(): 'http' | 'channel' {
    return this.#transport?.kind ?? 'channel'
  }

  /** Whether the connection has ended. */
  get ended(): boolean {
    return this.#ended
  }

  /**
   * Sends a request and waits for its result.
   *
   * @param call what to send and how long to wait
   * @throws {McpError} the server's error; else what {@link PendingRequests} or the transport throws
   */
  async send(call: LinkCall): Promise<Params> {
    const { id, answer } = this.#pending.open(call)
    if (!this.#pending.has(id)) return answer
    const controller = new AbortController()
    if (call.onSubscription !== undefined) this.#subscriptions.set(id, call.onSubscription)
    void this.#exchange(id, call, controller.signal)
    try {
      return await answer
    } catch (reason) {
      // Whatever ended the wait ends the exchange too; after an answer this does nothing.
      controller.abort(reason)
      throw reason
    } finally {
      this.#subscriptions.delete(id)
    }
  }

  /**
   * Sends what is not answered.
   *
   * @param message a notification, or the answer to a request of the server
   */
  async notify(message: JSONRPCNotification | JSONRPCResponse): Promise<void> {
    if (this.#ended) throw new ConnectionClosedError()
    await this.#transport?.notify(message)
  }

  /** Opens the stream on which a legacy HTTP server speaks unasked, where the transport has one. */
  async listen(): Promise<void> {
    await this.#transport?.listen?.()
  }

  /** Ends the connection and everything that waits on it. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    const closing = this.#transport?.close()
    this.#pending.close(new ConnectionClosedError('The client was closed'))
    await closing
  }

  async #exchange(id: RequestId, call: LinkCall, signal: AbortSignal): Promise<void> {
    const { method, headers, onStatus } = call
    try {
      if (this.#transport === undefined) throw new ConnectionClosedError()
      const params = call.params(id)
      const request = { jsonrpc: '2.0', id, method, params } as const
      const onMessage = this.#receive.bind(this)
      const exchange = { signal, onMessage, headers, onStatus }
      this.#pending.settle(await this.#transport.exchange(request, exchange))
    } catch (error) {
      this.#pending.fail(id, error)
    }
  }

  #receive(message: JSONRPCRequest | JSONRPCNotification): void {
    if (this.#ended) return
    if ('id' in message) return this.#handlers.request(message)
    const { method, params } = message
    if (method === 'notifications/progress') {
      // Reports for a request that has just ended are late, not wrong.
      this.#pending.progress(params)
      return undefined
    }
    if (method === 'notifications/cancelled' && this.#cancelled(params)) return undefined
    const subscription = subscriptionOf(params)
    if (subscription === undefined) return this.#handlers.notification(message)
    return this.#subscriptions.get(subscription)?.(message)
  }

  /** A server may end a listen stream this way; the result that may follow is then late. */
  #cancelled(params: Params | undefined): boolean {
    const id = params?.['requestId']
    if (!isRequestId(id) || !this.#subscriptions.has(id)) return false
    return this.#pending.settle({ jsonrpc: '2.0', id, result: {} })
  }

  #warn(error: Error): void {
    if (!this.#ended) this.#handlers.warn(error)
  }

  #lost(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#pending.close(error, (method) => {
      return new ConnectionClosedError(`${method} was not answered: ${error.message}`, {
        cause: error,
      })
    })
    this.#handlers.closed(error)
  }
}

function subscriptionOf(params: Params | undefined): RequestId | undefined {
  const meta = params?.['_meta']
  const id = isRecord(meta) ? meta[META_SUBSCRIPTION_ID] : undefined
  return isRequestId(id) ? id : undefined
}
