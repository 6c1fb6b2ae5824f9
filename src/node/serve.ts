/**
 * A server of its own on a port.
 *
 * @module
 */
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  createHandler,
  type AllowedHosts,
  type Handler,
  type HandlerOptions,
  type OptionsFor,
} from '../http/index.ts'
import type { EnvOf, McpServer, ServerTypes } from '../server/index.ts'

/** Where the server listens when the caller does not say. */
const DEFAULT_PORT = 8787

/** Loopback, so that nothing is reachable from outside unless asked for. */
const DEFAULT_HOSTNAME = '127.0.0.1'

/** The path clients expect; every path is answered. */
const PATH = '/mcp'

/** How often connections that have become idle are closed while closing, in milliseconds. */
const CLOSE_SWEEP_MS = 20

/** After this long, in milliseconds, connections that still send are cut when closing. */
const CLOSE_GRACE_MS = 2_000

/** Addresses that mean "every interface": no client calls a host by them. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '']

/** Where to serve. */
export interface ListenOptions {
  /** The port; 0 takes a free one. @defaultValue 8787 */
  readonly port?: number | undefined
  /**
   * The address or name to bind. It is added to `allowedHosts`, unless it means every interface.
   *
   * @defaultValue `127.0.0.1`, so that nothing is reachable from outside unless asked for
   */
  readonly hostname?: string | undefined
}

/** How to serve: where, every option of `createHandler`, and `ctx.env` where the server declares it. */
export type ServeOptions<T extends ServerTypes = ServerTypes> = ListenOptions &
  OptionsFor<T> &
  (T extends { readonly env: unknown } ? { readonly env: EnvOf<T> } : { readonly env?: unknown })

/** Options may be left out where the server declares neither `env` nor `data`. */
export type ServeParameters<T extends ServerTypes> = T extends
  | { readonly env: unknown }
  | { readonly data: unknown }
  ? readonly [options: ServeOptions<T>]
  : readonly [options?: ServeOptions<T>]

/** A server that listens. */
export interface RunningServer {
  /** Where clients connect, with the path `/mcp`; any other path is answered too. */
  readonly url: string
  /** The port that was bound. */
  readonly port: number
  /** The handler behind it, for `stats()` and `notify()`. */
  readonly handler: Handler
  /** Ends streams gracefully, aborts what is in flight and stops listening; resolves when no handle is left. */
  readonly close: () => Promise<void>
}

/**
 * Serves on a port, through `@hono/node-server`.
 *
 * Its light `Request` and `Response` replace the globals of the process, which takes a third off the cost of a call;
 * they are instances of the originals. Use {@link toNodeHandler} where the process is not yours.
 *
 * @param server What to serve.
 * @param options Where, and how.
 * @returns The running server, once it listens.
 * @throws Error of the system when the port cannot be bound; the message names it.
 */
export async function serve<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options]: ServeParameters<T>
): Promise<RunningServer> {
  const {
    port = DEFAULT_PORT,
    hostname = DEFAULT_HOSTNAME,
    env,
    ...rest
  }: ServeOptions = options ?? {}
  const given = { ...rest, allowedHosts: allowedHosts(rest.allowedHosts, hostname) }
  const handler = handlerOf(server, given, env)
  const listener = getRequestListener((request) => handler(request, env), { hostname: 'localhost' })
  const http = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  const bound = await listen(http, port, hostname)
  return {
    url: `http://${authority(hostname)}:${bound}${PATH}`,
    port: bound,
    handler,
    close: async () => {
      await handler.close()
      await closeServer(http)
    },
  }
}

/** What the server declares binds the caller; from here on any server will do. */
function handlerOf(server: McpServer, options: HandlerOptions, env: unknown): Handler {
  return env === undefined ? createHandler(server, options) : createHandler(server, () => options)
}

function allowedHosts(given: AllowedHosts | undefined, hostname: string): AllowedHosts | undefined {
  if (WILDCARDS.includes(hostname)) return given
  if (given === undefined) return [authority(hostname)]
  return typeof given === 'object' ? [...given, authority(hostname)] : given
}

/** An IPv6 address stands in brackets in a URL; a wildcard is reached over loopback. */
function authority(hostname: string): string {
  if (WILDCARDS.includes(hostname)) return 'localhost'
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

function listen(http: Server, port: number, hostname: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => reject(cannotListen(port, hostname, cause)))
    http.listen(port, hostname, () => {
      const address = http.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Keeps the system's error, with its code, and lets the message say what to do. */
function cannotListen(port: number, hostname: string, cause: Error): Error {
  const taken = 'code' in cause && cause.code === 'EADDRINUSE'
  const reason = taken
    ? 'the port is in use; choose another `port`, or 0 for a free one'
    : cause.message
  return Object.assign(cause, {
    message: `cannot listen on ${authority(hostname)}:${port}: ${reason}`,
  })
}

/** Answers under way are written out; a connection that is idle, or becomes so, is closed at once. */
function closeServer(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => http.closeIdleConnections(), CLOSE_SWEEP_MS)
    const cut = setTimeout(() => http.closeAllConnections(), CLOSE_GRACE_MS)
    http.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    http.closeIdleConnections()
  })
}
