/**
 * Waits for an answer on an event stream, resuming the stream where the server allows it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 * @module
 */
import { EVENT_STREAM_TYPE } from '../../protocol/constants.ts'
import { isCall, isResponse, readableId } from '../../protocol/jsonrpc.ts'
import type { JSONRPCRequest, JSONRPCResponse } from '../../protocol/jsonrpc.ts'
import type { Clock } from '../../shared/clock.ts'
import { InvalidResponseError, MessageTooLargeError, StreamBrokenError } from '../errors.ts'
import { parseMessage } from '../parse.ts'
import type { Exchange } from '../transport.ts'
import { answerOf, mediaType, retryAfter } from './answer.ts'
import { discard } from './discard.ts'
import { Resumption } from './resumption.ts'
import { readEvents } from './sse-reader.ts'

/** What the stream of a request needs. */
export interface EventExchange {
  readonly request: JSONRPCRequest
  readonly exchange: Exchange
  readonly clock: Clock
  readonly maxBytes: number
  /** Reports what is wrong on the stream and does not end the request. */
  readonly warn: (error: Error) => void
  /** Resumes the stream after an event; undefined where the wire has no resumption. */
  readonly resume: ((lastId: string) => Promise<Response>) | undefined
}

/**
 * Reads a stream up to the answer.
 *
 * @param first the response that opened the stream
 * @param call what the stream belongs to
 * @throws {StreamBrokenError} when the stream ends without an answer and cannot be resumed
 * @throws {MessageTooLargeError} for an event beyond the bound
 * @throws {InvalidResponseError} for an answer that is none
 */
export async function readEventAnswer(
  first: Response,
  call: EventExchange,
): Promise<JSONRPCResponse> {
  const resumption = new Resumption(call.clock)
  let response: Response | undefined = first
  let ended = 'it was closed'
  let waitMs: number | undefined
  for (;;) {
    if (response !== undefined) {
      const outcome = await readConnection(response, call, resumption)
      if (typeof outcome !== 'string') return outcome
      ended = outcome
    }
    const lastId = resumption.lastId
    if (call.resume === undefined || lastId === undefined)
      throw new StreamBrokenError(call.request.method, ended)
    const refusal = await resumption.wait(call.exchange.signal, waitMs)
    if (refusal !== undefined) throw new StreamBrokenError(call.request.method, refusal)
    const next: Resumed = await reconnect(call, call.resume, lastId)
    response = next.response
    waitMs = next.waitMs
  }
}

interface Resumed {
  /** Undefined when the attempt failed and another may succeed. */
  readonly response?: Response | undefined
  readonly waitMs?: number | undefined
}

async function reconnect(
  call: EventExchange,
  resume: (lastId: string) => Promise<Response>,
  lastId: string,
): Promise<Resumed> {
  const { signal } = call.exchange
  let response: Response
  try {
    response = await resume(lastId)
  } catch {
    signal.throwIfAborted()
    return {}
  }
  if (isEventStream(response)) return { response }
  const waitMs = retryAfter(response)
  discard(response)
  if (isTransient(response.status)) return { waitMs }
  const why = `resuming it was answered with HTTP ${response.status}`
  throw new StreamBrokenError(call.request.method, why)
}

/** One connection of the stream: the answer, or how the connection ended. */
async function readConnection(
  response: Response,
  call: EventExchange,
  resumption: Resumption,
): Promise<JSONRPCResponse | string> {
  const { request, exchange, maxBytes } = call
  const { method } = request
  if (response.body === null) return 'it has no body'
  const { signal } = exchange
  let answer: JSONRPCResponse | undefined
  const message = (data: string): boolean => {
    answer = takeAnswer(data, call)
    return answer !== undefined
  }
  try {
    await readEvents(response.body, { name: method, maxBytes, signal, resumption, message })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof MessageTooLargeError || error instanceof InvalidResponseError) throw error
    return 'the network failed'
  }
  return answer ?? 'it was closed'
}

/** The answer, when this message is it; everything else is passed on or reported. */
function takeAnswer(data: string, call: EventExchange): JSONRPCResponse | undefined {
  const { request, exchange, warn } = call
  const message = readMessage(data, request.method, warn)
  if (message === undefined) return undefined
  if (isCall(message)) {
    exchange.onMessage(message)
    return undefined
  }
  const id = readableId(message)
  if (id === request.id || (id === undefined && isResponse(message)))
    return answerOf(request, message)
  warn(new InvalidResponseError(request.method, 'its stream carries a message of another request'))
  return undefined
}

/**
 * Parses the data of one event; what cannot be parsed is reported and skipped.
 *
 * @param data the data of one event
 * @param name names the stream in the report
 * @param warn takes the report
 */
export function readMessage(data: string, name: string, warn: (error: Error) => void): unknown {
  try {
    return parseMessage(name, data, 'an event of its stream was skipped: ')
  } catch (error) {
    if (error instanceof Error) warn(error)
    return undefined
  }
}

/**
 * Tells whether a response is an open event stream.
 *
 * @param response what the server sent
 */
export function isEventStream(response: Response): boolean {
  return response.ok && mediaType(response) === EVENT_STREAM_TYPE
}

/**
 * Tells whether a status may be gone at the next attempt.
 *
 * @param status an HTTP status
 */
export function isTransient(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}
