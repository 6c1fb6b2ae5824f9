/**
 * The headers a request carries because of its body.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#protocol-headers
 * @module
 */
import {
  META_PROTOCOL_VERSION,
  METHOD_HEADER,
  NAME_HEADER,
  PROTOCOL_VERSION_HEADER,
} from '../../protocol/constants.ts'
import { encodeHeaderValue } from '../../protocol/header-value.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type {
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
} from '../../protocol/jsonrpc.ts'

/**
 * The revision that a message claims in its envelope; only modern messages do.
 *
 * @param message what is sent
 */
export function claimedRevision(
  message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse,
): string | undefined {
  const params = 'params' in message ? message.params : undefined
  const meta = params?.['_meta']
  const claim = isRecord(meta) ? meta[META_PROTOCOL_VERSION] : undefined
  return typeof claim === 'string' ? claim : undefined
}

/**
 * The headers that mirror a modern message.
 *
 * @param message what is sent
 * @param revision the revision it claims
 */
export function mirroredHeaders(
  message: JSONRPCRequest | JSONRPCNotification,
  revision: string,
): Record<string, string> {
  const name = nameOf(message)
  return {
    [PROTOCOL_VERSION_HEADER]: revision,
    [METHOD_HEADER]: message.method,
    ...(name === undefined ? {} : { [NAME_HEADER]: encodeHeaderValue(name) }),
  }
}

function nameOf({ method, params }: JSONRPCRequest | JSONRPCNotification): string | undefined {
  const name = params?.[nameMember(method)]
  return typeof name === 'string' ? name : undefined
}

function nameMember(method: string): string {
  if (method === 'tools/call' || method === 'prompts/get') return 'name'
  if (method === 'resources/read') return 'uri'
  return method.startsWith('tasks/') ? 'taskId' : ''
}
