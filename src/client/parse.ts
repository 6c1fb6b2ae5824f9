/**
 * Parses what a server sent.
 *
 * @module
 */
import { MAX_JSON_DEPTH } from '../protocol/limits.ts'
import { parseJson } from '../shared/json.ts'

/**
 * Parses one message. Its nesting is bounded, because everything that walks it later uses the stack.
 *
 * @param text one JSON document
 * @throws {SyntaxError} when it is not JSON, or nests too deep
 */
export function parseMessage(text: string): unknown {
  const parsed = parseJson(text, MAX_JSON_DEPTH)
  if (parsed.ok) return parsed.value
  throw new SyntaxError(
    parsed.problem === 'depth' ? `it nests deeper than ${MAX_JSON_DEPTH}` : 'it is not JSON',
  )
}
