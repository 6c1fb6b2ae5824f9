/**
 * A server with a bit of everything, and handlers whose time a test moves by hand.
 *
 * @module
 */
import * as z from 'zod'
import { createHandler } from '../../src/http/handler.ts'
import type { Handler } from '../../src/http/handler.ts'
import type { HandlerOptions } from '../../src/http/options.ts'
import { image } from '../../src/server/content.ts'
import { userMessage } from '../../src/server/messages.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { McpServer } from '../../src/server/server.ts'
import { call, fakeClock } from '../support/index.ts'
import type { CallOptions, FakeClock } from '../support/index.ts'
import type { Answer } from '../support/answer.ts'

/** A server at an endpoint. */
export interface Served {
  readonly handler: Handler
  readonly clock: FakeClock
  /** Sends a request, and holds everything that comes back to the official schema. */
  readonly ask: (request: Request, options?: CallOptions) => Promise<Answer>
}

/** What a server reported. */
export interface Reported {
  readonly error: unknown
  readonly where: unknown
}

/**
 * A server that keeps what it reports instead of printing it.
 *
 * @param options what differs from the usual
 */
export function quiet(options: Partial<ServerOptions> = {}): {
  readonly server: McpServer
  readonly reported: Reported[]
  readonly warnings: string[]
} {
  const reported: Reported[] = []
  const warnings: string[] = []
  const server = new McpServer({
    name: 'test-server',
    version: '1.2.3',
    onError: (error, where) => void reported.push({ error, where }),
    onWarning: (warning) => void warnings.push(warning),
    ...options,
  })
  return { server, reported, warnings }
}

/**
 * Serves a server without sessions.
 *
 * @param server the server
 * @param options what differs from the usual
 */
export function served(server: McpServer, options: HandlerOptions = {}): Served {
  const clock = fakeClock()
  const handler = createHandler(server, { legacy: 'stateless', clock, ...options })
  return { handler, clock, ask: (request, checks) => call(handler, request, checks) }
}

/**
 * A server with one of everything.
 *
 * @param options what differs from the usual
 */
export function everything(options: Partial<ServerOptions> = {}): McpServer {
  const { server } = quiet(options)
  server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  server.tool('add', addition, ({ a, b }) => ({ sum: a + b }))
  server.tool('picture', {}, () => [image(new Uint8Array([1, 2, 3]), 'image/png')])
  server.tool('steps', {}, async (_input, ctx) => {
    await ctx.progress(1, { total: 2 })
    ctx.log.info('half way')
    await ctx.progress(2, { total: 2 })
    return 'done'
  })
  server.resource('config://app', { name: 'config', mimeType: 'application/json' }, () => '{}')
  server.resource('bytes://x', { name: 'bytes' }, () => new Uint8Array([0, 255, 128]))
  server.resourceTemplate(
    'users://{id}',
    {
      name: 'user',
      complete: { id: (typed) => ['ada', 'alan'].filter((id) => id.startsWith(typed)) },
    },
    ({ id }) => `user ${id}`,
  )
  server.prompt('review', { input: z.object({ file: z.string() }) }, ({ file }) => [
    userMessage(`Review ${file}`),
  ])
  server.method('acme/add', addition, ({ a, b }) => ({ sum: a + b }))
  return server
}

const addition = {
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
}

/**
 * Throws anything, also what is no error.
 *
 * @param value what to throw
 */
export function raise(value: unknown): never {
  const generator = (function* raising(): Generator<never, never> {
    return raise(yield* [])
  })()
  return generator.throw(value) as never
}

/** Finishes when it is told to. */
export interface Gate {
  readonly open: () => void
  readonly passed: Promise<void>
}

/** A promise with a handle. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, passed: promise }
}
