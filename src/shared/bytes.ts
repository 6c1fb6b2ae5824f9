/**
 * Bytes as text and back. Works in pieces, because a call cannot take a megabyte of arguments.
 *
 * @module
 */

/** Bytes per call of `String.fromCharCode`: under the argument limit of every engine. */
const CHUNK = 0x8000

/**
 * Encodes bytes as padded base64.
 *
 * @param bytes any bytes
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-4
 */
export function toBase64(bytes: Uint8Array): string {
  return canEncode(bytes) ? bytes.toBase64() : btoa(binaryOf(bytes))
}

/**
 * Encodes bytes as base64 for URLs, without padding.
 *
 * @param bytes any bytes
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-5
 */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Decodes padded base64.
 *
 * @param text the base64
 * @returns undefined unless the text is exactly what {@link toBase64} writes
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const binary = decoded(text)
  if (binary === undefined || btoa(binary) !== text) return undefined
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/**
 * Decodes base64 for URLs.
 *
 * @param text the base64, without padding
 * @returns undefined unless the text is exactly what {@link toBase64Url} writes
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return fromBase64(standard.padEnd(Math.ceil(text.length / 4) * 4, '='))
}

/**
 * Compares bytes in a time that depends on their number alone.
 *
 * @param left any bytes
 * @param right any bytes
 */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0)
  return difference === 0
}

/** Newer engines encode by themselves, many times faster. */
function canEncode(bytes: Uint8Array): bytes is Uint8Array & { toBase64(): string } {
  return 'toBase64' in bytes && typeof bytes.toBase64 === 'function'
}

function binaryOf(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return binary
}

function decoded(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}
