/**
 * The Origin guard: a browser tells which page sends a request, and only known pages may.
 *
 * @module
 */
import { authorityOf, parseAuthority } from './authority.ts'

/** Tells whether a request's origin may use the server. */
export type OriginCheck = (request: Request, origin: string) => boolean

/**
 * Compiles the `allowedOrigins` option. The server's own origin is always allowed; the Host guard has
 * passed by then, so that a page cannot vouch for itself.
 *
 * @param allowed the option
 * @throws {TypeError} if it is no array, or an entry is not an origin
 */
export function createOriginCheck(allowed: readonly string[]): OriginCheck {
  if (!Array.isArray(allowed)) throw new TypeError('allowedOrigins must be an array of origins')
  const accepted = new Set(allowed.map(toEntry))
  return (request, origin) => accepted.has(origin.toLowerCase()) || isOwn(request, origin)
}

function toEntry(entry: string): string {
  if (!URL.canParse(entry) || new URL(entry).origin !== entry.toLowerCase()) {
    throw new TypeError(
      `allowedOrigins: '${entry}' is not an origin such as https://app.example.com`,
    )
  }
  return entry.toLowerCase()
}

/** Compares authorities only: behind a proxy that ends TLS, our own scheme is unknown. */
function isOwn(request: Request, origin: string): boolean {
  const match = /^https?:\/\/([^/?#]+)$/i.exec(origin)
  const theirs = match?.[1] === undefined ? undefined : parseAuthority(match[1])
  const ours = parseAuthority(authorityOf(request))
  if (theirs === undefined || ours === undefined) return false
  return theirs.name === ours.name && withoutDefault(theirs.port) === withoutDefault(ours.port)
}

function withoutDefault(port: string): string {
  return port === '80' || port === '443' ? '' : port
}
