/**
 * The text of a body, up to a number of bytes.
 *
 * @module
 */

/** What has a body: a request or a response. */
export interface TextSource {
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}

/** The text of a body, or why there is none. */
export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'size' | 'encoding' }

const TOO_LARGE: ReadText = { ok: false, problem: 'size' }
const NOT_UTF8: ReadText = { ok: false, problem: 'encoding' }

/**
 * Reads a body as UTF-8, once. Where the peer declares a length within the bound, the platform
 * reads it, which is several times faster than reading a stream by hand; what it read is measured
 * again. Otherwise bytes are counted as they come, and no more is read than the bound.
 *
 * @param source a request or response whose body nobody has read
 * @param maxBytes the bound; Infinity for none
 * @throws whatever the platform throws when the body breaks off
 */
export async function readText(source: TextSource, maxBytes: number): Promise<ReadText> {
  const declared = declaredLength(source)
  if (declared === undefined) return countedText(source, maxBytes)
  if (declared > maxBytes) return TOO_LARGE
  const text = await source.text()
  if (text.length * 3 > maxBytes && utf8Length(text) > maxBytes) return TOO_LARGE
  // The platform puts U+FFFD in the place of broken bytes. A sender may send that character too, so
  // it counts as broken only when it made the text longer than the body.
  const replaced = text.includes('\uFFFD') && utf8Length(text) > declared
  return replaced ? NOT_UTF8 : { ok: true, text }
}

function declaredLength({ headers }: TextSource): number | undefined {
  const declared = headers.get('content-length')
  return declared !== null && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined
}

/** Bytes of a well-formed string in UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) bytes += 1
    // Half of a surrogate pair: the pair is four bytes.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes += 1
  }
  return bytes
}

/**
 * Reads a body as UTF-8, once, and believes nothing that is said of its length: encoded bodies may be
 * any size once decoded.
 *
 * @param source a request or response whose body nobody has read
 * @param maxBytes the bound; Infinity for none
 * @throws whatever the platform throws when the body breaks off
 */
export async function countedText(
  { body }: Pick<TextSource, 'body'>,
  maxBytes: number,
): Promise<ReadText> {
  if (body === null) return { ok: true, text: '' }
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength
    const piece = bytes > maxBytes ? TOO_LARGE : decode(decoder, part.value)
    if (typeof piece !== 'string') {
      await reader.cancel()
      return piece
    }
    text += piece
  }
  const rest = decode(decoder, undefined)
  return typeof rest === 'string' ? { ok: true, text: text + rest } : rest
}

/** Decodes one part, or flushes the decoder when there is none. */
function decode(decoder: TextDecoder, part: Uint8Array | undefined): string | ReadText {
  try {
    return decoder.decode(part, { stream: part !== undefined })
  } catch {
    return NOT_UTF8
  }
}
