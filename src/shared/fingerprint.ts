/**
 * Recognizing a text without keeping it.
 *
 * @module
 */

/**
 * A short mark of a text: the same for equal texts, and different for texts that differ by
 * accident. Not for texts that someone chooses to collide.
 *
 * @param text any text
 * @see https://en.wikipedia.org/wiki/Fowler%E2%80%93Noll%E2%80%93Vo_hash_function
 */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5
  let high = 0xcbf29ce4
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ (code + at), 0x01000193)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
