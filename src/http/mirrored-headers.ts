/**
 * The headers that mirror a modern request's body, so that proxies can route without reading it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#standard-request-headers
 * @module
 */
import { METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION_HEADER } from '../protocol/constants.ts'
import { HeaderMismatchError } from '../protocol/errors.ts'
import { decodeHeaderValue } from '../protocol/header-value.ts'
import type { JSONRPCNotification, JSONRPCRequest, Params } from '../protocol/jsonrpc.ts'

/**
 * Refuses a request whose version header is present and names another revision than its body. Comes
 * before the question whether the revision is served.
 *
 * @throws {HeaderMismatchError}
 */
export function checkVersionHeader(headers: Headers, protocolVersion: string): void {
  const header = headers.get(PROTOCOL_VERSION_HEADER)
  if (header !== null && header.trim() !== protocolVersion) throw differs(PROTOCOL_VERSION_HEADER)
}

/**
 * Refuses a request that lacks a mirrored header, or has one that differs from its body.
 *
 * @throws {HeaderMismatchError} naming the header
 */
export function checkMirroredHeaders(headers: Headers, message: JSONRPCRequest): void {
  if (headers.get(PROTOCOL_VERSION_HEADER) === null) throw missing(PROTOCOL_VERSION_HEADER)
  const method = headers.get(METHOD_HEADER)
  if (method === null) throw missing(METHOD_HEADER)
  if (method !== message.method && method.trim() !== message.method) throw differs(METHOD_HEADER)
  const name = mirroredName(message.method, message.params ?? {})
  if (typeof name !== 'string') return
  const header = headers.get(NAME_HEADER)
  if (header === null) throw missing(NAME_HEADER)
  if (header !== name && decodeHeaderValue(header) !== name) throw differs(NAME_HEADER)
}

/**
 * Refuses a notification whose headers differ from its body. It need not have any.
 *
 * @throws {HeaderMismatchError} naming the header
 */
export function checkNotificationHeaders(headers: Headers, message: JSONRPCNotification): void {
  const method = headers.get(METHOD_HEADER)
  if (method !== null && method.trim() !== message.method) throw differs(METHOD_HEADER)
}

/** What `Mcp-Name` mirrors; a string, unless it mirrors nothing or the body lacks it. */
function mirroredName(method: string, params: Params): unknown {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return params['name']
    case 'resources/read':
      return params['uri']
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return params['taskId']
    default:
      return undefined
  }
}

function missing(header: string): HeaderMismatchError {
  return new HeaderMismatchError(`Header ${header} is missing`)
}

function differs(header: string): HeaderMismatchError {
  return new HeaderMismatchError(`Header ${header} differs from the body`)
}
