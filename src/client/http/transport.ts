/**
 * Streamable HTTP, as a client speaks it: one POST for each message, answers as JSON or as a stream,
 * and on the legacy wire a session and a stream of its own for what the server says unasked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import {
  LAST_EVENT_ID_HEADER,
  PROTOCOL_VERSION_HEADER,
  SESSION_ID_HEADER,
} from '../../protocol/constants.ts'
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '../../protocol/jsonrpc.ts'
import { CLIENT_TIMEOUT_MS, MAX_MESSAGE_BYTES, SESSION_END_MS } from '../../protocol/limits.ts'
import { featuresOf, isRevision } from '../../protocol/versions.ts'
import { RequestTimeoutError } from '../../rpc/errors.ts'
import { abortAfter, onAbort } from '../../shared/abort.ts'
import { systemClock } from '../../shared/clock.ts'
import type { Clock } from '../../shared/clock.ts'
import { InvalidResponseError, SessionLostError } from '../errors.ts'
import { abortable } from '../sleep.ts'
import type { Exchange, Transport, TransportHost } from '../transport.ts'
import { httpError, readAnswer } from './answer.ts'
import { isEventStream, readEventAnswer } from './event-exchange.ts'
import { GetStream } from './get-stream.ts'
import { claimedRevision, mirroredHeaders } from './protocol-headers.ts'
import { discard, readText } from './read-text.ts'
import { Sender } from './sender.ts'
import type { SenderOptions } from './sender.ts'

/** How a server is reached over HTTP. */
export interface HttpTransportOptions extends SenderOptions {
  /** Bytes of one message. Default 4 MiB. */
  readonly maxMessageBytes?: number | undefined
  readonly clock?: Clock | undefined
}

/** Speaks Streamable HTTP to one URL. */
export class HttpTransport implements Transport {
  readonly kind = 'http'
  readonly #host: TransportHost
  readonly #sender: Sender
  readonly #clock: Clock
  readonly #maxBytes: number
  #session: string | undefined
  #version: string | undefined
  #stream: GetStream | undefined
  #closed = false

  constructor(options: HttpTransportOptions, host: TransportHost) {
    this.#host = host
    this.#sender = new Sender(options)
    this.#clock = options.clock ?? systemClock
    this.#maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
  }

  /** The session the server opened, if it did. */
  get sessionId(): string | undefined {
    return this.#session
  }

  async exchange(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse> {
    exchange.signal.throwIfAborted()
    if (claimedRevision(request) !== undefined) return this.#exchange(request, exchange)
    if (request.method === 'initialize') return this.#initialize(request, exchange)
    const unlisten = onAbort(exchange.signal, (reason) => void this.#cancel(request.id, reason))
    try {
      return await this.#exchange(request, exchange)
    } finally {
      unlisten()
    }
  }

  async notify(message: JSONRPCNotification | JSONRPCResponse): Promise<void> {
    const name = 'method' in message ? message.method : 'an answer'
    const session = claimedRevision(message) === undefined ? this.#session : undefined
    const limit = new AbortController()
    const reason = (): Error => new RequestTimeoutError(name, CLIENT_TIMEOUT_MS)
    const disarm = abortAfter(limit, { clock: this.#clock, ms: CLIENT_TIMEOUT_MS, reason })
    try {
      const response = await this.#post(message, { name, signal: limit.signal })
      if (response.ok) return await discard(response)
      if (response.status === 404 && session !== undefined)
        await this.#lose(session, name, response)
      throw httpError(name, response, (await readText(response, this.#maxBytes)) ?? '')
    } finally {
      disarm()
    }
  }

  async listen(): Promise<void> {
    this.#stream?.close()
    if (this.#closed) return
    this.#stream = new GetStream({
      clock: this.#clock,
      maxBytes: this.#maxBytes,
      host: this.#host,
      open: (lastId, signal) => this.#get(lastId, signal, 'the GET stream'),
    })
    await this.#stream.opened
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stream?.close()
    if (this.#session === undefined) return
    const headers = this.#sessionHeaders()
    this.#session = undefined
    const limit = new AbortController()
    const disarm = abortAfter(limit, {
      clock: this.#clock,
      ms: SESSION_END_MS,
      reason: () => undefined,
    })
    try {
      const { signal } = limit
      await discard(await this.#sender.send({ verb: 'DELETE', name: 'close', headers, signal }))
    } catch {
      // The server may refuse (405), have forgotten the session (404), or be gone: all the same here.
    } finally {
      disarm()
    }
  }

  async #exchange(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse> {
    const { headers, signal } = exchange
    const session = claimedRevision(request) === undefined ? this.#session : undefined
    const response = await this.#post(request, { name: request.method, headers, signal })
    exchange.onStatus?.(response.status)
    if (response.status === 404 && session !== undefined)
      await this.#lose(session, request.method, response)
    return this.#read(request, response, exchange)
  }

  /** Another request may have a new session already; that one is not lost. */
  async #lose(session: string, method: string, response: Response): Promise<never> {
    await discard(response)
    if (this.#session === session) this.#session = undefined
    throw new SessionLostError(method)
  }

  async #initialize(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse> {
    this.#session = undefined
    this.#version = undefined
    const { method: name } = request
    const { signal } = exchange
    const response = await this.#post(request, { name, signal })
    exchange.onStatus?.(response.status)
    const session = response.headers.get(SESSION_ID_HEADER) ?? undefined
    const answer = await this.#read(request, response, exchange)
    if ('error' in answer) return answer
    if (session !== undefined && !/^[\x21-\x7e]+$/.test(session))
      throw new InvalidResponseError(name, 'its session id is not visible ASCII')
    const { protocolVersion } = answer.result
    this.#session = session
    this.#version = typeof protocolVersion === 'string' ? protocolVersion : undefined
    return answer
  }

  #read(request: JSONRPCRequest, response: Response, exchange: Exchange): Promise<JSONRPCResponse> {
    const maxBytes = this.#maxBytes
    if (!isEventStream(response))
      return abortable(exchange.signal, readAnswer(request, response, maxBytes))
    const resumable = claimedRevision(request) === undefined
    return readEventAnswer(response, {
      request,
      exchange,
      maxBytes,
      clock: this.#clock,
      warn: (error) => this.#host.warn(error),
      resume: resumable
        ? (lastId) => this.#get(lastId, exchange.signal, request.method)
        : undefined,
    })
  }

  #post(
    message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse,
    options: {
      readonly name: string
      readonly signal: AbortSignal
      readonly headers?: Readonly<Record<string, string>> | undefined
    },
  ): Promise<Response> {
    const revision = claimedRevision(message)
    const mirrored =
      revision !== undefined && 'method' in message
        ? mirroredHeaders(message, revision)
        : this.#sessionHeaders()
    const { name, signal } = options
    const headers = { ...options.headers, ...mirrored }
    return this.#sender.send({ verb: 'POST', name, body: JSON.stringify(message), headers, signal })
  }

  #get(lastId: string | undefined, signal: AbortSignal, name: string): Promise<Response> {
    const headers = {
      ...this.#sessionHeaders(),
      ...(lastId === undefined ? {} : { [LAST_EVENT_ID_HEADER]: lastId }),
    }
    return this.#sender.send({ verb: 'GET', name, headers, signal })
  }

  #sessionHeaders(): Record<string, string> {
    const version = this.#version
    const named = isRevision(version) && featuresOf(version).versionHeader
    return {
      ...(this.#session === undefined ? {} : { [SESSION_ID_HEADER]: this.#session }),
      ...(named ? { [PROTOCOL_VERSION_HEADER]: version } : {}),
    }
  }

  async #cancel(requestId: RequestId, cause: unknown): Promise<void> {
    if (this.#closed) return
    const params = { requestId, reason: cause instanceof Error ? cause.message : undefined }
    try {
      await this.notify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch {
      // Nobody waits for the request any more; that the server does not know it only costs the server.
    }
  }
}
