/**
 * Legacy messages without a session: each one stands alone, and the server knows nothing of the
 * client but what it sends.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 * @module
 */
import { errorResponse, InvalidRequestError } from '../protocol/errors.ts'
import { isNotification, isRequest, isResponse, readableId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest } from '../protocol/jsonrpc.ts'
import { MAX_BATCH } from '../protocol/limits.ts'
import type { LegacyRevision } from '../protocol/versions.ts'
import type { Caller, Delivery } from '../server/call.ts'
import type { Body } from '../server/eras/era.ts'
import { notifyServer, runCall, SilentOutbox } from './calls.ts'
import type { Deployment, Visit } from './deployment.ts'
import { Exchange } from './exchange.ts'
import {
  emptyResponse,
  jsonResponse,
  refusalResponse,
  streamResponse,
  toStreamText,
} from './responses.ts'

/** What reaches a client without a session besides answers: nothing. */
const DELIVERY: Delivery = { changes: false, logging: false }

/** A message and the revision that its headers name. */
export interface Arrived<Message> {
  readonly message: Message
  readonly revision: LegacyRevision
}

function callerOf(deployment: Deployment, visit: Visit, revision: LegacyRevision): Caller {
  return deployment.server.core.legacy.identify({ revision, capabilities: {} }, visit.auth)
}

/**
 * Answers a request.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param arrived the request and its revision
 */
export function serveRequest(
  deployment: Deployment,
  visit: Visit,
  { message, revision }: Arrived<JSONRPCRequest>,
): Response | Promise<Response> {
  const outbox = new Exchange(deployment, visit, false)
  const caller = callerOf(deployment, visit, revision)
  const parts = { message, caller, outbox, delivery: DELIVERY }
  return outbox.respond(message.id, runCall(deployment, visit, parts))
}

/**
 * Takes a notification: runs its handler where it has one.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param arrived the notification and its revision
 */
export async function serveNotification(
  deployment: Deployment,
  visit: Visit,
  arrived: Arrived<JSONRPCNotification>,
): Promise<Response> {
  await notify(deployment, visit, arrived)
  return emptyResponse(202, visit.extra)
}

async function notify(
  deployment: Deployment,
  visit: Visit,
  { message, revision }: Arrived<JSONRPCNotification>,
): Promise<void> {
  const caller = callerOf(deployment, visit, revision)
  await notifyServer(deployment, visit, { message, caller, delivery: DELIVERY })
}

/** A batch and the revision that its headers name. */
export interface ArrivedBatch {
  readonly batch: readonly unknown[]
  readonly revision: LegacyRevision
}

/**
 * Answers a batch: one response for each request in it, in one JSON array.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param arrived the batch and its revision
 */
export async function serveBatch(
  deployment: Deployment,
  visit: Visit,
  { batch, revision }: ArrivedBatch,
): Promise<Response> {
  if (batch.length > MAX_BATCH) {
    const error = new InvalidRequestError(`A batch holds at most ${MAX_BATCH} messages`)
    return refusalResponse({ status: 400, error }, visit.extra)
  }
  const answering = batch.map((value) =>
    serveElement(deployment, visit, { message: value, revision }),
  )
  const answers = (await Promise.all(answering)).filter((answer) => answer !== undefined)
  if (answers.length === 0) return emptyResponse(202, visit.extra)
  if (!visit.forms.json) return streamResponse(answers.map(toStreamText).join(''), visit.extra)
  return jsonResponse(200, `[${answers.map(toText).join(',')}]`, visit.extra)
}

async function serveElement(
  deployment: Deployment,
  visit: Visit,
  { message, revision }: Arrived<unknown>,
): Promise<Body | undefined> {
  if (isRequest(message)) return answerElement(deployment, visit, { message, revision })
  if (isNotification(message)) await notify(deployment, visit, { message, revision })
  else if (!isResponse(message)) return refusal(message, 'Not a JSON-RPC message')
  return undefined
}

async function answerElement(
  deployment: Deployment,
  visit: Visit,
  { message, revision }: Arrived<JSONRPCRequest>,
): Promise<Body> {
  if (message.method === 'initialize') return refusal(message, 'initialize cannot be in a batch')
  const caller = callerOf(deployment, visit, revision)
  const outbox = new SilentOutbox()
  const parts = { message, caller, outbox, delivery: DELIVERY }
  return (await runCall(deployment, visit, parts)).body
}

function refusal(message: unknown, problem: string): string {
  return JSON.stringify(errorResponse(readableId(message), new InvalidRequestError(problem)))
}

function toText(body: Body): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}
