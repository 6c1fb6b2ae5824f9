/**
 * Answers to questions that a handler returned, as the client sent them.
 *
 * @module
 */
import type { ElicitResult } from '../../protocol/elicitation.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import type { InputResponse } from '../../protocol/input-required.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { ListRootsResult } from '../../protocol/roots.ts'
import type { CreateMessageResult } from '../../protocol/sampling.ts'
import type { QuestionMethod } from './question.ts'
import { isRoot } from './roots.ts'
import { isCreateMessageResult } from './sampling.ts'

interface Responses {
  readonly 'elicitation/create': ElicitResult
  readonly 'sampling/createMessage': CreateMessageResult
  readonly 'roots/list': ListRootsResult
}

/** The answer to a question of one method. */
export type ResponseTo<M extends QuestionMethod> = Responses[M]

/**
 * Reads one answer.
 *
 * @param responses all answers of a round
 * @param key the question's key
 * @param method how it was asked; any of the three when absent
 * @returns undefined when there is no answer to it
 * @throws {InvalidParamsError} if the answer does not have the shape
 */
export function readResponse<M extends QuestionMethod>(
  responses: Params,
  key: string,
  method: M | undefined,
): ResponseTo<M> | undefined {
  if (!Object.hasOwn(responses, key)) return undefined
  const response = withoutStaleContent(responses[key])
  if (isResponse(response, method)) return response
  throw new InvalidParamsError(
    `The answer to '${key}' does not have the shape of ${method ?? 'any'}`,
  )
}

function isResponse<M extends QuestionMethod>(
  value: unknown,
  method: M | undefined,
): value is ResponseTo<M> & InputResponse {
  switch (method) {
    case 'elicitation/create':
      return isElicitResult(value)
    case 'sampling/createMessage':
      return isCreateMessageResult(value)
    case 'roots/list':
      return isListRootsResult(value)
    case undefined:
    default:
      return isElicitResult(value) || isCreateMessageResult(value) || isListRootsResult(value)
  }
}

/** What stands in a form that was not accepted is nobody's answer. */
function withoutStaleContent(response: unknown): unknown {
  if (!isRecord(response)) return response
  const { action, content: _stale, ...rest } = response
  return action === 'decline' || action === 'cancel' ? { action, ...rest } : response
}

function isElicitResult(value: unknown): value is ElicitResult {
  if (!isRecord(value)) return false
  const { action, content } = value
  if (action === 'accept') return content === undefined || isRecord(content)
  return action === 'decline' || action === 'cancel'
}

function isListRootsResult(value: unknown): value is ListRootsResult {
  return isRecord(value) && Array.isArray(value['roots']) && value['roots'].every(isRoot)
}
