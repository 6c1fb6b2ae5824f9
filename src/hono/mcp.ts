/**
 * `mcp`: the endpoint, and what stands around it on a real server.
 *
 * @module
 */
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import type { ResourceMetadataHandler } from '../auth/metadata.ts'
import { createHandler } from '../http/handler.ts'
import type { Handler, HandlerSetup, SetupFor } from '../http/handler.ts'
import type { HandlerOptions } from '../http/options.ts'
import type { DataOf, ServerTypes } from '../server/context.ts'
import type { McpServer } from '../server/server.ts'

/** The path of the endpoint that clients expect. */
const PATH = '/mcp'

/** A webhook that publishes changes. */
export interface NotifyOptions {
  /**
   * Tells whether a request may publish. There is no default: an open webhook lets anyone make every
   * client ask again.
   */
  readonly authorize: (c: Context) => boolean | Promise<boolean>
}

/** What stands around the endpoint. */
export interface McpAppOptions<T extends ServerTypes = ServerTypes> {
  /** The endpoint's path, below wherever the app is mounted. @default '/mcp' */
  readonly path?: string | undefined
  /**
   * Answers at the well-known paths; `protectedResourceMetadata()` of `mcp-edge/auth` makes one. Clients look for
   * them at the root of the host, so where the app is mounted below it, mount this at the root yourself:
   * `root.all('/.well-known/*', (c) => metadata(c.req.raw) ?? c.notFound())`.
   */
  readonly metadata?: ResourceMetadataHandler | undefined
  /** Adds `POST /notify`. @default none */
  readonly notify?: NotifyOptions | undefined
  /** Makes `ctx.data` of Hono's context, its variables for instance. Instead of the `context` option. */
  readonly data?: ((c: Context) => DataOf<T> | Promise<DataOf<T>>) | undefined
}

/** What `mcp` takes: options as the server's types want them, or their `data` from Hono's context. */
export type McpParameters<T extends ServerTypes> = T extends
  | { readonly env: unknown }
  | { readonly data: unknown }
  ? | readonly [setup: SetupFor<T>[0], around?: McpAppOptions<T>]
    | readonly [
        setup: HandlerSetup<T>,
        around: McpAppOptions<T> & {
          readonly data: (c: Context) => DataOf<T> | Promise<DataOf<T>>
        },
      ]
  : readonly [setup?: HandlerSetup<T>, around?: McpAppOptions<T>]

/** What `POST /notify` publishes. */
const notice = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['tools', 'prompts', 'resources']) }),
    z.object({ kind: z.literal('resource'), uri: z.string().min(1) }),
  ])

type Notice = z.infer<ReturnType<typeof notice>>

/**
 * Serves a server as a Hono app: the endpoint, `GET /health`, and where they are asked for the
 * metadata of the protected resource and an authenticated `POST /notify`. Mount it anywhere:
 * `app.route('/', mcp(server))`.
 *
 * @param server the server
 * @param setup the options of `createHandler`, or the function of the environment that
 *   `workersOptions` makes
 * @param around what stands around the endpoint
 * @throws {TypeError} if an option cannot be used; the message names it
 */
export function mcp<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[setup = {}, around = {}]: McpParameters<T>
): Hono {
  const { path = PATH, metadata, notify, data } = around
  const contexts = new WeakMap<Request, Context>()
  const handler = createHandler(server, withData(setup, data, contexts))
  const app = new Hono()
  app.all(path, (c) => {
    contexts.set(c.req.raw, c)
    return handler(c.req.raw, c.env, executionOf(c))
  })
  app.get('/health', (c) => c.json({ status: 'ok' }))
  if (metadata !== undefined) {
    app.all('/.well-known/*', (c) => metadata(c.req.raw) ?? c.notFound())
  }
  if (notify !== undefined) addNotify(app, handler, notify)
  return app
}

function withData(
  setup: HandlerSetup<ServerTypes>,
  data: McpAppOptions['data'],
  contexts: WeakMap<Request, Context>,
): HandlerSetup<ServerTypes> {
  const extend = (options: HandlerOptions): HandlerOptions =>
    data === undefined
      ? options
      : { ...options, context: (request) => dataOf(data, contexts.get(request)) }
  return typeof setup === 'function' ? (env) => extend(setup(env)) : extend(setup)
}

function dataOf(data: (c: Context) => unknown, c: Context | undefined): unknown {
  if (c === undefined) throw new TypeError('a request reached the handler without its Hono context')
  return data(c)
}

/** Hono throws where the platform has no execution context. */
function executionOf(c: Context): { waitUntil(promise: Promise<unknown>): void } | undefined {
  try {
    return c.executionCtx
  } catch {
    // Every platform but Workers: nothing has to be kept alive there.
    return undefined
  }
}

function addNotify(app: Hono, handler: Handler, { authorize }: NotifyOptions): void {
  app.post(
    '/notify',
    async (c, next) => ((await authorize(c)) ? next() : c.json({ error: 'unauthorized' }, 401)),
    zValidator('json', notice()),
    async (c) => {
      await publish(handler, c.env, c.req.valid('json'))
      return c.body(null, 202)
    },
  )
}

function publish(handler: Handler, env: unknown, change: Notice): Promise<void> {
  const notifier = handler.notify(env)
  switch (change.kind) {
    case 'tools':
      return notifier.toolsChanged()
    case 'prompts':
      return notifier.promptsChanged()
    case 'resources':
      return notifier.resourcesChanged()
    case 'resource':
      return notifier.resourceUpdated(change.uri)
  }
}
