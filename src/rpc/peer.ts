/**
 * One conversation in both directions over something that carries text: parses and sorts what comes
 * in, sends what goes out, and asks questions of its own. Neither side of a conversation is special
 * here; both ends of stdio use it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */
import { InvalidRequestError, ParseError } from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import { isNotification, isRequest, isResponse, readableId } from '../protocol/jsonrpc.ts'
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Params,
  RequestId,
} from '../protocol/jsonrpc.ts'
import { MAX_JSON_DEPTH } from '../protocol/limits.ts'
import { parseJson } from '../shared/json.ts'
import { PendingRequests } from './pending.ts'
import type { PendingOptions, WaitOptions } from './pending.ts'

/** Carries text to the other side. */
export interface Channel {
  /**
   * Sends one message; it holds no newline. Settles when there is room for more.
   *
   * @throws when the other side is gone
   */
  send(text: string): Promise<void>
}

/** Where what comes in goes. */
export interface PeerHandlers {
  readonly request: (request: JSONRPCRequest) => void
  readonly notification: (notification: JSONRPCNotification) => void
  /** An answer that no question of {@link Peer.ask} waits for. */
  readonly response?: ((response: JSONRPCResponse) => void) | undefined
  /** What is no message: the error it deserves, and its id where one can be read. */
  readonly invalid: (error: McpError, id: RequestId | undefined) => void
}

/** One side of a conversation. */
export class Peer {
  readonly #channel: Channel
  readonly #handlers: PeerHandlers
  readonly #pending: PendingRequests

  constructor(channel: Channel, handlers: PeerHandlers, options: PendingOptions = {}) {
    this.#channel = channel
    this.#handlers = handlers
    this.#pending = new PendingRequests(options)
  }

  /** How many of our questions wait. */
  get waiting(): number {
    return this.#pending.size
  }

  /**
   * Takes one text that came in.
   *
   * @param text one message, as it was sent
   */
  receive(text: string): void {
    const parsed = parseJson(text, MAX_JSON_DEPTH)
    if (parsed.ok) return this.#sort(parsed.value)
    const why = parsed.problem === 'depth' ? 'The message nests too deep' : 'Not JSON'
    return this.#handlers.invalid(new ParseError(why), undefined)
  }

  /**
   * Sends a message.
   *
   * @param message any message
   * @throws when the other side is gone
   */
  send(message: JSONRPCMessage): Promise<void> {
    return this.#channel.send(JSON.stringify(message))
  }

  /**
   * Asks a question and waits for its answer.
   *
   * @param method what is asked
   * @param params its parameters
   * @param options how long to wait, and whom to tell
   * @throws {McpError} the error of the other side; else as `PendingCall.answer`
   */
  async ask(
    method: string,
    params: Params,
    options: Omit<WaitOptions, 'method'> = {},
  ): Promise<Params> {
    const { id, answer } = this.#pending.open({ ...options, method })
    if (!this.#pending.has(id)) return answer
    try {
      await this.send({ jsonrpc: '2.0', id, method, params })
    } catch (error) {
      this.#pending.fail(id, error)
    }
    return answer
  }

  /**
   * Fails every question that waits or will be asked.
   *
   * @param reason becomes the rejection
   */
  close(reason: unknown): void {
    this.#pending.close(reason)
  }

  #sort(message: unknown): void {
    if (isRequest(message)) return this.#handlers.request(message)
    if (isNotification(message)) return this.#notified(message)
    if (isResponse(message)) return this.#answered(message)
    const why = Array.isArray(message) ? 'Batches are not accepted here' : 'Not a JSON-RPC message'
    return this.#handlers.invalid(new InvalidRequestError(why), readableId(message))
  }

  #notified(notification: JSONRPCNotification): void {
    const { method, params } = notification
    if (method === 'notifications/progress' && this.#pending.progress(params)) return
    this.#handlers.notification(notification)
  }

  #answered(response: JSONRPCResponse): void {
    if (!this.#pending.settle(response)) this.#handlers.response?.(response)
  }
}
