/**
 * What the adapters of all runtimes that listen on a port have in common: `mcp-edge/node`,
 * `mcp-edge/deno` and `mcp-edge/bun`, and one of yours.
 *
 * @module
 */
import type { EnvOf, ServerTypes } from '../server/context.ts'
import type { McpServer } from '../server/server.ts'
import type { AllowedHosts } from './guards/host.ts'
import { createHandler } from './handler.ts'
import type { Handler, OptionsFor } from './handler.ts'
import type { HandlerOptions } from './options.ts'

/** Where the server listens when the caller does not say. */
const DEFAULT_PORT = 8787
/** Loopback, so that nothing is reachable from outside unless asked for. */
const DEFAULT_HOSTNAME = '127.0.0.1'
/** The path clients expect; every path is answered. */
const PATH = '/mcp'

/** Where to serve. */
export interface ListenOptions {
  /** The port; 0 takes a free one. @default 8787 */
  readonly port?: number | undefined
  /**
   * The address or name to bind. It is added to `allowedHosts`, unless it means every interface.
   *
   * @default '127.0.0.1', so that nothing is reachable from outside unless asked for
   */
  readonly hostname?: string | undefined
  /**
   * Closes the server on SIGINT and SIGTERM, so that answers under way are written out. A second signal
   * ends the process at once.
   *
   * @default false, because signals belong to the process, and the process may not be the server's alone
   */
  readonly closeOnSignals?: boolean | undefined
}

/** How to serve: where, every option of `createHandler`, and `env` where the server declares it. */
export type ServeOptions<T extends ServerTypes = ServerTypes> = ListenOptions & PlacedOptions<T>

/** The options of `createHandler` outside of it, where a function of the environment makes no sense. */
export type PlacedOptions<T extends ServerTypes> = OptionsFor<T> &
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
  close(): Promise<void>
}

/** A handler and the place where it is to listen. */
export interface Listening {
  readonly port: number
  readonly hostname: string
  readonly handler: Handler
  /** Answers a request in the environment that the options name. */
  readonly answer: (request: Request) => Promise<Response>
  /** The URL of the endpoint on the port that was bound. */
  readonly urlOn: (port: number) => string
  /** Ends streams, then the runtime's server; once, and on signals where the options say so. */
  readonly closing: (stop: StopServer, signals: SignalSource) => () => Promise<void>
}

/** How a runtime ends a server: waits for the answers under way, or cuts them off. */
export interface StopServer {
  readonly finish: () => Promise<unknown>
  /** Absent where the runtime cannot: then what still runs is not waited for. */
  readonly cut?: (() => unknown) | undefined
}

/** How a runtime tells a process that it shall end. */
export interface SignalSource {
  readonly on: (signal: ClosingSignal, listener: () => void) => unknown
  readonly off: (signal: ClosingSignal, listener: () => void) => unknown
}

/** What people and platforms end a process with. */
export type ClosingSignal = 'SIGINT' | 'SIGTERM'

const CLOSING_SIGNALS: readonly ClosingSignal[] = ['SIGINT', 'SIGTERM']

/** After this long, in milliseconds, connections that still send are cut when closing. */
const CLOSE_GRACE_MS = 2_000

/**
 * Makes the handler of a server that will listen.
 *
 * @param server the server
 * @param options where, and how
 * @throws {TypeError} if an option cannot be used; the message names it
 */
export function toListening(server: McpServer, options: ServeOptions = {}): Listening {
  const { port = DEFAULT_PORT, hostname = DEFAULT_HOSTNAME, env, ...others } = options
  const { closeOnSignals = false, ...rest } = others
  const handler = handlerIn(
    server,
    { ...rest, allowedHosts: hostsOf(rest.allowedHosts, hostname) },
    env,
  )
  return {
    port,
    hostname,
    handler,
    answer: (request) => handler(request, env),
    urlOn: (bound) => `http://${nameOf(hostname)}:${bound}${PATH}`,
    closing: (stop, signals) => {
      const close = async (): Promise<void> => {
        await handler.close()
        await finishOrCut(stop)
      }
      return onceAndOn(closeOnSignals ? CLOSING_SIGNALS : [], signals, close)
    },
  }
}

/** A close that runs once however often it is asked for, and gives the signals back when it starts. */
function onceAndOn(
  wanted: readonly ClosingSignal[],
  signals: SignalSource,
  close: () => Promise<void>,
): () => Promise<void> {
  let closed: Promise<void> | undefined
  const listener = (): void => void closeOnce()
  const closeOnce = (): Promise<void> => {
    for (const signal of wanted) signals.off(signal, listener)
    closed ??= close()
    return closed
  }
  for (const signal of wanted) signals.on(signal, listener)
  return closeOnce
}

async function finishOrCut({ finish, cut }: StopServer): Promise<void> {
  const over = Promise.withResolvers<unknown>()
  const timer = setTimeout(() => over.resolve(cut?.()), CLOSE_GRACE_MS)
  await Promise.race([finish(), over.promise])
  clearTimeout(timer)
}

/**
 * Makes the handler of a server whose environment is known beforehand.
 *
 * @param server the server
 * @param options the options of `createHandler`
 * @param env becomes `ctx.env`
 */
export function handlerIn(server: McpServer, options: HandlerOptions, env: unknown): Handler {
  return env === undefined ? createHandler(server, options) : createHandler(server, () => options)
}

function hostsOf(given: AllowedHosts | undefined, hostname: string): AllowedHosts | undefined {
  if (isWildcard(hostname)) return given
  if (given === undefined) return [nameOf(hostname)]
  return typeof given === 'object' ? [...given, nameOf(hostname)] : given
}

/**
 * The name of a bound address in a URL: every interface is reached as localhost, and IPv6 stands in
 * brackets.
 *
 * @param hostname the address or name that is bound
 */
export function nameOf(hostname: string): string {
  if (isWildcard(hostname)) return 'localhost'
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

function isWildcard(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::' || hostname === ''
}
