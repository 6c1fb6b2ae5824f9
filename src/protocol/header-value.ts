/**
 * Any string as a header value: as it is where that is safe, else as `=?base64?…?=`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#value-encoding
 * @module
 */

const START = '=?base64?'
const END = '?='

/**
 * Encodes a string as a header value. What a header could not carry, or carry unchanged through
 * every intermediary, is wrapped: anything but printable ASCII, spaces at the edges, the empty
 * string, and what already looks wrapped.
 *
 * @param value any string
 */
export function encodeHeaderValue(value: string): string {
  return isPlain(value) ? value : `${START}${base64Of(value)}${END}`
}

/**
 * Decodes a header value. Spaces and tabs at the edges do not count. Wrapped content must be
 * canonical base64 of valid UTF-8; anything without the exact wrapping is itself.
 *
 * @param raw the header as it came
 * @returns undefined when the value cannot be decoded or could not have been sent
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = trimmed(raw)
  if (!isFieldValue(value)) return undefined
  return looksWrapped(value) ? unwrapped(value.slice(START.length, -END.length)) : value
}

function isPlain(value: string): boolean {
  if (value === '' || value.startsWith(' ') || value.endsWith(' ') || looksWrapped(value))
    return false
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

function looksWrapped(value: string): boolean {
  return value.length >= START.length + END.length && value.startsWith(START) && value.endsWith(END)
}

/** Fetch hands bytes beyond ASCII over as Latin-1, so they are never what was meant. */
function isFieldValue(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    if (code > 0x7e || (code < 0x20 && code !== 0x09)) return false
  }
  return true
}

function trimmed(raw: string): string {
  let start = 0
  let end = raw.length
  while (start < end && isBlank(raw.charCodeAt(start))) start += 1
  while (end > start && isBlank(raw.charCodeAt(end - 1))) end -= 1
  return start === 0 && end === raw.length ? raw : raw.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function base64Of(value: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(value)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** `atob` forgives missing padding and stray spaces; encoding again shows whether it had to. */
function unwrapped(base64: string): string | undefined {
  try {
    const binary = atob(base64)
    if (btoa(binary) !== base64) return undefined
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
