/**
 * A result that is JSON text already. Features return one where they know the text cheaply, so that
 * nothing is stringified twice.
 *
 * @module
 */

/** Characters above which a body is sent as bytes: below, encoding is cheaper than joining arrays. */
const BYTES_ABOVE = 65_536

/** A result object as JSON text. */
export class ResultText {
  /** The text of the object, `{` to `}`. */
  readonly text: string
  /** Whether the era's own members (`resultType`, `_meta`, cache hints) are in the text. */
  readonly finished: boolean
  /** What was thrown, where the text tells of a failure. */
  readonly failure: unknown
  #bytes: Uint8Array | undefined

  constructor(text: string, finished = false, failure?: unknown) {
    this.text = text
    this.finished = finished
    this.failure = failure
  }

  /**
   * The response body made of `before`, this text and `after`: a string, or bytes where the text is
   * long and has been encoded before.
   */
  between(before: string, after: string): string | Uint8Array<ArrayBuffer> {
    if (!this.finished || this.text.length < BYTES_ABOVE) return before + this.text + after
    this.#bytes ??= new TextEncoder().encode(this.text)
    return join(new TextEncoder().encode(before), this.#bytes, new TextEncoder().encode(after))
  }
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
