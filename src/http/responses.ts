/**
 * The one place that builds responses which are not streams.
 *
 * @module
 */
import { EVENT_STREAM_TYPE, JSON_TYPE } from '../protocol/constants.ts'
import { errorResponse, InvalidRequestError } from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import type { RequestId } from '../protocol/jsonrpc.ts'
import type { Body } from '../server/eras/era.ts'
import { toFrame } from './sse-format.ts'

/** Headers that every response to one request carries, CORS for instance. */
export type ExtraHeaders = Readonly<Record<string, string>> | undefined

/** What a refusal is made of. */
export interface Refusal {
  readonly status: number
  readonly error: McpError
  readonly id?: RequestId | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * A response that is one JSON document.
 *
 * @param status the HTTP status
 * @param body the document
 * @param extra headers besides the media type
 */
export function jsonResponse(status: number, body: Body, extra: ExtraHeaders): Response {
  const headers = extra === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...extra }
  return new Response(body, { status, headers })
}

const JSON_HEADERS = { 'content-type': JSON_TYPE }

/**
 * A response that refuses a request before anything handled it.
 *
 * @param refusal what is wrong, and the request's id where it could be read
 * @param extra headers of every response to this request
 */
export function refusalResponse(refusal: Refusal, extra: ExtraHeaders): Response {
  const { status, error, id, headers } = refusal
  return jsonResponse(status, JSON.stringify(errorResponse(id, error)), { ...extra, ...headers })
}

/**
 * A refusal that is a mistake of the client's.
 *
 * @param visit the request, as far as its response depends on it
 * @param status the HTTP status
 * @param message what is wrong
 */
export function refused(
  { extra, id }: { readonly extra: ExtraHeaders; readonly id?: RequestId | undefined },
  status: number,
  message: string,
): Response {
  return refusalResponse({ status, error: new InvalidRequestError(message), id }, extra)
}

/**
 * A response without a body.
 *
 * @param status 202, 204 or 405
 * @param headers every header it has
 */
export function emptyResponse(status: number, headers: ExtraHeaders): Response {
  return new Response(null, headers === undefined ? { status } : { status, headers })
}

/** The headers of an event stream: nobody between us and the client may hold or change it. */
const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * A response that is an event stream.
 *
 * @param body the stream, or its whole text
 * @param extra headers besides those of every event stream
 */
export function streamResponse(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | string,
  extra: ExtraHeaders,
): Response {
  const headers = extra === undefined ? EVENT_STREAM_HEADERS : { ...extra, ...EVENT_STREAM_HEADERS }
  return new Response(body, { status: 200, headers })
}

/**
 * A response that is a whole event stream. Nothing is left that could be held back on the way, and no
 * cache keeps what answers a POST, so it needs none of the headers of a stream that is open.
 *
 * @param text every event
 * @param extra headers besides the media type
 */
export function finishedStream(text: string, extra: ExtraHeaders): Response {
  const headers = extra === undefined ? FINISHED_HEADERS : { ...FINISHED_HEADERS, ...extra }
  return new Response(text, { status: 200, headers })
}

const FINISHED_HEADERS = { 'content-type': EVENT_STREAM_TYPE }

/**
 * A finished answer for a client that takes nothing but event streams: the text of a stream that
 * needs no stream.
 *
 * @param body the JSON-RPC response
 */
export function toStreamText(body: Body): string {
  return toFrame(toText(body))
}

/**
 * A body as text.
 *
 * @param body a JSON-RPC response
 */
export function toText(body: Body): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

/**
 * Someone else's response with headers of ours.
 *
 * @param response a refusal of the `authenticate` option, for instance
 * @param extra headers to set
 */
export function withHeaders(response: Response, extra: ExtraHeaders): Response {
  if (extra === undefined) return response
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(extra)) headers.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}
