/**
 * Which era a request belongs to. The body decides: an envelope makes a request modern,
 * `initialize` makes it legacy; the version header speaks only where the body does not.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#backward-compatibility
 * @module
 */
import { PROTOCOL_VERSION_HEADER } from '../protocol/constants.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import { isNotification, isRecord, isRequest, isResponse, readableId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from '../protocol/jsonrpc.ts'
import { missingEnvelope, readEnvelope } from '../protocol/meta.ts'
import {
  ASSUMED_REVISION,
  featuresOf,
  isLegacyRevision,
  isModernRevision,
} from '../protocol/versions.ts'
import type { LegacyRevision } from '../protocol/versions.ts'
import { hasSessions } from './deployment.ts'
import type { Deployment, SessionDeployment, Visit } from './deployment.ts'
import { serveModernNotification, serveModernRequest } from './modern.ts'
import { emptyResponse, refusalResponse } from './responses.ts'
import { servesModern, unsupported } from './unsupported.ts'
import { serveGet } from './serve-get.ts'
import type { SessionVisit } from './sessions.ts'
import {
  endSession,
  openSession,
  serveSessionBatch,
  serveSessionNotification,
  serveSessionRequest,
  serveSessionResponse,
} from './stateful.ts'
import { serveNotification, serveRequest, serveStatelessBatch } from './stateless.ts'

/**
 * Hands a parsed body to the era it belongs to.
 *
 * @param deployment where it arrived
 * @param visit the request that carried it
 * @param value the parsed body
 */
export function route(
  deployment: Deployment,
  visit: Visit,
  value: unknown,
): Promise<Response> | Response {
  if (Array.isArray(value)) return routeBatch(deployment, visit, value)
  if (isRequest(value)) return routeRequest(deployment, visit, value)
  if (isNotification(value)) return routeNotification(deployment, visit, value)
  if (isResponse(value)) return routeResponse(deployment, visit, value)
  return refuse(visit, new InvalidRequestError('The body is not a JSON-RPC message'), value)
}

function routeRequest(
  deployment: Deployment,
  visit: Visit,
  message: JSONRPCRequest,
): Promise<Response> | Response {
  const envelope = readEnvelope(message.params)
  if (envelope !== undefined) return serveModernRequest(deployment, visit, { message, envelope })
  if (!servesLegacy(deployment)) return refuseLegacy(deployment, visit, message)
  if (message.method === 'initialize') {
    return hasSessions(deployment)
      ? openSession(deployment, visit, message)
      : serveRequest(deployment, visit, { message, revision: ASSUMED_REVISION })
  }
  const revision = headerRevision(deployment, visit)
  // A modern header promises an envelope; the error names what it lacks.
  if (revision === 'modern') return refuse(visit, missingEnvelope(message.params), message)
  if (revision === 'unknown') return refuseVersion(deployment, visit, message)
  if (hasSessions(deployment)) return serveSessionRequest(deployment, visit, message)
  return serveRequest(deployment, visit, { message, revision })
}

function routeNotification(
  deployment: Deployment,
  visit: Visit,
  message: JSONRPCNotification,
): Promise<Response> | Response {
  const revision = headerRevision(deployment, visit)
  const envelope = readEnvelope(message.params)
  if (envelope !== undefined || revision === 'modern' || !servesLegacy(deployment)) {
    return serveModernNotification(deployment, visit, { message, envelope })
  }
  if (revision === 'unknown') return refuseVersion(deployment, visit, message)
  if (hasSessions(deployment)) return serveSessionNotification(deployment, visit, message)
  return serveNotification(deployment, visit, { message, revision })
}

function routeResponse(
  deployment: Deployment,
  visit: Visit,
  message: JSONRPCResponse,
): Promise<Response> | Response {
  const revision = headerRevision(deployment, visit)
  if (revision === 'modern' || !servesLegacy(deployment)) {
    return refuse(visit, new InvalidRequestError('A client sends no responses here'))
  }
  if (!hasSessions(deployment)) return emptyResponse(202, visit.extra)
  if (revision === 'unknown') return refuseVersion(deployment, visit, undefined)
  return serveSessionResponse(deployment, visit, message)
}

function routeBatch(
  deployment: Deployment,
  visit: Visit,
  batch: readonly unknown[],
): Promise<Response> | Response {
  const revision = headerRevision(deployment, visit)
  const claims = batch.some(
    (value) =>
      isRecord(value) && isRecord(value['params']) && readEnvelope(value['params']) !== undefined,
  )
  const refusal = new InvalidRequestError('Batches are not served here')
  if (claims || batch.length === 0 || !servesLegacy(deployment)) return refuse(visit, refusal)
  if (revision === 'modern' || revision === 'unknown') return refuse(visit, refusal)
  if (hasSessions(deployment)) return serveSessionBatch(deployment, visit, batch)
  if (!featuresOf(revision).batches) return refuse(visit, refusal)
  return serveStatelessBatch(deployment, visit, { batch, revision })
}

/**
 * Hands a GET or DELETE to the session that it names.
 *
 * @param deployment where it arrived
 * @param visit the request
 */
export function routeWithoutBody(
  deployment: SessionDeployment,
  visit: SessionVisit,
): Promise<Response> | Response {
  // Only sessions have these methods: no revision makes such a request modern.
  if (headerRevision(deployment, visit) === 'unknown') {
    return refuseVersion(deployment, visit, undefined)
  }
  return visit.request.method === 'GET'
    ? serveGet(deployment.sessions, visit)
    : endSession(deployment, visit)
}

function servesLegacy(deployment: Deployment): boolean {
  return deployment.settings.legacy !== 'off' && deployment.server.core.legacy.revisions.length > 0
}

/** What the version header says: a legacy revision that is served, the assumed one when it is absent, or neither. */
function headerRevision(
  deployment: Deployment,
  { request }: Pick<Visit, 'request'>,
): LegacyRevision | 'modern' | 'unknown' {
  const named = request.headers.get(PROTOCOL_VERSION_HEADER)?.trim()
  // A session knows its revision; a header may confirm it, and need not.
  if (named === undefined && deployment.sessions !== undefined) return ASSUMED_REVISION
  const header = named ?? ASSUMED_REVISION
  if (isModernRevision(header) && servesModern(deployment)) return 'modern'
  const served =
    isLegacyRevision(header) && deployment.server.core.legacy.revisions.includes(header)
  return served ? header : 'unknown'
}

function refuseVersion(deployment: Deployment, visit: SessionVisit, message: unknown): Response {
  const requested = visit.request.headers.get(PROTOCOL_VERSION_HEADER) ?? ASSUMED_REVISION
  return refuse(visit, unsupported(deployment, requested), message)
}

/** A server without the handshake era names the versions it has to whoever opens with a handshake. */
function refuseLegacy(deployment: Deployment, visit: Visit, message: JSONRPCRequest): Response {
  if (message.method !== 'initialize') {
    return refuse(visit, missingEnvelope(message.params), message)
  }
  const requested = message.params?.['protocolVersion']
  return refuse(
    visit,
    unsupported(deployment, typeof requested === 'string' ? requested : ''),
    message,
  )
}

function refuse(visit: SessionVisit, error: McpError, message?: unknown): Response {
  return refusalResponse({ status: 400, error, id: readableId(message) }, visit.extra)
}
