/**
 * From an HTTP request and its message to the call that the server runs.
 *
 * @module
 */
import type { JSONRPCNotification, JSONRPCRequest, Params } from '../protocol/jsonrpc.ts'
import type { Call, Caller, Delivery, HeaderLookup, Outbox } from '../server/call.ts'
import type { Deployment, Visit } from './deployment.ts'

/** What a call is made of besides where it arrived. */
export interface CallParts {
  readonly message: JSONRPCRequest | JSONRPCNotification
  readonly caller: Caller
  readonly outbox: Outbox
  readonly delivery: Delivery
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
export function toCall(
  deployment: Deployment,
  visit: Visit,
  parts: CallParts,
): Call | Promise<Call> {
  const { context } = deployment.settings
  if (context === undefined) return assemble(deployment, visit, { parts, data: undefined })
  const { request, env, auth } = visit
  const data = context(request, { env, auth })
  return data instanceof Promise
    ? data.then((settled) => assemble(deployment, visit, { parts, data: settled }))
    : assemble(deployment, visit, { parts, data })
}

interface Ingredients {
  readonly parts: CallParts
  readonly data: unknown
}

function assemble(deployment: Deployment, visit: Visit, { parts, data }: Ingredients): Call {
  const { message, caller, outbox, delivery, headers } = parts
  const { env, execution } = visit
  return {
    id: 'id' in message ? message.id : undefined,
    method: message.method,
    params: message.params ?? NO_PARAMS,
    caller,
    outbox,
    notifier: deployment.notifier,
    delivery,
    headers,
    env,
    data,
    waitUntil: execution?.waitUntil?.bind(execution),
  }
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
