/**
 * The server every runtime serves. All of it is made at module scope, which Workers allow only without I/O, timers and
 * random values: that this file can be imported there is itself a test.
 *
 * @module
 */
import * as z from 'zod'
import {
  createHandler,
  type AuthInfo,
  type HandlerOptions,
  McpServer,
  memoryBus,
  memoryEvents,
  memorySessions,
  ToolError,
  userMessage,
} from 'mcp-edge'
import type { HandlerStats } from 'mcp-edge/http'
import { jsonSchema } from 'mcp-edge/json-schema'

/** Bodies above this are refused, so that a test needs little to be too much. */
export const REQUEST_BYTES = 16_384

/** Calls longer than this become a stream. */
const STREAM_AFTER_MS = 150

const server = new McpServer({ name: 'runtime', version: '1.0.0', cache: { ttlMs: 1_000 } })

/** What happened so far; plain data, so a Worker may share it between requests. */
const seen = { aborted: 0, finished: 0, gate: false }

server.tool(
  'echo',
  { description: 'Says it again', input: z.object({ text: z.string() }) },
  ({ text }) => text,
)

server.tool(
  'add',
  {
    description: 'Adds two numbers; its schemas are plain JSON Schema',
    input: jsonSchema<{ a: number; b: number }>({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    }),
    output: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ sum: a + b }),
)

server.tool('refuse', { description: 'Fails visibly' }, () => {
  throw new ToolError('not today')
})

server.tool('crash', { description: 'Fails with something to hide' }, () => {
  throw new Error('secret')
})

server.tool('gated', { description: 'Reports, then waits for the gate' }, async (_input, ctx) => {
  seen.gate = false
  await ctx.progress(1, { total: 2, message: 'waiting' })
  while (!seen.gate) await pause(10)
  await ctx.progress(2, { total: 2 })
  return 'open'
})

server.tool('open', { description: 'Opens the gate' }, () => {
  seen.gate = true
  return 'opened'
})

server.tool(
  'wait',
  { description: 'Takes its time', input: z.object({ ms: z.int(), report: z.boolean() }) },
  async ({ ms, report }, ctx) => {
    ctx.signal.addEventListener('abort', () => {
      seen.aborted += 1
    })
    if (report) await ctx.progress(0)
    for (let left = ms; left > 0 && !ctx.signal.aborted; left -= 20) await pause(20)
    if (!ctx.signal.aborted) seen.finished += 1
    return 'done'
  },
)

server.tool('seen', { description: 'What happened' }, () => JSON.stringify(seen))

server.resource('data://text', { name: 'text', mimeType: 'text/plain' }, () => 'plain ✓')
server.resource('data://bytes', { name: 'bytes' }, () => new Uint8Array([0, 1, 254, 255]))
server.resourceTemplate(
  'data://users/{id}',
  {
    name: 'user',
    complete: { id: (typed) => ['ada', 'alan'].filter((id) => id.startsWith(typed)) },
  },
  ({ id }) => `user ${id}`,
)
server.prompt(
  'greet',
  { description: 'A greeting', input: z.object({ name: z.string() }) },
  ({ name }) => [userMessage(`Hello ${name}`)],
)

server.tool('ask', { description: 'Asks twice' }, async (_input, ctx) => {
  const name = await ctx.elicit('name', {
    message: 'What is your name?',
    schema: z.object({ name: z.string() }),
  })
  if (name.action !== 'accept') return name.action
  const sure = await ctx.elicit('sure', {
    message: `Is it ${name.content.name}?`,
    schema: z.object({ yes: z.boolean() }),
  })
  return sure.action === 'accept' && sure.content.yes ? `Hello ${name.content.name}` : 'Never mind'
})

server.tool('touch', { description: 'Changes a resource' }, async (_input, ctx) => {
  await ctx.notify.resourceUpdated('data://text')
  return 'touched'
})

server.tool('who', { description: 'Says who asks' }, (_input, ctx) => ctx.auth?.subject ?? 'nobody')
server.tool('admin', { description: 'Not for everyone', scopes: ['admin'] }, () => 'welcome')

/** The endpoints under test, by path. */
export type Place = 'mcp' | 'sessions' | 'auth' | 'silent'

/** The paths of the endpoints. */
export const PLACES: readonly Place[] = ['mcp', 'sessions', 'auth', 'silent']

/** The server behind every endpoint. */
export { server }

/**
 * Options of the endpoints, with stores of their own. Without I/O, so that a Worker may make them at module scope.
 */
export function setups(): Readonly<Record<Place, HandlerOptions>> {
  const limits = { requestBytes: REQUEST_BYTES, jsonDepth: 16 }
  const eager = { streamAfterMs: STREAM_AFTER_MS, keepaliveMs: 50 }
  return {
    mcp: { ...eager, legacy: 'stateless', limits },
    sessions: { ...eager, sessions: memorySessions(), bus: memoryBus(), events: memoryEvents() },
    auth: { legacy: 'stateless', authenticate },
    // Nothing is said unasked, so a runtime that cuts silent connections shows it.
    silent: { legacy: 'stateless', keepaliveMs: 3_600_000 },
  }
}

/** Tokens are names; Ada may do everything. */
function authenticate(request: Request): AuthInfo | Response {
  const subject = request.headers.get('authorization')?.replace('Bearer ', '')
  if (subject !== 'ada' && subject !== 'alan') {
    return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  }
  return { subject, scopes: subject === 'ada' ? ['admin'] : [] }
}

/** Every endpoint in one place. */
export interface Site {
  /** Answers by path. */
  readonly answer: (request: Request, env?: unknown, context?: Execution) => Promise<Response>
  /** The sum of all `handler.stats()`. */
  readonly stats: () => Readonly<Record<string, number>>
}

interface Execution {
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** Serves every endpoint without a socket. */
export function site(): Site {
  const options = setups()
  const handlers = new Map(PLACES.map((place) => [place, createHandler(server, options[place])]))
  return {
    answer: async (request, env, context) => {
      const place = PLACES.find((name) => new URL(request.url).pathname === `/${name}`)
      const handler = place === undefined ? undefined : handlers.get(place)
      return handler?.(request, env, context) ?? new Response(null, { status: 404 })
    },
    stats: () => sum([...handlers.values()].map((handler) => handler.stats())),
  }
}

/**
 * Adds counters up.
 *
 * @param all the counters of several handlers
 */
export function sum(all: readonly HandlerStats[]): Readonly<Record<string, number>> {
  const total: Record<string, number> = {}
  for (const stats of all) {
    for (const [name, count] of Object.entries(stats)) total[name] = (total[name] ?? 0) + count
  }
  return total
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
