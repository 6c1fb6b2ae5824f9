/**
 * From an HTTP request and its message to the call that the server runs.
 *
 * @module
 */
import { InternalError } from '../protocol/errors.ts'
import type { JSONRPCNotification, JSONRPCRequest, Params } from '../protocol/jsonrpc.ts'
import type { Call, Caller, CallSession, Delivery, HeaderLookup, Outbox } from '../server/call.ts'
import type { Answer } from '../server/eras/era.ts'
import { createNotifier } from '../server/notifier.ts'
import type { Notifier } from '../server/notifier.ts'
import { report } from '../server/report.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import type { Deployment, Visit } from './deployment.ts'

/** What a call is made of besides where it arrived. */
export interface CallParts {
  readonly message: JSONRPCRequest | JSONRPCNotification
  readonly caller: Caller
  readonly outbox: Outbox
  readonly delivery: Delivery
  readonly session?: CallSession | undefined
  /** The headers that mirror arguments, in the era that has them. */
  readonly headers?: HeaderLookup | undefined
}

/** Parameters of messages that have none; shared, because nobody changes parameters. */
const NO_PARAMS: Params = {}

/**
 * Makes a call.
 *
 * @returns the call; a promise only where the `context` option has to be waited for
 * @throws whatever the `context` option throws
 */
function toCall(deployment: Deployment, visit: Visit, parts: CallParts): Call | Promise<Call> {
  const { context } = deployment.settings
  if (context === undefined) return assemble(deployment, visit, { parts, data: undefined })
  const { request, env, auth } = visit
  const data = context(request, { env, auth })
  return data instanceof Promise
    ? data.then((settled) => assemble(deployment, visit, { parts, data: settled }))
    : assemble(deployment, visit, { parts, data })
}

/**
 * Makes a call and runs it. Never throws or rejects: a `context` option that fails is a failure of
 * ours, reported and answered with the request's id.
 *
 * @param deployment where the request arrived
 * @param visit the HTTP request that carried it
 * @param parts the request and its way back
 */
export function runCall(
  deployment: Deployment,
  visit: Visit,
  parts: CallParts,
): Answer | Promise<Answer> {
  const { dispatcher } = deployment.server
  try {
    const making = toCall(deployment, visit, parts)
    if (!(making instanceof Promise)) return dispatcher.run(making)
    return making.then(
      (call) => dispatcher.run(call),
      (error: unknown) => failed(deployment, parts, error),
    )
  } catch (error) {
    return failed(deployment, parts, error)
  }
}

function failed({ server }: Deployment, { message, caller }: CallParts, error: unknown): Answer {
  const id = 'id' in message ? message.id : undefined
  report(server.core.onError, error, { request: { method: message.method, id } })
  return { ...server.core.rulesOf(caller).fault(id, new InternalError()), status: 500 }
}

interface Ingredients {
  readonly parts: CallParts
  readonly data: unknown
}

function assemble(deployment: Deployment, visit: Visit, { parts, data }: Ingredients): Call {
  const { message, caller, outbox, delivery, session, headers } = parts
  const { env, execution } = visit
  return {
    id: 'id' in message ? message.id : undefined,
    method: message.method,
    params: message.params ?? NO_PARAMS,
    caller,
    outbox,
    notifier:
      execution?.waitUntil === undefined ? deployment.notifier : outlasting(deployment, execution),
    states: deployment.states,
    delivery,
    session,
    headers,
    env,
    data,
    waitUntil: (work) => keepAlive(deployment, visit, { work, method: message.method }),
  }
}

/** What a handler publishes and does not wait for has to outlast its answer. */
function outlasting({ publish }: Deployment, execution: ExecutionLike): Notifier {
  return createNotifier((change) => {
    const publishing = publish(change)
    execution.waitUntil?.(publishing)
    return publishing
  })
}

interface Work {
  readonly work: Promise<unknown>
  readonly method: string
}

/** Work that fails after the answer has nobody to tell but the author; it must not end the process. */
function keepAlive({ server }: Deployment, { execution }: Visit, { work, method }: Work): void {
  const watched = work.catch((error: unknown) => {
    report(server.core.onError, error, { request: { method } })
  })
  execution?.waitUntil?.(watched)
}

/**
 * Takes a notification: its handler has all the time it wants, because nobody waits for its outcome.
 *
 * @param deployment where it arrived
 * @param visit the HTTP request that carried it
 * @param parts the notification and its sender
 * @throws whatever the `context` option throws
 */
export async function notifyServer(
  deployment: Deployment,
  visit: Visit,
  parts: Omit<CallParts, 'outbox'>,
): Promise<void> {
  const call = await toCall(deployment, visit, { ...parts, outbox: new SilentOutbox() })
  const running = deployment.server.dispatcher.notify(call)
  visit.execution?.waitUntil?.(running)
}

/** The way back of a notification, or of a call inside a batch: there is none before the answer. */
export class SilentOutbox implements Outbox {
  #controller: AbortController | undefined

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  notify(): undefined {
    return undefined
  }
}
