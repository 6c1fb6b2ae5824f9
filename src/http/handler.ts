/**
 * `createHandler`: a server as a function from Request to Response.
 *
 * @module
 */
import { InternalError } from '../protocol/errors.ts'
import type { DataOf, EnvOf, ServerTypes } from '../server/context.ts'
import type { Change, Notifier } from '../server/notifier.ts'
import { report } from '../server/report.ts'
import type { McpServer } from '../server/server.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import { Endpoint } from './endpoint.ts'
import type { EndpointStats } from './endpoint.ts'
import type { HandlerOptions } from './options.ts'
import { refusalResponse } from './responses.ts'

/** How many things of each kind a handler holds; all zeros when nothing is in progress. */
export type HandlerStats = EndpointStats

/** A server as a function from Request to Response. It never rejects. */
export interface Handler {
  (request: Request, env?: unknown, execution?: ExecutionLike): Promise<Response>
  /**
   * Publishes changes to whoever subscribed through this handler's bus.
   *
   * @param env the platform's environment; required where options are a function of it
   * @throws {TypeError} if it is required and absent
   */
  notify(env?: unknown): Notifier
  /** Counts what is in progress. */
  stats(): HandlerStats
  /** Ends streams, aborts what is in flight and refuses what comes. */
  close(): Promise<void>
}

/** Options, or a function that makes them of the platform's environment. */
export type HandlerSetup<T extends ServerTypes> =
  | HandlerOptions<T>
  | ((env: EnvOf<T>) => HandlerOptions<T>)

/** Options as a server's declared types want them: `data` needs `context`, `env` needs a function. */
export type SetupFor<T extends ServerTypes> = T extends { readonly env: unknown }
  ? readonly [setup: (env: EnvOf<T>) => OptionsFor<T>]
  : T extends { readonly data: unknown }
    ? readonly [setup: OptionsFor<T> | ((env: EnvOf<T>) => OptionsFor<T>)]
    : readonly [setup?: HandlerSetup<T>]

/** Options of a server that declares `data`, or not. */
export type OptionsFor<T extends ServerTypes> = T extends { readonly data: unknown }
  ? HandlerOptions<T> & {
      readonly context: (
        ...source: Parameters<NonNullable<HandlerOptions<T>['context']>>
      ) => DataOf<T> | Promise<DataOf<T>>
    }
  : HandlerOptions<T>

/**
 * Serves a server over HTTP. The handler answers every protocol revision at whatever path it is
 * mounted, and never redirects.
 *
 * @param server the server
 * @param setup options, or a function that makes them of the platform's environment; it runs once
 *   for each distinct environment, and only then is the handler's second argument read
 * @throws {TypeError} if an option cannot be used; the message names it
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function createHandler<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[setup]: SetupFor<T>
): Handler {
  // Declared types bind the author of handlers and options to each other; here they are data.
  const endpoints = new Endpoints(server, setup ?? {})
  const handle = async (
    request: Request,
    env?: unknown,
    execution?: ExecutionLike,
  ): Promise<Response> => {
    try {
      const endpoint = endpoints.of(env)
      endpoints.catchUp(endpoint, execution)
      return await endpoint.handle(request, env, execution)
    } catch (error) {
      report(server.core.onError, error, { request: { method: request.method } })
      return refusalResponse({ status: 500, error: new InternalError() }, undefined)
    }
  }
  return Object.assign(handle, {
    notify: (env?: unknown) => endpoints.notifier(env),
    stats: () => endpoints.stats(),
    close: () => endpoints.close(),
  })
}

const NOTIFY_NEEDS_ENV =
  'options are a function of the environment: publish with handler.notify(env), not server.notify'

/** Options whose declared types no longer matter. */
type Setup = HandlerOptions | ((env: unknown) => HandlerOptions)

/** The endpoints of one handler: one, or one for each environment it has met. */
class Endpoints {
  readonly #server: McpServer
  readonly #setup: ((env: unknown) => HandlerOptions) | undefined
  readonly #byEnv = new Map<unknown, Endpoint>()
  #closed = false
  readonly #disconnect: () => void
  /** Changes of the definitions that wait for a request, because only a request brings an environment's I/O. */
  readonly #owed = new Map<Endpoint, Map<Change['kind'], Change>>()

  constructor(server: McpServer, setup: Setup) {
    this.#server = server
    if (typeof setup === 'function') {
      this.#setup = setup
      this.#disconnect = server.connect({
        publish: () => Promise.reject(new TypeError(NOTIFY_NEEDS_ENV)),
        changed: (change) => this.#owe(change),
      })
      return
    }
    const only = new Endpoint(server, setup)
    this.#byEnv.set(undefined, only)
    this.#disconnect = server.connect({
      publish: only.publish,
      changed: (change) => void only.publish(change),
      bus: only.settings.bus,
    })
  }

  of(env: unknown): Endpoint {
    const key = this.#setup === undefined ? undefined : env
    const known = this.#byEnv.get(key)
    if (known !== undefined) return known
    const made = new Endpoint(this.#server, this.#setup?.(env) ?? {})
    this.#byEnv.set(key, made)
    if (this.#closed) made.close()
    return made
  }

  notifier(env: unknown): Notifier {
    if (this.#setup !== undefined && env === undefined) throw new TypeError(NOTIFY_NEEDS_ENV)
    return this.of(env).notifier
  }

  /** Publishes what an endpoint is owed. */
  catchUp(endpoint: Endpoint, execution: ExecutionLike | undefined): void {
    const owed = this.#owed.get(endpoint)
    if (owed === undefined) return
    this.#owed.delete(endpoint)
    const publishing = Promise.all([...owed.values()].map((change) => endpoint.publish(change)))
    execution?.waitUntil?.(publishing)
  }

  #owe(change: Change): void {
    for (const endpoint of this.#byEnv.values()) {
      const owed = this.#owed.get(endpoint) ?? new Map()
      this.#owed.set(endpoint, owed.set(change.kind, change))
    }
  }

  stats(): HandlerStats {
    const all = [...this.#byEnv.values()].map((endpoint) => endpoint.stats())
    const total = (kind: keyof HandlerStats): number =>
      all.reduce((sum, counts) => sum + counts[kind], 0)
    return {
      inFlight: total('inFlight'),
      streams: total('streams'),
      listeners: total('listeners'),
      sessions: total('sessions'),
      questions: total('questions'),
    }
  }

  async close(): Promise<void> {
    this.#disconnect()
    this.#closed = true
    for (const endpoint of this.#byEnv.values()) endpoint.close()
  }
}
