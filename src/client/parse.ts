/**
 * Parses what a server sent.
 *
 * @module
 */
import { MAX_JSON_DEPTH } from '../protocol/limits.ts'

/**
 * Parses one message. Its nesting is bounded, because everything that walks it later uses the stack.
 *
 * @param text one JSON document
 * @throws {SyntaxError} when it is not JSON, or nests too deep
 */
export function parseMessage(text: string): unknown {
  if (nestsDeeper(text, MAX_JSON_DEPTH))
    throw new SyntaxError(`it nests deeper than ${String(MAX_JSON_DEPTH)}`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SyntaxError('it is not JSON', { cause })
  }
}

/** Counts brackets outside strings; gives up early on texts that cannot nest that deep. */
function nestsDeeper(text: string, max: number): boolean {
  return text.length > max && depthOf(text) > max
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return deepest
}

/** The index of the quote that ends the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1
  return backslashes % 2 === 1
}
