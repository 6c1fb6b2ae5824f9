/**
 * A handler's result that is a question: the explicit way to ask, for handlers that keep their own
 * state between rounds. `ctx.elicit` and its siblings ask without it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { ElicitRequestParams } from '../../protocol/elicitation.ts'
import type { InputRequest, InputRequests } from '../../protocol/input-required.ts'
import { toFormSchema } from '../../schema/form.ts'
import { isWebUrl } from '../ask/elicitation.ts'
import { samplingProblem } from '../ask/sampling.ts'

/**
 * Marks a result as built by {@link inputRequired}. A symbol, so that no JSON from elsewhere can
 * pass for one; a shared one, so that two copies of this package agree.
 */
const INPUT_REQUIRED: unique symbol = Symbol.for('mcp-edge.inputRequired')

/** What {@link inputRequired} takes: at least one of its members. */
export interface InputRequiredInit {
  /** Questions by a key of your choice; `ctx.inputResponse(key)` has the answer in the next round. */
  readonly requests?: InputRequests | undefined
  /**
   * Anything JSON can hold; `ctx.requestState` in the next round. Sealed before it is sent, so that the
   * client can neither read nor change it.
   */
  readonly state?: unknown
}

/** A result built by {@link inputRequired}. */
export interface InputRequired extends InputRequiredInit {
  readonly [INPUT_REQUIRED]: true
}

/**
 * Builds a result that asks the client before the call can go on. The handler runs again from the
 * top when the client has answered.
 *
 * @param init the questions and the state to keep
 * @throws {TypeError} if there is neither, or a question cannot be asked; the message names its key
 */
export function inputRequired(init: InputRequiredInit): InputRequired {
  const { requests = {}, state } = init
  const keys = Object.keys(requests)
  if (keys.length === 0 && state === undefined) {
    throw new TypeError('inputRequired needs requests or state')
  }
  for (const key of keys) {
    const problem = problemOf(requests[key], key)
    if (problem !== undefined) throw new TypeError(`inputRequired: request '${key}': ${problem}`)
  }
  return { requests, state, [INPUT_REQUIRED]: true }
}

/**
 * Tells whether a value was built by {@link inputRequired}.
 *
 * @param value whatever a handler returned
 */
export function isInputRequired(value: unknown): value is InputRequired {
  return typeof value === 'object' && value !== null && INPUT_REQUIRED in value
}

function problemOf(request: InputRequest | undefined, key: string): string | undefined {
  switch (request?.method) {
    case 'elicitation/create':
      return elicitationProblem(request.params, key)
    case 'sampling/createMessage':
      return samplingProblem(request.params)
    case 'roots/list':
      return undefined
    case undefined:
    default:
      return 'must be elicitation/create, sampling/createMessage or roots/list'
  }
}

function elicitationProblem(params: ElicitRequestParams, key: string): string | undefined {
  if (typeof params.message !== 'string') return 'needs a message'
  if (params.mode === 'url') return isWebUrl(params.url) ? undefined : 'needs an http or https url'
  // A form is checked by projecting it; what cannot be projected throws.
  toFormSchema(params.requestedSchema, { subject: `inputRequired: request '${key}'` })
  return undefined
}
