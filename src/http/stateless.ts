/**
 * Legacy messages without a session: each one stands alone, and the server knows nothing of the
 * client but what it sends.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 * @module
 */
import type { JSONRPCNotification, JSONRPCRequest } from '../protocol/jsonrpc.ts'
import type { LegacyRevision } from '../protocol/versions.ts'
import type { Caller, Delivery } from '../server/call.ts'
import { serveBatch } from './batch.ts'
import { notifyServer, runCall, SilentOutbox } from './calls.ts'
import type { Deployment, Visit } from './deployment.ts'
import { Exchange } from './exchange.ts'
import { emptyResponse } from './responses.ts'

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
 * Answers a batch.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param arrived the batch and its revision
 */
export function serveStatelessBatch(
  deployment: Deployment,
  visit: Visit,
  { batch, revision }: ArrivedBatch,
): Promise<Response> {
  const caller = callerOf(deployment, visit, revision)
  return serveBatch(visit, batch, {
    request: async (message) => {
      const parts = { message, caller, outbox: new SilentOutbox(), delivery: DELIVERY }
      return (await runCall(deployment, visit, parts)).body
    },
    notification: (message) => notify(deployment, visit, { message, revision }),
    response: async () => undefined,
  })
}
