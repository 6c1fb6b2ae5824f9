/**
 * From what an application names as its server to what reaches it.
 *
 * @module
 */
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import { HttpTransport } from './http/transport.ts'
import type { ConnectOptions } from './options.ts'
import { isFetchTarget } from './transport.ts'
import type { Connector, Target } from './transport.ts'

/** Servers in the same process have no address; this one passes their check of the host. */
const IN_PROCESS_URL = 'http://localhost/mcp'

/**
 * The connector of a target: its own, or HTTP to its address or function.
 *
 * @param target what the client was given
 * @param options how it is reached
 * @throws {TypeError} for a URL that is none, or an option that is not what it has to be
 */
export function connectorOf(
  target: Target,
  options: ConnectOptions & { readonly clock: Clock },
): Connector {
  if (typeof target === 'function') return target
  const inProcess = isFetchTarget(target)
  const url = inProcess ? IN_PROCESS_URL : httpUrl(target)
  const send = inProcess ? (request: Request) => target.fetch(request) : platformFetch
  const { headers, auth, maxMessageBytes, clock, fetch = send } = options
  const max = limitOf('maxMessageBytes', maxMessageBytes, MAX_MESSAGE_BYTES)
  return (host) =>
    new HttpTransport({ url, fetch, headers, auth, maxMessageBytes: max, clock }, host)
}

function httpUrl(target: string | URL): string {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    if (url.username !== '' || url.password !== '')
      throw new TypeError('The URL of a server must not hold credentials; use headers or auth')
    url.hash = ''
    return url.href
  }
  throw new TypeError(`${JSON.stringify(String(target))} is not the URL of an HTTP server`)
}

/** Looked up at each call: some platforms refuse `fetch` as a method of something else. */
function platformFetch(request: Request): Promise<Response> {
  return fetch(request)
}
