/**
 * Batches of 2025-03-26: one response for each request, in one document.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#sending-messages-to-the-server
 * @module
 */
import { errorResponse, InvalidRequestError } from '../protocol/errors.ts'
import { isNotification, isRequest, isResponse, readableId } from '../protocol/jsonrpc.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from '../protocol/jsonrpc.ts'
import { MAX_BATCH } from '../protocol/limits.ts'
import type { Body } from '../server/eras/era.ts'
import type { Visit } from './deployment.ts'
import {
  emptyResponse,
  finishedStream,
  jsonResponse,
  refused,
  toStreamText,
  toText,
} from './responses.ts'

/** What becomes of the messages of a batch. */
export interface BatchServer {
  request(message: JSONRPCRequest): Promise<Body>
  notification(message: JSONRPCNotification): Promise<void>
  response(message: JSONRPCResponse): Promise<void>
}

/**
 * Answers a batch.
 *
 * @param visit the HTTP request that carried it
 * @param batch its elements, as parsed
 * @param server what becomes of each
 */
export async function serveBatch(
  visit: Visit,
  batch: readonly unknown[],
  server: BatchServer,
): Promise<Response> {
  if (batch.length > MAX_BATCH) {
    return refused(visit, 400, `A batch holds at most ${MAX_BATCH} messages`)
  }
  const answering = batch.map((value) => serveElement(server, value))
  const answers = (await Promise.all(answering)).filter((answer) => answer !== undefined)
  if (answers.length === 0) return emptyResponse(202, visit.extra)
  if (!visit.forms.json) return finishedStream(answers.map(toStreamText).join(''), visit.extra)
  return jsonResponse(200, `[${answers.map(toText).join(',')}]`, visit.extra)
}

async function serveElement(server: BatchServer, message: unknown): Promise<Body | undefined> {
  if (isRequest(message)) {
    return message.method === 'initialize'
      ? refusal(message, 'initialize cannot be in a batch')
      : server.request(message)
  }
  if (isNotification(message)) await server.notification(message)
  else if (isResponse(message)) await server.response(message)
  else return refusal(message, 'Not a JSON-RPC message')
  return undefined
}

function refusal(message: unknown, problem: string): string {
  return JSON.stringify(errorResponse(readableId(message), new InvalidRequestError(problem)))
}
