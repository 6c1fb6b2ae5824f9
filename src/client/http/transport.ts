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
import { hasVersionHeader, isRevision } from '../../protocol/versions.ts'
import { ConnectionClosedError, RequestTimeoutError } from '../../rpc/errors.ts'
import { abortable, limited, onAbort } from '../../shared/abort.ts'
import { systemClock } from '../../shared/clock.ts'
import type { Clock } from '../../shared/clock.ts'
import { InvalidResponseError, SessionLostError } from '../errors.ts'
import type { Exchange, Transport, TransportHost } from '../transport.ts'
import { bodyText, httpError, readAnswer } from './answer.ts'
import { discard } from './discard.ts'
import { isEventStream, readEventAnswer } from './event-exchange.ts'
import { GetStream } from './get-stream.ts'
import { claimedRevision, mirroredHeaders } from './protocol-headers.ts'
import { Sender } from './sender.ts'
import type { SenderOptions } from './sender.ts'

/** How a server is reached over HTTP. */
export interface HttpTransportOptions extends SenderOptions {
  /** Bytes of one message. Default 4 MiB. */
  readonly maxMessageBytes?: number | undefined
  readonly clock?: Clock | undefined
}

type Headings = Readonly<Record<string, string>>

/** One message on its way. */
interface Sent {
  /** Names it in errors. */
  readonly name: string
  readonly signal: AbortSignal
  readonly headers?: Headings | undefined
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
  /** Fires when the connection ends; notifications that nobody waits for end with it. */
  readonly #ended = new AbortController()

  constructor(options: HttpTransportOptions, host: TransportHost) {
    this.#host = host
    this.#sender = new Sender(options)
    this.#clock = options.clock ?? systemClock
    this.#maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
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
    const reason = (): Error => new RequestTimeoutError(name, CLIENT_TIMEOUT_MS)
    const deadline = { clock: this.#clock, ms: CLIENT_TIMEOUT_MS, reason }
    await limited(this.#ended.signal, deadline, (signal) =>
      abortable(signal, this.#notify(message, { name, signal })),
    )
  }

  async listen(): Promise<void> {
    this.#stream?.close()
    if (this.#ended.signal.aborted) return
    this.#stream = new GetStream({
      clock: this.#clock,
      maxBytes: this.#maxBytes,
      host: this.#host,
      open: (lastId, signal) => this.#get(lastId, signal, 'the GET stream'),
    })
    await this.#stream.opened
  }

  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#ended.abort(new ConnectionClosedError('The client was closed'))
    this.#stream?.close()
    if (this.#session === undefined) return
    const headers = this.#sessionHeaders()
    this.#session = undefined
    const deadline = { clock: this.#clock, ms: SESSION_END_MS, reason: () => undefined }
    try {
      const name = 'close'
      await limited(undefined, deadline, async (signal) =>
        discard(await this.#sender.send({ verb: 'DELETE', name, headers, signal })),
      )
    } catch {
      // The server may refuse (405), have forgotten the session (404), or be gone: all the same here.
    }
  }

  async #exchange(
    request: JSONRPCRequest,
    exchange: Exchange,
    opened?: (response: Response) => void,
  ): Promise<JSONRPCResponse> {
    const response = await this.#post(request, { ...exchange, name: request.method })
    exchange.onStatus?.(response.status)
    opened?.(response)
    return this.#read(request, response, exchange)
  }

  async #notify(message: JSONRPCNotification | JSONRPCResponse, sent: Sent): Promise<void> {
    const response = await this.#post(message, sent)
    if (response.ok) return discard(response)
    throw httpError(sent.name, response, await bodyText(sent.name, response, this.#maxBytes))
  }

  /** Until a new session is there, requests name the old one: that it is gone brings them here too. */
  async #initialize(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse> {
    let session: string | undefined
    const answer = await this.#exchange(request, exchange, ({ headers }) => {
      session = headers.get(SESSION_ID_HEADER) ?? undefined
    })
    if ('error' in answer) return answer
    if (session !== undefined && !/^[\x21-\x7e]+$/.test(session))
      throw new InvalidResponseError(request.method, 'its session id is not visible ASCII')
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

  async #post(
    message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse,
    sent: Sent,
  ): Promise<Response> {
    const { name, signal } = sent
    const own = this.#headersOf(message)
    const headers = { ...sent.headers, ...own }
    const body = JSON.stringify(message)
    const response = await this.#sender.send({ verb: 'POST', name, body, headers, signal })
    if (response.status !== 404 || own[SESSION_ID_HEADER] === undefined) return response
    discard(response)
    throw new SessionLostError(name)
  }

  #headersOf(message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse): Headings {
    const revision = claimedRevision(message)
    if (!('method' in message)) return this.#sessionHeaders()
    if (revision !== undefined) return mirroredHeaders(message, revision)
    return message.method === 'initialize' ? {} : this.#sessionHeaders()
  }

  #get(lastId: string | undefined, signal: AbortSignal, name: string): Promise<Response> {
    const headers = {
      ...this.#sessionHeaders(),
      ...(lastId === undefined ? {} : { [LAST_EVENT_ID_HEADER]: lastId }),
    }
    return this.#sender.send({ verb: 'GET', name, headers, signal })
  }

  #sessionHeaders(): Headings {
    const version = this.#version
    const named = isRevision(version) && hasVersionHeader(version)
    return {
      ...(this.#session === undefined ? {} : { [SESSION_ID_HEADER]: this.#session }),
      ...(named ? { [PROTOCOL_VERSION_HEADER]: version } : {}),
    }
  }

  async #cancel(requestId: RequestId, cause: unknown): Promise<void> {
    if (this.#ended.signal.aborted) return
    const params = { requestId, reason: cause instanceof Error ? cause.message : undefined }
    try {
      await this.notify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch {
      // Nobody waits for the request any more; that the server does not know it only costs the server.
    }
  }
}
