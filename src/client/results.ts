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
 * Reads one page of a list. A cursor that is null counts as absent, and is left out.
 *
 * @param method what was asked
 * @param result what came
 * @param member the member that holds the items
 * @throws {InvalidResponseError} when there is no such list, or its cursor is no string
 */
export function toPage<R>(method: string, result: Params, member: keyof R & string): R {
  const { nextCursor, ...page } = result
  const hasNext = nextCursor !== undefined && nextCursor !== null
  if (hasNext && typeof nextCursor !== 'string')
    throw new InvalidResponseError(method, 'its nextCursor is not a string')
  return toResult<R>(method, hasNext ? result : page, member)
}

/**
 * Reads the result of `tools/call`.
 *
 * @param result what came
 * @throws {InvalidResponseError} when its content is no array of blocks
 */
export function toCallToolResult(result: Params): CallToolResult {
  const method = 'tools/call'
  const read = toResult<CallToolResult>(method, result, 'content')
  if (read.content.every(isBlock)) return read
  throw new InvalidResponseError(method, 'its content has no type')
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
  const { values } = toResult<CompleteResult['completion']>(method, completion, 'values')
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
  if (holds<R>(result, member)) return result
  throw new InvalidResponseError(method, `its ${member} is not an array`)
}

/** What stands beside the member is the server's word, as the types of this package say. */
function holds<R>(result: Params, member: keyof R & string): result is Params & R {
  return Array.isArray(result[member])
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string'
}
