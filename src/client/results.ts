/**
 * Reads results that a stranger sent: the members the application will use are of the right type,
 * or the result is refused by name.
 *
 * @module
 */
import type { CompleteResult } from '../protocol/completion.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { CallToolResult } from '../protocol/tools.ts'
import { InvalidResponseError } from './errors.ts'

/**
 * Reads the items of a list result.
 *
 * @param method what was asked
 * @param result what came
 * @param member the member that holds the items
 * @throws {InvalidResponseError} when there is no such list, or its cursor is no string
 */
export function itemsOf(method: string, result: Params, member: string): readonly unknown[] {
  const { nextCursor } = result
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
    throw new InvalidResponseError(method, 'its nextCursor is not a string')
  return arrayIn(method, result, member)
}

/**
 * Where the next page starts.
 *
 * @param result a list result that {@link itemsOf} has read
 */
export function nextCursorOf(result: Params): string | undefined {
  const { nextCursor } = result
  return typeof nextCursor === 'string' ? nextCursor : undefined
}

/**
 * Reads the result of `tools/call`.
 *
 * @param result what came
 * @throws {InvalidResponseError} when its content is no array of blocks
 */
export function toCallToolResult(result: Params): CallToolResult {
  const method = 'tools/call'
  if (!holds<CallToolResult>(method, result, 'content') || !result.content.every(isBlock))
    throw new InvalidResponseError(method, 'its content has no type')
  return result
}

/**
 * Reads the result of `completion/complete`.
 *
 * @param result what came
 * @throws {InvalidResponseError} when it has no values
 */
export function toCompleteResult(result: Params): CompleteResult {
  const method = 'completion/complete'
  const { completion } = result
  if (!isRecord(completion)) throw new InvalidResponseError(method, 'it has no completion')
  const values = arrayIn(method, completion, 'values')
  if (!values.every((value) => typeof value === 'string'))
    throw new InvalidResponseError(method, 'its values are not strings')
  return { ...result, completion: { ...completion, values } }
}

/**
 * Reads any other result by the one member that makes it what it is.
 *
 * @param method what was asked
 * @param result what came
 * @param member the member that has to be an array
 * @throws {InvalidResponseError} when it is not
 */
export function toResult<R>(method: string, result: Params, member: keyof R & string): R {
  if (holds<R>(method, result, member)) return result
  throw new InvalidResponseError(method, `it has no ${member}`)
}

/** What stands beside the member is the server's word, as the types of this package say. */
function holds<R>(method: string, result: Params, member: keyof R & string): result is Params & R {
  return arrayIn(method, result, member).length >= 0
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string'
}

function arrayIn(method: string, result: Params, member: string): readonly unknown[] {
  const value = result[member]
  if (Array.isArray(value)) return value
  throw new InvalidResponseError(method, `its ${member} is not an array`)
}
