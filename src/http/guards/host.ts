/**
 * The Host guard: a page that made its own name point at this machine (DNS rebinding) still sends
 * that name.
 *
 * @module
 */
import { authorityOf, isLoopback, parseAuthority } from './authority.ts'

/** Which hosts are served: names or `name:port`, a predicate on both, or any. */
export type AllowedHosts = readonly string[] | ((host: string) => boolean) | 'any'

/** Tells whether a request was sent to a host that is served. */
export type HostCheck = (request: Request) => boolean

/**
 * Compiles the `allowedHosts` option. Loopback names are always served, so that a deployed handler
 * still works where it is developed; anything else has to be named.
 *
 * @param allowed the option
 * @throws {TypeError} if it is none of these, or an entry is not `name` or `name:port`
 */
export function createHostCheck(allowed: AllowedHosts): HostCheck {
  if (allowed === 'any') return () => true
  if (typeof allowed !== 'function' && !Array.isArray(allowed)) {
    throw new TypeError("allowedHosts must be an array of names, a function, or 'any'")
  }
  const named = typeof allowed === 'function' ? [] : allowed.map(toEntry)
  const accepted = new Set(named)
  let last: string | undefined
  return (request) => {
    const host = authorityOf(request)
    if (host === last) return true
    const authority = parseAuthority(host)
    if (authority === undefined) return false
    const { name, port } = authority
    const passes =
      isLoopback(name) ||
      accepted.has(name) ||
      accepted.has(`${name}:${port}`) ||
      (typeof allowed === 'function' && allowed(host.toLowerCase()))
    // Most requests repeat the host of the one before; the verdict of a predicate may change.
    if (passes && typeof allowed !== 'function') last = host
    return passes
  }
}

function toEntry(entry: string): string {
  const authority = parseAuthority(entry)
  if (authority === undefined) {
    throw new TypeError(`allowedHosts: '${entry}' is neither a name nor name:port`)
  }
  return entry.toLowerCase()
}
