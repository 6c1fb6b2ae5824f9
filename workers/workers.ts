/**
 * `workers`: a server as a Cloudflare Worker, with whatever is bound to it.
 *
 * @module
 */
import { createHandler } from 'mcp-edge'
import type { HandlerOptions, McpServer, Notifier, OptionsFor, ServerTypes } from 'mcp-edge'
import { isRecord } from 'mcp-edge/protocol'
import { toHandlerOptions } from './handler-options.ts'
import type { BindingNames } from './handler-options.ts'

/** The options of `createHandler`, and the names of the bindings. */
export type WorkersOptions<T extends ServerTypes = ServerTypes> = OptionsFor<T> & {
  /** Names of bindings and of the secret, where they are not the usual ones. */
  readonly bindings?: BindingNames | undefined
}

/** The declared type of the environment. */
type Env<T extends ServerTypes> = T extends { readonly env: infer E } ? E : unknown

/** Options, or a function that makes them of the Worker's environment. */
export type WorkersSetup<T extends ServerTypes = ServerTypes> =
  | WorkersOptions<T>
  | ((env: Env<T>) => WorkersOptions<T>)

/** Options may be left out where the server declares no `data`. */
export type WorkersParameters<T extends ServerTypes> = T extends { readonly data: unknown }
  ? readonly [setup: WorkersSetup<T>]
  : readonly [setup?: WorkersSetup<T>]

/** What the platform hands over with each event. */
export interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void
}

/** A Worker: what its module exports by default. Add `queue` and `scheduled` beside it as you like. */
export interface McpWorker<T extends ServerTypes = ServerTypes> {
  readonly fetch: (request: Request, env: Env<T>, execution?: ExecutionContext) => Promise<Response>
  /**
   * Publishes changes from outside of a request to the server: from `queue`, `scheduled`, or another
   * route of the Worker. Await it, or hand it to `waitUntil`.
   */
  readonly notify: (env: Env<T>) => Notifier
}

/**
 * Serves a server as a Cloudflare Worker. Sessions live in Durable Objects where `MCP_SESSIONS` is
 * bound, in their ids where only the secret `MCP_STATE_KEYS` is set, and otherwise there are none.
 * Changes travel through `MCP_HUB` where it is bound; else listening is refused and not advertised,
 * unless the options bring a bus.
 *
 * Every host is allowed, because the platform routes only those that the owner of the Worker
 * configured.
 *
 * @example
 * ```ts
 * export { McpSession, McpHub } from 'mcp-edge/workers'
 * export default workers(server)
 * ```
 *
 * @param server the server
 * @param setup the options of `createHandler`, or a function that makes them of the environment
 * @see https://developers.cloudflare.com/workers/
 */
export function workers<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[setup]: WorkersParameters<T>
): McpWorker<T> {
  const plain: McpServer = server
  const handler = createHandler(plain, optionsOf(setup))
  let checked = false
  return {
    fetch: (request, env, execution) => {
      if (!checked) {
        checked = true
        checkFlags(plain)
      }
      return handler(request, env, execution)
    },
    notify: (env) => handler.notify(env),
  }
}

/**
 * The options of {@link workers} for what takes options of `createHandler`, such as `mcp-edge/hono`:
 * a function of the environment.
 *
 * @param setup the options, or a function that makes them of the environment
 */
export function workersOptions<T extends ServerTypes = ServerTypes>(
  setup?: WorkersSetup<T>,
): (env: Env<T>) => OptionsFor<T>
// Whatever the options have is kept, so that what a server's types demand of them still holds.
export function workersOptions(setup?: unknown): (env: unknown) => HandlerOptions {
  return optionsOf(setup)
}

function optionsOf(setup: unknown): (env: unknown) => HandlerOptions {
  return (env) => {
    const options: unknown = typeof setup === 'function' ? setup(env) : setup
    return toHandlerOptions(isRecord(options) ? options : {}, isRecord(env) ? env : {})
  }
}

declare const Cloudflare: { readonly compatibilityFlags?: Readonly<Record<string, boolean>> }

/** Without the flag, only a stream that is written to notices that its client left. */
function checkFlags({ core }: McpServer): void {
  const flags = typeof Cloudflare === 'undefined' ? undefined : Cloudflare.compatibilityFlags
  if (flags === undefined || flags['enable_request_signal'] === true) return
  const warning =
    'The compatibility flag enable_request_signal is missing: tools may not notice that their client left. Add "compatibility_flags": ["enable_request_signal"] to wrangler.jsonc'
  if (core.onWarning === undefined) console.warn('mcp-edge:', warning)
  else core.onWarning(warning)
}
