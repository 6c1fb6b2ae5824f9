/**
 * Asking for the places a client lets a server work in.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 * @module
 */
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { Root } from '../../protocol/roots.ts'
import type { QuestionOptions } from './elicitation.ts'
import type { Question } from './question.ts'

/** The question for the roots. */
export function rootsQuestion(key: string, { timeoutMs }: QuestionOptions): Question {
  return { key, method: 'roots/list', params: {}, timeoutMs }
}

/**
 * Reads the roots.
 *
 * @param result the client's result
 * @throws {InvalidParamsError} if the result is malformed, or a root is not a `file://` URI
 */
export function readRoots(result: Params): readonly Root[] {
  const { roots } = result
  if (Array.isArray(roots) && roots.every(isRoot)) return roots
  throw new InvalidParamsError("The answer's roots must be a list of file:// URIs")
}

/**
 * Tells whether a value is a root: a `file://` URI.
 *
 * @param value a root from the wire
 */
export function isRoot(value: unknown): value is Root {
  return isRecord(value) && typeof value['uri'] === 'string' && value['uri'].startsWith('file://')
}
