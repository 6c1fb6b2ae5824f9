/**
 * Parses what a server sent.
 *
 * @module
 */
import { MAX_JSON_DEPTH } from '../protocol/limits.ts'
import { parseJson } from '../shared/json.ts'
import { InvalidResponseError } from './errors.ts'

/**
 * Parses one message. Its nesting is bounded, because everything that walks it later uses the stack.
 *
 * @param name names the request or stream in the error
 * @param text one JSON document
 * @param what stands before the reason, where that is not the whole answer
 * @throws {InvalidResponseError} when it is not JSON, or nests too deep
 */
export function parseMessage(name: string, text: string, what = ''): unknown {
  const parsed = parseJson(text, MAX_JSON_DEPTH)
  if (parsed.ok) return parsed.value
  const why =
    parsed.problem === 'depth' ? `it nests deeper than ${MAX_JSON_DEPTH}` : 'it is not JSON'
  throw new InvalidResponseError(name, what + why)
}
