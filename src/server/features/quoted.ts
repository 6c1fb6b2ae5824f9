/**
 * Names from the wire inside error messages.
 *
 * @module
 */
import { MAX_QUOTED_CHARS } from '../../protocol/limits.ts'

/**
 * A peer's text as it may stand in a message sent back to it: shortened.
 *
 * @param text a name or URI from the wire
 */
export function quoted(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? text : `${text.slice(0, MAX_QUOTED_CHARS)}…`
}
