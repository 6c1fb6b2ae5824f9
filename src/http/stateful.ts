/**
 * Legacy messages of a session: `initialize` opens one, each request names it in a header, DELETE
 * ends it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import { SESSION_ID_HEADER } from '../protocol/constants.ts'
import { INTERNAL_ERROR, InvalidParamsError, isMcpError, McpError } from '../protocol/errors.ts'
import { isRequestId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from '../protocol/jsonrpc.ts'
import { MAX_HELLO_CHARS, RETRY_AFTER_SECONDS } from '../protocol/limits.ts'
import { featuresOf } from '../protocol/versions.ts'
import type { Caller } from '../server/call.ts'
import type { Answer } from '../server/eras/era.ts'
import { readHello } from '../server/features/lifecycle.ts'
import type { Hello } from '../server/features/lifecycle.ts'
import { after } from '../shared/after.ts'
import type { Awaitable } from '../shared/fetch.ts'
import type { SessionRecord } from '../stores/session-store.ts'
import { serveBatch } from './batch.ts'
import { notifyServer, runCall, SilentOutbox } from './calls.ts'
import type { SessionDeployment, Visit } from './deployment.ts'
import { toResponse } from './exchange.ts'
import { emptyResponse, refusalResponse, refused } from './responses.ts'
import { SessionExchange } from './session-exchange.ts'
import { ownerOf } from './sessions.ts'
import type { Sessions, SessionVisit } from './sessions.ts'

/**
 * Answers `initialize`: a new session, whose id the response's header carries. It cannot be
 * cancelled, because nothing names it yet.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the request
 */
export function openSession(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCRequest,
): Awaitable<Response> {
  const { server, sessions } = deployment
  if (visit.request.headers.has(SESSION_ID_HEADER)) {
    const { id } = message
    const again = (): Response =>
      refused({ extra: visit.extra, id }, 400, 'The session is initialized already')
    return sessions.enter(visit, again, id)
  }
  const { legacy } = server.core
  const hello = helloOf(deployment, visit, message)
  if (isMcpError(hello)) return toResponse(visit, legacy.fault(message.id, hello))
  const caller = legacy.identify(hello, visit.auth)
  const { delivery } = sessions
  const parts = { message, caller, outbox: new SilentOutbox(), delivery }
  return after(runCall(deployment, visit, parts), (answer) =>
    answer.error === undefined
      ? created(sessions, visit, { hello, answer, message })
      : toResponse(visit, answer),
  )
}

interface Greeted {
  readonly hello: Hello
  readonly answer: Answer
  readonly message: JSONRPCRequest
}

function created(
  { store }: Sessions,
  visit: Visit,
  { hello, answer, message }: Greeted,
): Awaitable<Response> {
  const { revision, clientInfo, capabilities } = hello
  const origin = visit.request.headers.get('origin') ?? undefined
  const init = { revision, clientInfo, capabilities, owner: ownerOf(visit.auth), origin }
  return after(store.create(init), (record) =>
    record === 'full'
      ? full(visit, message)
      : toResponse(visit, answer, { ...visit.extra, [SESSION_ID_HEADER]: record.id }),
  )
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
): Awaitable<Response> {
  const { sessions } = deployment
  const { delivery } = sessions
  const serve = (record: SessionRecord): Awaitable<Response> => {
    const outbox = new SessionExchange(sessions, visit, { record, message })
    const caller = callerOf(deployment, visit, record)
    const parts = { message, caller, outbox, delivery, session: outbox }
    return outbox.respond(message.id, runCall(deployment, visit, parts))
  }
  return sessions.enter(visit, serve, message.id)
}

function callerOf({ server }: SessionDeployment, visit: Visit, record: SessionRecord): Caller {
  const { id: sessionId, revision, capabilities, clientInfo, logLevel } = record
  const identity = { revision, capabilities, clientInfo, logLevel, sessionId }
  return server.core.legacy.identify(identity, visit.auth)
}

/**
 * Takes a notification.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the notification
 */
export function serveSessionNotification(
  deployment: SessionDeployment,
  visit: Visit,
  message: JSONRPCNotification,
): Awaitable<Response> {
  return deployment.sessions.enter(visit, async (record) => {
    await take(deployment, visit, { record, message })
    return emptyResponse(202, visit.extra)
  })
}

interface Entered {
  readonly record: SessionRecord
  readonly message: JSONRPCNotification
}

async function take(
  deployment: SessionDeployment,
  visit: Visit,
  { record, message }: Entered,
): Promise<void> {
  const { sessions } = deployment
  const { delivery, store } = sessions
  const { method, params } = message
  if (method === 'notifications/cancelled') {
    const { requestId, reason } = params ?? {}
    if (!isRequestId(requestId)) return
    const why = typeof reason === 'string' ? reason : undefined
    await sessions.send(record.id, { kind: 'cancel', requestId, reason: why })
    return
  }
  if (method === 'notifications/initialized' && store.traits.mutable) {
    await store.update(record.id, { initialized: true })
  }
  const caller = callerOf(deployment, visit, record)
  await notifyServer(deployment, visit, { message, caller, delivery })
}

/**
 * Takes an answer to a question. One to nobody's question is dropped: it may be late.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param message the answer
 */
export function serveSessionResponse(
  { sessions }: SessionDeployment,
  visit: Visit,
  message: JSONRPCResponse,
): Awaitable<Response> {
  return sessions.enter(visit, async (record) => {
    await sessions.answer(record.id, message)
    return emptyResponse(202, visit.extra)
  })
}

/**
 * Answers a batch, where the revision of the session has them.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param batch its elements, as parsed
 */
export function serveSessionBatch(
  deployment: SessionDeployment,
  visit: Visit,
  batch: readonly unknown[],
): Awaitable<Response> {
  const { sessions } = deployment
  const { delivery } = sessions
  return sessions.enter(visit, (record) => {
    const { id, revision } = record
    if (!featuresOf(revision).batches) return refused(visit, 400, `${revision} has no batches`)
    const session = { update: sessions.update.bind(sessions, id) }
    const caller = callerOf(deployment, visit, record)
    return serveBatch(visit, batch, {
      request: async (message) => {
        const parts = { message, caller, outbox: new SilentOutbox(), delivery, session }
        return (await runCall(deployment, visit, parts)).body
      },
      notification: (message) => take(deployment, visit, { record, message }),
      response: (message) => sessions.answer(id, message),
    })
  })
}

/**
 * Answers a DELETE: the session ends, and with it everything that is alive for it anywhere.
 *
 * @param deployment where it arrived
 * @param visit the request
 */
export function endSession(
  { sessions }: SessionDeployment,
  visit: SessionVisit,
): Awaitable<Response> {
  return sessions.enter(visit, async ({ id }) => {
    try {
      await sessions.store.delete(id)
    } catch (error) {
      if (!isMcpError(error)) throw error
      return refusalResponse({ status: 405, error, headers: { allow: 'POST' } }, visit.extra)
    }
    try {
      await sessions.send(id, { kind: 'end' })
    } finally {
      await sessions.events?.delete(id)
    }
    return emptyResponse(204, visit.extra)
  })
}
