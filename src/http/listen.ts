/**
 * `subscriptions/listen` over HTTP: a request whose answer stays open and carries changes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @module
 */
import { principalOf } from '../protocol/auth-info.ts'
import { EVENT_STREAM_TYPE } from '../protocol/constants.ts'
import {
  INTERNAL_ERROR,
  InvalidRequestError,
  isMcpError,
  McpError,
  MethodNotFoundError,
} from '../protocol/errors.ts'
import type { JSONRPCRequest } from '../protocol/jsonrpc.ts'
import { RETRY_AFTER_SECONDS } from '../protocol/limits.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import type { Caller } from '../server/call.ts'
import { acknowledgement, completion, honoured, readFilter } from '../server/subscriptions.ts'
import type { Deployment, Visit } from './deployment.ts'
import { Listener } from './listener.ts'
import { finishedStream, refusalResponse } from './responses.ts'
import type { Refusal } from './responses.ts'
import { toFrame } from './sse-format.ts'

/** A listen request and who sends it. */
export interface ListenRequest {
  readonly message: JSONRPCRequest
  readonly caller: Caller
}

/**
 * Opens a listen stream. One of which nothing is granted is acknowledged and completed at once.
 *
 * @param deployment where the request arrived
 * @param visit the HTTP request that carried it
 * @param listen the request, its envelope and headers checked
 */
export async function serveListen(
  deployment: Deployment,
  visit: Visit,
  { message, caller }: ListenRequest,
): Promise<Response> {
  const { id } = message
  const { delivery, listeners, server, settings } = deployment
  const refuse = (refusal: Refusal): Response => refusalResponse({ ...refusal, id }, visit.extra)
  const { bus } = settings
  if (!delivery.changes || bus === undefined) {
    return refuse({ status: 404, error: new MethodNotFoundError(message.method) })
  }
  if (!visit.forms.stream) {
    const error = new InvalidRequestError(`Accept must admit ${EVENT_STREAM_TYPE}`)
    return refuse({ status: 406, error })
  }
  const wanted = filterOf(deployment, message, caller)
  if (isMcpError(wanted)) return refuse({ status: 400, error: wanted })
  const filter = honoured(wanted, server.dispatcher.capabilities(delivery))
  if (Object.keys(filter).length === 0) {
    const messages = [acknowledgement(id, filter), completion(id, server.core.info)]
    return finishedStream(messages.map(toFrame).join(''), visit.extra)
  }
  if (!listeners.admits(visit.auth && principalOf(visit.auth))) {
    const error = new McpError(INTERNAL_ERROR, 'Too many listen streams are open; try again later')
    return refuse({ status: 503, error, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
  }
  return new Listener(deployment, visit, { bus, id, filter }).open(visit.extra)
}

function filterOf(
  { settings }: Deployment,
  { params = {} }: JSONRPCRequest,
  caller: Caller,
): SubscriptionFilter | McpError {
  try {
    return readFilter(params, caller.capabilities, settings.listenUris)
  } catch (error) {
    if (isMcpError(error)) return error
    throw error
  }
}
