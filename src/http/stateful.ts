/**
 * Legacy messages of a session: `initialize` opens one, each request names it in a header, DELETE
 * ends it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import { SESSION_ID_HEADER } from '../protocol/constants.ts'
import {
  INTERNAL_ERROR,
  InvalidParamsError,
  InvalidRequestError,
  isMcpError,
  McpError,
} from '../protocol/errors.ts'
import { isRequestId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from '../protocol/jsonrpc.ts'
import { MAX_HELLO_CHARS, RETRY_AFTER_SECONDS } from '../protocol/limits.ts'
import { featuresOf } from '../protocol/versions.ts'
import { readHello } from '../server/features/lifecycle.ts'
import type { Hello } from '../server/features/lifecycle.ts'
import type { SessionRecord } from '../stores/session-store.ts'
import { serveBatch } from './batch.ts'
import type { CallParts } from './calls.ts'
import { notifyServer, runCall, SilentOutbox } from './calls.ts'
import type { SessionDeployment, Visit } from './deployment.ts'
import { toResponse } from './exchange.ts'
import { emptyResponse, refusalResponse } from './responses.ts'
import { SessionExchange } from './session-exchange.ts'
import { ownerOf } from './sessions.ts'
import type { SessionVisit } from './sessions.ts'

/**
 * Answers `initialize`: a new session, whose id the response's header carries. It cannot be
 * cancelled, because nothing names it yet.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the request
 */
export async function openSession(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCRequest,
): Promise<Response> {
  const { sessions } = deployment
  if (visit.request.headers.has(SESSION_ID_HEADER)) {
    const record = await sessions.enter(visit)
    if (record instanceof Response) return record
    const error = new InvalidRequestError('The session is initialized already')
    return refusalResponse({ status: 400, error, id: message.id }, visit.extra)
  }
  const { delivery } = sessions
  const { legacy } = deployment.server.core
  const hello = helloOf(deployment, visit, message)
  if (isMcpError(hello)) return toResponse(visit, legacy.fault(message.id, hello))
  const caller = legacy.identify(hello, visit.auth)
  const parts = { message, caller, outbox: new SilentOutbox(), delivery }
  const answer = await runCall(deployment, visit, parts)
  if (answer.error !== undefined) return toResponse(visit, answer)
  const record = await sessions.store.create({
    revision: hello.revision,
    clientInfo: hello.clientInfo,
    capabilities: hello.capabilities,
    owner: ownerOf(visit.auth),
    origin: visit.request.headers.get('origin') ?? undefined,
  })
  if (record === 'full') return full(visit, message)
  const extra = { ...visit.extra, [SESSION_ID_HEADER]: record.id }
  return toResponse({ ...visit, extra }, answer)
}

function helloOf(
  { server }: SessionDeployment,
  { request }: Visit,
  { params = {} }: JSONRPCRequest,
): Hello | InvalidParamsError {
  try {
    const hello = readHello(server.core.legacy.revisions, params)
    // What came in few bytes is kept in few; only for more it has to be looked at.
    if (Number(request.headers.get('content-length') ?? NaN) <= MAX_HELLO_CHARS) return hello
    const kept = JSON.stringify([hello.clientInfo, hello.capabilities])
    if (kept.length <= MAX_HELLO_CHARS) return hello
    return new InvalidParamsError("'clientInfo' and 'capabilities' are too long to be kept")
  } catch (error) {
    if (error instanceof InvalidParamsError) return error
    throw error
  }
}

function full(visit: Visit, { id }: JSONRPCRequest): Response {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  const error = new McpError(INTERNAL_ERROR, 'Too many sessions are open; try again later')
  return refusalResponse({ status: 503, error, id, headers }, visit.extra)
}

/**
 * Answers a request.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the request
 */
export function serveSessionRequest(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCRequest,
): Response | Promise<Response> {
  const { sessions } = deployment
  const found = sessions.enter(visit)
  return found instanceof Promise
    ? found.then((record) => serve(deployment, visit, { record, message }))
    : serve(deployment, visit, { record: found, message })
}

interface Entered<Message> {
  readonly record: SessionRecord
  readonly message: Message
}

function serve(
  deployment: SessionDeployment,
  visit: Visit,
  { record, message }: { record: SessionRecord | Response; message: JSONRPCRequest },
): Response | Promise<Response> {
  if (record instanceof Response) return record
  const { sessions } = deployment
  const { id } = message
  const { priming } = featuresOf(record.revision)
  const outbox = new SessionExchange(sessions, visit, { session: record.id, id, priming })
  const parts = partsOf(deployment, visit, { record, message })
  return outbox.respond(id, runCall(deployment, visit, { ...parts, outbox, session: outbox }))
}

function partsOf(
  { server, sessions }: SessionDeployment,
  visit: Visit,
  { record, message }: Entered<JSONRPCRequest | JSONRPCNotification>,
): Omit<CallParts, 'outbox'> {
  const { id: sessionId, revision, capabilities, clientInfo, logLevel } = record
  const identity = { revision, capabilities, clientInfo, logLevel, sessionId }
  const caller = server.core.legacy.identify(identity, visit.auth)
  return { message, caller, delivery: sessions.delivery }
}

/**
 * Takes a notification.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the notification
 */
export async function serveSessionNotification(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCNotification,
): Promise<Response> {
  const { sessions } = deployment
  const record = await sessions.enter(visit)
  if (record instanceof Response) return record
  await take(deployment, visit, { record, message })
  return emptyResponse(202, visit.extra)
}

async function take(
  deployment: SessionDeployment,
  visit: Visit,
  { record, message }: Entered<JSONRPCNotification>,
): Promise<void> {
  const { sessions } = deployment
  const { method, params } = message
  if (method === 'notifications/cancelled') {
    const { requestId, reason } = params ?? {}
    if (!isRequestId(requestId)) return
    const why = typeof reason === 'string' ? reason : undefined
    await sessions.send(record.id, { kind: 'cancel', requestId, reason: why })
    return
  }
  if (method === 'notifications/initialized' && sessions.store.traits.mutable) {
    await sessions.store.update(record.id, { initialized: true })
  }
  await notifyServer(deployment, visit, partsOf(deployment, visit, { record, message }))
}

/**
 * Takes an answer to a question. One to nobody's question is dropped: it may be late.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the answer
 */
export async function serveSessionResponse(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCResponse,
): Promise<Response> {
  const { sessions } = deployment
  const record = await sessions.enter(visit)
  if (record instanceof Response) return record
  await sessions.answer(record.id, message)
  return emptyResponse(202, visit.extra)
}

/**
 * Answers a batch, where the revision of the session has them.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param batch its elements, as parsed
 */
export async function serveSessionBatch(
  deployment: SessionDeployment,
  visit: Visit,
  batch: readonly unknown[],
): Promise<Response> {
  const { sessions } = deployment
  const record = await sessions.enter(visit)
  if (record instanceof Response) return record
  if (!featuresOf(record.revision).batches) {
    const error = new InvalidRequestError(`${record.revision} has no batches`)
    return refusalResponse({ status: 400, error }, visit.extra)
  }
  const { id } = record
  const session = { update: sessions.update.bind(sessions, id) }
  return serveBatch(visit, batch, {
    request: async (message) => {
      const parts = partsOf(deployment, visit, { record, message })
      const outbox = new SilentOutbox()
      return (await runCall(deployment, visit, { ...parts, outbox, session })).body
    },
    notification: (message) => take(deployment, visit, { record, message }),
    response: (message) => sessions.answer(id, message),
  })
}

/**
 * Answers a DELETE: the session ends, and with it everything that is alive for it anywhere.
 *
 * @param deployment where it arrived
 * @param visit the request
 */
export async function endSession(
  { sessions }: SessionDeployment,
  visit: SessionVisit,
): Promise<Response> {
  const record = await sessions.enter(visit)
  if (record instanceof Response) return record
  try {
    await sessions.store.delete(record.id)
  } catch (error) {
    if (!isMcpError(error)) throw error
    return refusalResponse({ status: 405, error, headers: { allow: 'POST' } }, visit.extra)
  }
  try {
    await sessions.send(record.id, { kind: 'end' })
  } finally {
    await sessions.events?.delete(record.id)
  }
  return emptyResponse(204, visit.extra)
}
