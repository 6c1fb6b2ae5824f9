/**
 * The server every runtime serves. All of it is made at module scope, which Workers allow only without I/O, timers and
 * random values: that this file can be imported there is itself a test.
 *
 * @module
 */
import * as z from 'zod'
import {
  createHandler,
  type Handler,
  McpServer,
  memoryBus,
  memoryEvents,
  memorySessions,
  ToolError,
  userMessage,
} from 'mcp-edge'
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

/** Every store there is, made at module scope. */
export const stores = { sessions: memorySessions(), bus: memoryBus(), events: memoryEvents() }

/** The handler under test. */
export const handler: Handler = createHandler(server, {
  legacy: 'stateless',
  streamAfterMs: STREAM_AFTER_MS,
  keepaliveMs: 50,
  limits: { requestBytes: REQUEST_BYTES, jsonDepth: 16 },
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
