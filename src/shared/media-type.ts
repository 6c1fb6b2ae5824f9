/**
 * Media types: what a body is, and what a peer accepts.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 * @module
 */

/**
 * The type and subtype of a `Content-Type`, in lower case and without parameters.
 *
 * @param contentType the header's value, or null when there is none
 * @returns the empty string when there is none
 */
export function essenceOf(contentType: string | null): string {
  if (contentType === null || contentType === 'application/json') return contentType ?? ''
  const end = contentType.indexOf(';')
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

/**
 * Tells whether an `Accept` header admits a type. Ranges, quality values and letter case count; an
 * absent or empty header admits everything.
 *
 * @param accept the header's value, or null when there is none
 * @param type a type and subtype in lower case
 */
export function accepts(accept: string | null, type: string): boolean {
  switch (accept) {
    case null:
    case '':
    case '*/*':
      return true
    // What the specification has clients send, read without parsing.
    case 'application/json, text/event-stream':
    case 'text/event-stream, application/json':
      return type === 'application/json' || type === 'text/event-stream'
    default:
      return qualityOf(accept, type) > 0
  }
}

/**
 * How much an `Accept` header wants a type, from 0, not at all, to 1. The most specific range that
 * covers the type decides.
 *
 * @param accept the header's value
 * @param type a type and subtype in lower case
 */
export function qualityOf(accept: string, type: string): number {
  let best = -1
  let quality = 0
  for (const part of accept.split(',')) {
    const [range = '', ...params] = part.split(';')
    const rank = rankOf(range.trim().toLowerCase(), type)
    if (rank <= best) continue
    best = rank
    quality = qualityIn(params)
  }
  return quality
}

/** How specifically a range covers a type; -1 when it does not. */
function rankOf(range: string, type: string): number {
  if (range === type) return 2
  if (range === '*/*') return 0
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 1 : -1
}

function qualityIn(params: readonly string[]): number {
  for (const param of params) {
    const [name = '', value = ''] = param.split('=')
    if (name.trim().toLowerCase() !== 'q') continue
    const quality = Number(value)
    return quality >= 0 && quality <= 1 ? quality : 0
  }
  return 1
}
