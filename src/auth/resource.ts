/**
 * The canonical URI of a protected server. It is configured; what a request says about its own host is
 * anyone's word, unless a proxy that is trusted says it.
 *
 * @module
 */
import { isSecure } from './key-set.ts'

/** What is protected, as clients see it. */
export interface ResourceOptions {
  /**
   * The public URL of the MCP endpoint, such as `https://mcp.example.com/mcp`. With `trustProxy` also a
   * path, which is then completed by what the proxy says.
   */
  readonly resource: string
  /**
   * Believes `X-Forwarded-Proto` and `X-Forwarded-Host`. Only for a server that cannot be reached except
   * through a proxy that sets both; a stranger could otherwise choose what this server calls itself.
   */
  readonly trustProxy?: boolean | undefined
}

/**
 * Checks the options once, and says what the resource of a request is.
 *
 * @param options what is protected
 * @throws {TypeError} for a resource that clients would refuse.
 */
export function resourceReader(options: ResourceOptions): (request: Request) => string {
  const { resource, trustProxy = false } = options
  if (resource.startsWith('/') && trustProxy) {
    return (request) => `${publicOrigin(request)}${resource === '/' ? '' : resource}`
  }
  if (!isSecure(resource) || resource.includes('#')) {
    throw new TypeError(
      'resource: has to be the public URL of the MCP endpoint, https or on loopback, without a fragment',
    )
  }
  return () => resource
}

function publicOrigin(request: Request): string {
  const url = new URL(request.url)
  const proto = firstOf(request.headers.get('x-forwarded-proto')) ?? url.protocol.slice(0, -1)
  const host = firstOf(request.headers.get('x-forwarded-host')) ?? url.host
  const origin = `${proto}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : url.origin
}

function firstOf(header: string | null): string | undefined {
  const first = header?.split(',')[0]?.trim()
  return first === '' ? undefined : first
}
