/**
 * `route`: a server as the exports of a `route.ts` file.
 *
 * @module
 */
import { handlerIn } from '../http/listening.ts'
import type { PlacedOptions } from '../http/listening.ts'
import type { HandlerOptions } from '../http/options.ts'
import type { ServerTypes } from '../server/context.ts'
import type { McpServer } from '../server/server.ts'

/** Seconds before the platform's own limit at which streams end by themselves. */
const HEADROOM_S = 5

/** What `route` takes besides the options of `createHandler`. */
export interface RouteLimits {
  /**
   * The route's `maxDuration`, in seconds. Streams end shortly before it, with a result that tells the
   * client to come back, instead of being cut off.
   *
   * @default none
   */
  readonly maxDuration?: number | undefined
}

/** Options of a route; `env` where the server declares it. */
export type RouteOptions<T extends ServerTypes = ServerTypes> = PlacedOptions<T> & RouteLimits

/** Options may be left out where the server declares neither `env` nor `data`. */
export type RouteParameters<T extends ServerTypes> = T extends
  | { readonly env: unknown }
  | { readonly data: unknown }
  ? readonly [options: RouteOptions<T>]
  : readonly [options?: RouteOptions<T>]

/** A route handler; what Next passes besides the request is not looked at. */
export type RouteHandler = (request: Request) => Promise<Response>

/** The exports of a `route.ts` file. */
export interface RouteHandlers {
  readonly GET: RouteHandler
  readonly POST: RouteHandler
  readonly DELETE: RouteHandler
  readonly OPTIONS: RouteHandler
  /** Without it Next answers HEAD with GET, and waits for a stream that never ends. */
  readonly HEAD: RouteHandler
}

/**
 * Serves a server from the Next.js App Router:
 * `export const { GET, POST, DELETE, OPTIONS, HEAD } = route(server)`.
 *
 * A route may run in many processes, so nothing is kept between requests unless you pass stores that
 * they share: legacy clients are served without sessions, and listening is refused and not advertised.
 *
 * @param server the server
 * @param options the options of `createHandler`, and the route's `maxDuration`
 * @throws {TypeError} if an option cannot be used; the message names it
 * @see https://nextjs.org/docs/app/api-reference/file-conventions/route
 */
export function route<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options]: RouteParameters<T>
): RouteHandlers {
  const { maxDuration, env, ...rest }: RouteOptions = options ?? {}
  const handler = handlerIn(server, withDefaults(rest, maxDuration), env)
  const handle: RouteHandler = (request) => handler(request, env)
  return { GET: handle, POST: handle, DELETE: handle, OPTIONS: handle, HEAD: handle }
}

function withDefaults(options: HandlerOptions, maxDuration: number | undefined): HandlerOptions {
  const stateless = options.sessions === undefined ? { legacy: 'stateless' as const } : {}
  return {
    ...stateless,
    bus: null,
    ...options,
    limits: { ...ageLimit(maxDuration), ...options.limits },
  }
}

function ageLimit(maxDuration: number | undefined): { maxStreamAgeMs?: number } {
  if (maxDuration === undefined) return {}
  if (!Number.isSafeInteger(maxDuration) || maxDuration <= HEADROOM_S) {
    throw new TypeError(`option 'maxDuration' must be more than ${HEADROOM_S} seconds`)
  }
  return { maxStreamAgeMs: (maxDuration - HEADROOM_S) * 1000 }
}
