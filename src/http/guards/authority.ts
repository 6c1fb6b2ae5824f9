/**
 * The `host[:port]` of URLs and headers.
 *
 * @module
 */

/** A parsed authority. */
export interface Authority {
  /** Lower case; an IPv6 address keeps its brackets. */
  readonly name: string
  /** Empty when none is named. */
  readonly port: string
}

/**
 * Parses an authority. Strict, because what a lenient parser accepts an attacker writes.
 *
 * @param text the value of a `Host` header, or the part of an origin after `://`
 * @returns undefined when it is not an authority
 */
export function parseAuthority(text: string): Authority | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}))?$/i.exec(text)
  const name = match?.[1]
  return name === undefined ? undefined : { name: name.toLowerCase(), port: match?.[2] ?? '' }
}

/**
 * The authority that a request was sent to: its `Host` header, or that of its URL where the platform
 * gives none.
 *
 * @param request the request
 */
export function authorityOf(request: Request): string {
  return request.headers.get('host') ?? URL.parse(request.url)?.host ?? ''
}

/**
 * Tells whether a name means this machine.
 *
 * @param name a host name in lower case
 */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]'
}
