/**
 * Text in lines, one message each, from chunks that end anywhere.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @module
 */

/** Splits a stream into lines; a line beyond the bound ends it. */
export class LineReader {
  readonly #decoder = new TextDecoder()
  readonly #maxChars: number
  #parts: string[] = []
  #length = 0
  #overflowed = false

  /** @param maxBytes of one line; no line has more characters than bytes */
  constructor(maxBytes: number) {
    this.#maxChars = maxBytes
  }

  /** Whether a line was longer than the bound. Nothing is read after that. */
  get overflowed(): boolean {
    return this.#overflowed
  }

  /**
   * Takes a chunk.
   *
   * @param chunk bytes that may end within a character or a line
   * @returns the lines it completes, without their ends; empty lines are left out
   */
  feed(chunk: Uint8Array): readonly string[] {
    return this.#split(this.#decoder.decode(chunk, { stream: true }))
  }

  /**
   * Ends the stream.
   *
   * @returns the last line, when it lacks its end
   */
  end(): readonly string[] {
    return this.#split(`${this.#decoder.decode()}\n`)
  }

  #split(text: string): readonly string[] {
    const lines: string[] = []
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end))
      this.#take(lines)
      start = end + 1
    }
    this.#keep(text.slice(start))
    return lines
  }

  #keep(part: string): void {
    if (this.#overflowed || part === '') return
    this.#parts.push(part)
    this.#length += part.length
    if (this.#length <= this.#maxChars) return
    this.#overflowed = true
    this.#parts = []
  }

  #take(lines: string[]): void {
    const line = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (text !== '') lines.push(text)
  }
}
