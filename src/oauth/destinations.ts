/**
 * Where OAuth traffic may go. Discovered URLs are chosen by other hosts, so a server that acts as a
 * client could be made to call its own network; literals of private addresses are refused, unless the
 * configured MCP server is itself there. A name that resolves to a private address cannot be seen from
 * `fetch`: where that matters, give `fetch` an egress filter.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/security_best_practices
 * @module
 */
import { fieldError, withoutQuery, type Fault } from './errors.ts'

/** IPv4 blocks that are not the public Internet, in the one spelling that parsing leaves. */
const PRIVATE_V4 =
  /^(0|10|127|169\.254|192\.168|192\.0\.0|198\.1[89]|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\.[\d.]+$/

/**
 * Global unicast IPv6 (2000::/3) without Teredo and 6to4, which carry an IPv4 address, as do the mapped,
 * compatible and translated forms that lie outside it.
 */
const PUBLIC_V6 = /^\[(?!2001:0?:|2002:)[23][\da-f]{3}:/

/**
 * Tells whether a URL points at this machine by a name or literal that cannot point elsewhere.
 *
 * @param url a parsed URL
 */
export function isLoopback(url: URL): boolean {
  return /^(.+\.)?localhost$|^\[::1\]$|^127\.[\d.]+$/.test(hostOf(url))
}

/**
 * Tells whether the host of a URL is a literal of a private, loopback, link-local, mapped or otherwise
 * special address, or a name of this machine. Parsing a URL has already turned octal, hexadecimal and
 * short spellings into the plain one.
 *
 * @param url a parsed URL
 */
export function isPrivate(url: URL): boolean {
  const host = hostOf(url)
  if (host.startsWith('[')) return !PUBLIC_V6.test(host)
  return isLoopback(url) || PRIVATE_V4.test(host)
}

/**
 * Parses a URL that another host chose, and refuses it unless it is https (or http on loopback),
 * carries no userinfo and no fragment, and stays out of private networks.
 *
 * @param value the URL as found
 * @param origin where it was found
 * @param server the configured MCP server: where that is private, private addresses are fine
 * @throws {OAuthError} that names the field, the document and the URL.
 */
export function discoveredUrl(value: string, origin: Fault, server: URL): URL {
  const url = secureUrl(value, origin)
  if (isPrivate(url) && !isPrivate(server)) {
    refuse(origin, value, 'is an address of a private network')
  }
  return url
}

/**
 * Parses a URL and refuses it unless it is https, or http on loopback.
 *
 * @param value the URL as found or configured
 * @param origin where it was found
 * @throws {OAuthError} that names the field, the document and the URL.
 */
export function secureUrl(value: string, origin: Fault): URL {
  if (!URL.canParse(value)) refuse(origin, value, 'is not a URL')
  const url = new URL(value)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    refuse(origin, value, 'is neither https nor http on loopback')
  }
  if (url.username !== '' || url.password !== '') refuse(origin, value, 'holds credentials')
  if (value.includes('#')) refuse(origin, value, 'has a fragment')
  return url
}

function refuse(fault: Fault, value: string, why: string): never {
  throw fieldError(fault, `${why}: ${withoutQuery(value)}`)
}

/** A trailing dot names the same host. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}
