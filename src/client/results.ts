/**
 * Reads results that a stranger sent: the members the application will use are of the right type,
 * or the result is refused by name.
 *
 * @module
 */
import type { CompleteResult } from '../protocol/completion.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { GetPromptResult } from '../protocol/prompts.ts'
import type { ReadResourceResult } from '../protocol/resources.ts'
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
  const content = arrayIn(method, result, 'content')
  if (!content.every(isBlock)) throw new InvalidResponseError(method, 'its content has no type')
  return { ...result, content } as CallToolResult
}

/**
 * Reads the result of `resources/read`.
 *
 * @param result what came
 * @throws {InvalidResponseError} when it has no contents
 */
export function toReadResourceResult(result: Params): ReadResourceResult {
  const contents = arrayIn('resources/read', result, 'contents')
  return { ...result, contents } as ReadResourceResult
}

/**
 * Reads the result of `prompts/get`.
 *
 * @param result what came
 * @throws {InvalidResponseError} when it has no messages
 */
export function toGetPromptResult(result: Params): GetPromptResult {
  const messages = arrayIn('prompts/get', result, 'messages')
  return { ...result, messages } as GetPromptResult
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
  return { ...result, completion: { ...completion, values } } as CompleteResult
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string'
}

function arrayIn(method: string, result: Params, member: string): readonly unknown[] {
  const value = result[member]
  if (Array.isArray(value)) return value
  throw new InvalidResponseError(method, `its ${member} is not an array`)
}
