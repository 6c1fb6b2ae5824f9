/**
 * The client's side of stdio: a server as a child process, one message a line.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @module
 */
import { ClientError, InvalidResponseError } from '../client/errors.ts'
import type { Connector, Exchange, Transport, TransportHost } from '../client/transport.ts'
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '../protocol/jsonrpc.ts'
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import { Peer } from '../rpc/peer.ts'
import { onAbort } from '../shared/abort.ts'
import { limitOf } from '../shared/limits-options.ts'
import { Child, LAST_OUTPUT_MS } from './child.ts'
import type { ChildOptions } from './child.ts'
import { LineReader } from './lines.ts'

/** How a server is started and spoken to. */
export interface StdioOptions extends ChildOptions {
  /** Bytes of one message of the server; null for no bound. Default 4 MiB. */
  readonly maxMessageBytes?: number | null | undefined
}

/**
 * A server in a child process, as the target of a client. When the process dies, the next request
 * starts it again.
 *
 * @param options what to start, and how to speak to it
 * @throws {TypeError} for an option that is not what it has to be
 *
 * @example
 * ```ts
 * const client = await Client.connect(stdio({ command: 'node', args: ['server.js'] }), { name: 'cli', version: '1.0.0' })
 * ```
 */
export function stdio(options: StdioOptions): Connector {
  if (options.command === '') throw new TypeError('command must name a program')
  const maxBytes = limitOf('maxMessageBytes', options.maxMessageBytes, MAX_MESSAGE_BYTES)
  return (host) => StdioTransport.start(options, host, maxBytes)
}

interface Waiting {
  readonly method: string
  readonly resolve: (response: JSONRPCResponse) => void
  readonly reject: (reason: unknown) => void
}

class StdioTransport implements Transport {
  readonly kind = 'channel'
  readonly #host: TransportHost
  readonly #lines: LineReader
  readonly #maxBytes: number
  readonly #peer: Peer
  readonly #waiting = new Map<RequestId, Waiting>()
  #child: Child | undefined
  #ended: string | undefined
  #closing = false
  #noisy = false

  private constructor(host: TransportHost, maxBytes: number) {
    this.#host = host
    this.#maxBytes = maxBytes
    this.#lines = new LineReader(maxBytes)
    this.#peer = new Peer(
      { send: (text) => this.#write(text) },
      {
        request: (request) => host.receive(request),
        notification: (notification) => host.receive(notification),
        response: (response) => this.#settle(response),
        invalid: (error, id) => this.#invalid(error, id),
      },
    )
  }

  static async start(
    options: StdioOptions,
    host: TransportHost,
    maxBytes: number,
  ): Promise<StdioTransport> {
    const transport = new StdioTransport(host, maxBytes)
    try {
      transport.#child = await Child.start(options, {
        data: (chunk) => transport.#read(chunk),
        exit: (why) => transport.#exited(why),
      })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : 'unknown'
      throw new ClientError(`${options.command} could not be started: ${why}`, { cause })
    }
    return transport
  }

  async exchange(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse> {
    exchange.signal.throwIfAborted()
    const { id, method } = request
    if (this.#ended !== undefined) throw this.#closedError(method)
    const { promise, resolve, reject } = Promise.withResolvers<JSONRPCResponse>()
    this.#waiting.set(id, { method, resolve, reject })
    const unlisten = onAbort(exchange.signal, (reason) => {
      this.#waiting.delete(id)
      reject(reason)
      if (method !== 'initialize') void this.#cancel(id, reason)
    })
    try {
      // A server that answers is alive, whatever became of the pipe to it.
      this.#peer.send(request).catch((error: unknown) => this.#unsent(id, error))
      return await promise
    } finally {
      unlisten()
      this.#waiting.delete(id)
    }
  }

  async notify(message: JSONRPCNotification | JSONRPCResponse): Promise<void> {
    const name = 'method' in message ? message.method : 'an answer'
    if (this.#ended !== undefined) throw this.#closedError(name)
    await this.#peer.send(message)
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#child?.close()
  }

  async #write(text: string): Promise<void> {
    await this.#child?.write(`${text}\n`)
  }

  /** An exit, which may be on its way, explains better why nothing can be written. */
  #unsent(id: RequestId, error: unknown): void {
    setTimeout(() => {
      if (!this.#waiting.has(id)) return
      this.#end(error instanceof Error ? error.message : 'nothing can be written')
      this.#child?.kill()
    }, LAST_OUTPUT_MS)
  }

  #read(chunk: Uint8Array): void {
    for (const line of this.#lines.feed(chunk)) this.#peer.receive(line)
    if (!this.#lines.overflowed || this.#ended !== undefined) return
    this.#end(`it sent a line of more than ${this.#maxBytes} bytes`)
    this.#child?.kill()
  }

  /** What is meant as an answer fails its request; who else would be told? */
  #invalid(error: Error, id: RequestId | undefined): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (waiting === undefined) return this.#noise(error)
    return waiting.reject(new InvalidResponseError(waiting.method, error.message))
  }

  /** Programs print things; one complaint is enough for all of them. */
  #noise(error: Error): void {
    if (this.#noisy) return
    this.#noisy = true
    const why = `The server prints what is no message: ${error.message}. Such lines are skipped.`
    this.#host.warn(new ClientError(why, { cause: error }))
  }

  #settle(response: JSONRPCResponse): void {
    const { id } = response
    // An answer may be late, but ids of ours are numbers.
    if (typeof id !== 'number')
      this.#noise(new ClientError(`The answer to ${String(id)} is nobody's`))
    else this.#waiting.get(id)?.resolve(response)
  }

  #exited(why: string): void {
    for (const line of this.#lines.end()) this.#peer.receive(line)
    // An answer among the last words is on its way to whoever waits for it; it is to arrive first.
    setTimeout(() => this.#end(why), 0)
  }

  #end(why: string): void {
    if (this.#ended !== undefined) return
    this.#ended = why
    if (!this.#closing) this.#host.closed(new ConnectionClosedError(`The server is gone: ${why}`))
    for (const { method, reject } of this.#waiting.values()) reject(this.#closedError(method))
    this.#waiting.clear()
  }

  #closedError(method: string): ConnectionClosedError {
    return new ConnectionClosedError(`${method} was not answered: ${this.#ended ?? ''}`)
  }

  async #cancel(requestId: RequestId, cause: unknown): Promise<void> {
    const params = cause instanceof Error ? { requestId, reason: cause.message } : { requestId }
    try {
      await this.#peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch {
      // The process is gone, and the request with it.
    }
  }
}
