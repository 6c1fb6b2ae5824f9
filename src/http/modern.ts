/**
 * Modern messages: each one complete in itself, and answered on its own exchange.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import { PROTOCOL_VERSION_HEADER } from '../protocol/constants.ts'
import { isMcpError, MethodNotFoundError } from '../protocol/errors.ts'
import type { JSONRPCNotification, JSONRPCRequest } from '../protocol/jsonrpc.ts'
import type { BadEnvelope, Envelope } from '../protocol/meta.ts'
import { LATEST_MODERN_REVISION } from '../protocol/versions.ts'
import type { Caller } from '../server/call.ts'
import { notifyServer, runCall } from './calls.ts'
import type { Deployment, Visit } from './deployment.ts'
import { Exchange } from './exchange.ts'
import { serveListen } from './listen.ts'
import {
  checkMirroredHeaders,
  checkNotificationHeaders,
  checkVersionHeader,
} from './mirrored-headers.ts'
import { emptyResponse, refusalResponse } from './responses.ts'
import { servesModern, unsupported } from './unsupported.ts'

/** A request, and the envelope that makes it a modern one. */
interface ModernRequest {
  readonly message: JSONRPCRequest
  readonly envelope: Envelope | BadEnvelope
}

/** A notification, with or without an envelope. */
interface ModernNotification {
  readonly message: JSONRPCNotification
  readonly envelope: Envelope | BadEnvelope | undefined
}

/**
 * Answers a modern request.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param modern the request
 */
export function serveModernRequest(
  deployment: Deployment,
  visit: Visit,
  modern: ModernRequest,
): Response | Promise<Response> {
  const { message } = modern
  const caller = identify(deployment, visit, modern)
  if (caller instanceof Response) return caller
  if (message.method === 'subscriptions/listen') {
    return serveListen(deployment, visit, { message, caller })
  }
  const outbox = new Exchange(deployment, visit, true)
  const { headers } = visit.request
  const parts = { message, caller, outbox, delivery: deployment.delivery, headers }
  return outbox.respond(message.id, runCall(deployment, visit, parts))
}

/** Checks envelope and headers in the order that decides which error a faulty request gets. */
function identify(
  deployment: Deployment,
  visit: Visit,
  { message, envelope }: ModernRequest,
): Caller | Response {
  const { headers } = visit.request
  const { modern } = deployment.server.core
  try {
    if (!envelope.ok) throw envelope.error
    checkVersionHeader(headers, envelope.protocolVersion)
    if (!servesModern(deployment)) throw unsupported(deployment, envelope.protocolVersion)
    const caller = modern.identify(envelope, visit.auth)
    checkMirroredHeaders(headers, message)
    if (message.method === 'initialize') return noHandshake(visit, message)
    return caller
  } catch (error) {
    if (!isMcpError(error)) throw error
    return refusalResponse({ status: 400, error, id: message.id }, visit.extra)
  }
}

/** A client that mixes the eras learns which one its envelope belongs to. */
function noHandshake(visit: Visit, { id, method }: JSONRPCRequest): Response {
  const hint = `; ${LATEST_MODERN_REVISION} has no handshake, each request carries its envelope`
  const error = new MethodNotFoundError(method, hint)
  return refusalResponse({ status: 404, error, id }, visit.extra)
}

/**
 * Takes a modern notification: runs its handler where it has one. What the protocol knows has no
 * meaning here; a cancellation above all, because its id is the client's own and could be anyone's.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param modern the notification
 */
export async function serveModernNotification(
  deployment: Deployment,
  visit: Visit,
  modern: ModernNotification,
): Promise<Response> {
  try {
    const caller = identifySender(deployment, visit, modern)
    if (caller !== undefined) {
      const { delivery } = deployment
      const { message } = modern
      await notifyServer(deployment, visit, { message, caller, delivery })
    }
    return emptyResponse(202, visit.extra)
  } catch (error) {
    if (!isMcpError(error)) throw error
    return refusalResponse({ status: 400, error }, visit.extra)
  }
}

/**
 * Who sends a notification. It need not carry an envelope: the header then names the revision, and
 * nothing else is known of the sender. An envelope that cannot be read makes it nobody's.
 */
function identifySender(
  deployment: Deployment,
  visit: Visit,
  { message, envelope }: ModernNotification,
): Caller | undefined {
  const { headers } = visit.request
  checkNotificationHeaders(headers, message)
  if (envelope?.ok === false) return undefined
  const named = headers.get(PROTOCOL_VERSION_HEADER)?.trim()
  const protocolVersion = envelope?.protocolVersion ?? named
  if (protocolVersion === undefined) return undefined
  if (envelope !== undefined) checkVersionHeader(headers, protocolVersion)
  if (!servesModern(deployment)) throw unsupported(deployment, protocolVersion)
  const { modern } = deployment.server.core
  return modern.identify(envelope ?? { protocolVersion, clientCapabilities: {} }, visit.auth)
}
