/**
 * A result that is a question: the client answers it and asks again (since 2026-07-28).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { ElicitRequestParams, ElicitResult } from './elicitation.ts'
import type { ListRootsRequestParams, ListRootsResult } from './roots.ts'
import type { Result } from './result.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from './sampling.ts'

/** A question to the user. */
export interface ElicitRequest {
  readonly method: 'elicitation/create'
  readonly params: ElicitRequestParams
}

/** A question to the model. */
export interface CreateMessageRequest {
  readonly method: 'sampling/createMessage'
  readonly params: CreateMessageRequestParams
}

/** A question for the roots. */
export interface ListRootsRequest {
  readonly method: 'roots/list'
  readonly params?: ListRootsRequestParams | undefined
}

/** One question: a request without its JSON-RPC frame. */
export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest

/** Questions by a key that the server chooses. */
export interface InputRequests {
  readonly [key: string]: InputRequest
}

/** One answer: a result without its JSON-RPC frame. */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult

/** Answers by the key of their question. */
export interface InputResponses {
  readonly [key: string]: InputResponse
}

/** A result that is a question; it has at least one of its two members. */
export interface InputRequiredResult extends Result {
  readonly resultType: 'input_required'
  readonly inputRequests?: InputRequests | undefined
  /** To be sent back byte for byte. */
  readonly requestState?: string | undefined
}

/**
 * Tells whether a result is a question.
 *
 * @param result a result of ours, or one from the wire whose members are yet to be checked
 */
export function isInputRequired(result: Result): result is InputRequiredResult {
  return result.resultType === 'input_required'
}
