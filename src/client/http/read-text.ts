/**
 * Reads the body of an answer without trusting its length.
 *
 * @module
 */

/**
 * Reads a body as text, up to a bound.
 *
 * @param response whose body is read
 * @param maxBytes bytes that are read at most
 * @returns the text, without a byte order mark; undefined when there is more
 */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return ''
  const declared = response.headers.get('content-length')
  // Encoded bodies may be any size once decoded.
  if (declared !== null && !response.headers.has('content-encoding')) {
    if (Number(declared) > maxBytes) return discard(response)
    if (Number(declared) > 0) return withoutMark(await response.text(), maxBytes)
  }
  return readParts(response.body.getReader(), maxBytes)
}

async function readParts(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

/** A declared length may lie when the server is in this process. */
function withoutMark(text: string, maxBytes: number): string | undefined {
  if (text.length > maxBytes) return undefined
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/**
 * Lets go of a body that is of no interest, so that its connection can be used again.
 *
 * @param response whose body is discarded
 */
export async function discard(response: Response): Promise<undefined> {
  await response.body?.cancel().catch(() => undefined)
  return undefined
}
