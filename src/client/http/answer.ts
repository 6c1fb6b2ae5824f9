/**
 * Finds the answer to a request in what a server sent instead of trusting that it is one.
 *
 * @module
 */
import { JSON_TYPE } from '../../protocol/constants.ts'
import { isResponse, kindOf } from '../../protocol/jsonrpc.ts'
import type { JSONRPCRequest, JSONRPCResponse } from '../../protocol/jsonrpc.ts'
import { MAX_QUOTED_CHARS } from '../../protocol/limits.ts'
import { essenceOf } from '../../shared/media-type.ts'
import { countedText } from '../../shared/read-text.ts'
import type { ReadText } from '../../shared/read-text.ts'
import {
  HttpError,
  InvalidResponseError,
  MessageTooLargeError,
  StreamBrokenError,
} from '../errors.ts'
import { parseMessage } from '../parse.ts'
import { discard } from './discard.ts'

/**
 * The media type of a response, without parameters and in lower case.
 *
 * @param response what the server sent
 */
export function mediaType(response: Response): string {
  return essenceOf(response.headers.get('content-type'))
}

/**
 * Reads the answer from a body that is not a stream.
 *
 * @param request what was asked
 * @param response what the server sent
 * @param maxBytes bytes that are read at most
 * @throws {HttpError} for a status with a body that is no JSON-RPC error
 * @throws {InvalidResponseError} for a success without an answer
 * @throws {MessageTooLargeError} for a body beyond the bound
 */
export async function readAnswer(
  request: JSONRPCRequest,
  response: Response,
  maxBytes: number,
): Promise<JSONRPCResponse> {
  const { method } = request
  const text = await bodyText(method, response, maxBytes)
  const answer = isJson(response) ? parsed(method, text, response.ok) : undefined
  // Other bodies of a failure, such as `{"error":"…"}`, are text about it and no answer.
  if (answer !== undefined && (response.ok || isErrorAnswer(answer)))
    return answerOf(request, answer)
  if (!response.ok) throw httpError(method, response, text)
  throw new InvalidResponseError(method, whyNot(response, text))
}

/**
 * Reads a body.
 *
 * @param method names the request in errors
 * @param response what the server sent
 * @param maxBytes bytes that are read at most
 * @throws {StreamBrokenError} when the body breaks off
 * @throws {MessageTooLargeError} for a body beyond the bound
 * @throws {InvalidResponseError} for a success that is no text
 */
export async function bodyText(
  method: string,
  response: Response,
  maxBytes: number,
): Promise<string> {
  let read: ReadText
  try {
    read = await countedText(response, maxBytes)
  } catch (cause) {
    throw new StreamBrokenError(method, 'the network failed', { cause })
  }
  if (read.ok) return read.text
  discard(response)
  if (read.problem === 'size') throw new MessageTooLargeError(method, maxBytes)
  // The status says enough about a failure.
  if (!response.ok) return ''
  throw new InvalidResponseError(method, 'it is not UTF-8')
}

/**
 * Checks that a message answers a request.
 *
 * @param request what was asked
 * @param message one parsed message
 * @throws {InvalidResponseError} when it does not
 */
export function answerOf(request: JSONRPCRequest, message: unknown): JSONRPCResponse {
  const { method, id } = request
  if (!isResponse(message)) {
    const kind = kindOf(message)
    throw new InvalidResponseError(
      method,
      kind === 'invalid' ? 'it is not a JSON-RPC message' : `it is a ${kind}`,
    )
  }
  // A server that could not read the id answers without it; on this exchange it can only mean ours.
  if ('error' in message && (message.id === undefined || message.id === null))
    return { ...message, id }
  if (message.id !== id)
    throw new InvalidResponseError(method, `it answers the id ${JSON.stringify(message.id)}`)
  return message
}

/**
 * The error for a status that is not a success.
 *
 * @param method what was asked
 * @param response what the server sent
 * @param text its body
 */
export function httpError(method: string, response: Response, text: string): HttpError {
  return new HttpError(method, response.status, {
    detail: excerpt(response, text),
    retryAfterMs: retryAfter(response),
  })
}

/**
 * How long the server asks to wait.
 *
 * @param response what the server sent
 * @returns milliseconds; undefined when it does not say, or says a date
 */
export function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get('retry-after') ?? ''
  return /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined
}

function isJson(response: Response): boolean {
  const type = mediaType(response)
  return type === JSON_TYPE || type.endsWith('+json')
}

function parsed(method: string, text: string, required: boolean): unknown {
  if (text === '') return undefined
  try {
    return parseMessage(method, text)
  } catch (error) {
    if (!required) return undefined
    throw error
  }
}

function isErrorAnswer(answer: unknown): boolean {
  return isResponse(answer) && 'error' in answer
}

function whyNot(response: Response, text: string): string {
  if (response.status === 202 || response.status === 204)
    return `HTTP ${response.status} accepts it and does not answer it`
  if (text === '') return 'it is empty'
  return `it is ${mediaType(response) || 'of no type'}: ${excerpt(response, text)}`
}

/** Pages made for people say nothing in an error; their markup is left out. */
function excerpt(response: Response, text: string): string {
  if (mediaType(response) === 'text/html') return 'an HTML page'
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS)}…` : line
}
