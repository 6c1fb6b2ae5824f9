/**
 * JSON-RPC 2.0 as MCP uses it: the four message shapes and the guards that tell them apart.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object; its members are unknown until looked at. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** The id of a request: a string or an integer, chosen by whoever sends it. */
export type RequestId = string | number

/** The token with which a sender asks for progress. */
export type ProgressToken = string | number

/** Parameters as they stand on the wire, before anyone has looked at them. */
export interface Params {
  readonly [key: string]: unknown
}

/** A message that wants an answer. */
export interface JSONRPCRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Params | undefined
}

/** A message that wants none. */
export interface JSONRPCNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Params | undefined
}

/** The object inside an error response. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A successful answer. */
export interface JSONRPCResultResponse {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: Params
}

/** An unsuccessful answer; without an id when the request's could not be read. */
export interface JSONRPCErrorResponse {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId | undefined
  readonly error: ErrorObject
}

/** Either answer. */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse

/** Any single message. */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse

/**
 * Tells whether `value` is a plain record: an object that is neither null nor an array.
 *
 * @param value anything
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Tells whether `value` may be the id of a request. Null, fractions and everything else are not ids.
 *
 * @param value the `id` member of a message
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
}

/** What a value from the wire turned out to be. */
export type MessageKind = 'request' | 'notification' | 'response' | 'invalid'

/**
 * Sorts a parsed value into the kinds of message. Looks at each member once and allocates nothing.
 *
 * @param value one parsed JSON value
 */
export function kindOf(value: unknown): MessageKind {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return 'invalid'
  if (!('method' in value)) return isResponse(value) ? 'response' : 'invalid'
  const { method, params } = value
  if (typeof method !== 'string' || (params !== undefined && !isRecord(params))) return 'invalid'
  if (!('id' in value)) return 'notification'
  return isRequestId(value['id']) ? 'request' : 'invalid'
}

/**
 * Tells whether `value` is a request.
 *
 * @param value one parsed JSON value
 */
export function isRequest(value: unknown): value is JSONRPCRequest {
  return kindOf(value) === 'request'
}

/**
 * Tells whether `value` is a notification.
 *
 * @param value one parsed JSON value
 */
export function isNotification(value: unknown): value is JSONRPCNotification {
  return kindOf(value) === 'notification'
}

/**
 * Tells whether `value` is a request or a notification, in one look.
 *
 * @param value one parsed JSON value
 */
export function isCall(value: unknown): value is JSONRPCRequest | JSONRPCNotification {
  const kind = kindOf(value)
  return kind === 'request' || kind === 'notification'
}

/**
 * Tells whether `value` is a well-formed answer: exactly one of `result` (an object) and `error`.
 *
 * @param value one parsed JSON value
 */
export function isResponse(value: unknown): value is JSONRPCResponse {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0' || 'method' in value) return false
  if ('result' in value === 'error' in value) return false
  if ('result' in value) return isRecord(value['result']) && isRequestId(value['id'])
  return isErrorObject(value['error']) && isErrorId(value['id'])
}

function isErrorId(id: unknown): boolean {
  return id === undefined || id === null || isRequestId(id)
}

/**
 * Tells whether `value` is the object inside an error response.
 *
 * @param value the `error` member of a message
 */
export function isErrorObject(value: unknown): value is ErrorObject {
  return isRecord(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string'
}

/**
 * The id of a message that is invalid in some other way, so that its error can carry it.
 *
 * @param value one parsed JSON value
 * @returns the id, or undefined when none can be read
 */
export function readableId(value: unknown): RequestId | undefined {
  const id = isRecord(value) ? value['id'] : undefined
  return isRequestId(id) ? id : undefined
}
