/**
 * Where OAuth traffic may go. Discovered URLs are chosen by other hosts, so a server that acts as a
 * client could be made to call its own network; literals of private addresses are refused, unless the
 * configured MCP server is itself there. A name that resolves to a private address cannot be seen from
 * `fetch`: where that matters, give `fetch` an egress filter.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/security_best_practices
 * @module
 */
import { OAuthError, withoutQuery, type OAuthStep } from './errors.ts'

/** Where a URL was found, for the message that refuses it. */
export interface Origin {
  readonly step: OAuthStep
  /** The field that holds the URL. */
  readonly field: string
  /** The document that holds the field. */
  readonly document?: string | undefined
}

/** IPv4 blocks that are not the public Internet: base and prefix length. */
const PRIVATE_V4: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xe0000000, 3],
]

/**
 * Tells whether a URL points at this machine by a name or literal that cannot point elsewhere.
 *
 * @param url a parsed URL
 */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url)
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true
  return host.startsWith('127.') && parseV4(host) !== undefined
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
  if (isLoopback(url)) return true
  if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1))
  const address = parseV4(host)
  return address !== undefined && isPrivateV4(address)
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
export function discoveredUrl(value: string, origin: Origin, server: URL): URL {
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
export function secureUrl(value: string, origin: Origin): URL {
  if (!URL.canParse(value)) refuse(origin, value, 'is not a URL')
  const url = new URL(value)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    refuse(origin, value, 'is neither https nor http on loopback')
  }
  if (url.username !== '' || url.password !== '') refuse(origin, value, 'holds credentials')
  if (value.includes('#')) refuse(origin, value, 'has a fragment')
  return url
}

function refuse(origin: Origin, value: string, why: string): never {
  const { step, field, document } = origin
  const place = document === undefined ? '' : ` in ${withoutQuery(document)}`
  throw new OAuthError(step, `${field}${place} ${why}: ${withoutQuery(value)}`, {
    url: document ?? value,
    field,
  })
}

/** A trailing dot names the same host. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}

function parseV4(host: string): number | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(host)) return undefined
  return host.split('.').reduce((value, part) => value * 256 + Number(part), 0)
}

function isPrivateV4(address: number): boolean {
  return PRIVATE_V4.some(([base, bits]) => address >>> (32 - bits) === base >>> (32 - bits))
}

function isPrivateV6(host: string): boolean {
  const groups = groupsOf(host)
  const first = groups[0] ?? 0
  // Unique local, link-local, site-local and multicast.
  if ((first & 0xfe00) === 0xfc00 || first >= 0xfe80) return true
  // Compatible (::/96), mapped (::ffff:0:0/96) and translated (64:ff9b::/96) forms smuggle an IPv4 address.
  const zeros = groups.slice(0, 5).every((group) => group === 0)
  if (zeros && (groups[5] === 0 || groups[5] === 0xffff)) return true
  return first === 0x64 && groups[1] === 0xff9b
}

/** The eight groups of an address as URL parsing writes it: hexadecimal, one run of zeros elided. */
function groupsOf(host: string): readonly number[] {
  const [head = '', tail] = host.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const fill = tail === undefined ? 0 : 8 - left.length - right.length
  const zeros = Array.from({ length: Math.max(fill, 0) }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}
