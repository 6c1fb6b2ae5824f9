/**
 * The example server: a resource that changes, and a tool that asks first.
 *
 * @module
 */
import { McpServer } from 'mcp-edge'
import type { KvNamespace, ObjectNamespace } from 'mcp-edge/workers'

/** What the Worker is bound to. */
export interface Env {
  readonly MCP_SESSIONS: ObjectNamespace
  readonly MCP_HUB: ObjectNamespace
  readonly COUNTER: ObjectNamespace
  readonly MCP_KV: KvNamespace
  readonly MCP_STATE_KEYS?: string | undefined
  readonly NOTIFY_TOKEN?: string | undefined
}

const COUNTER_URI = 'counter://visits'

const counterIn = (env: Env) => env.COUNTER.get(env.COUNTER.idFromName('visits'))

export const server = new McpServer<{ env: Env }>({ name: 'my-mcp-server', version: '1.0.0' })

server.resource(COUNTER_URI, { name: 'visits', mimeType: 'application/json' }, async (_uri, ctx) =>
  (await counterIn(ctx.env).fetch('https://counter/')).text(),
)

server.tool(
  'visit',
  { description: 'Counts a visit, and tells everyone who watches the counter' },
  async (_input, ctx) => {
    const response = await counterIn(ctx.env).fetch('https://counter/', { method: 'POST' })
    await ctx.notify.resourceUpdated(COUNTER_URI)
    return `Visit number ${await response.text()}`
  },
)

server.tool('greet', { description: 'Asks for your name, and greets you' }, async (_input, ctx) => {
  const greeting = (await ctx.env.MCP_KV.get('greeting')) ?? 'Hello'
  const answer = await ctx.elicit('name', {
    message: 'What is your name?',
    schema: {
      type: 'object',
      properties: { name: { type: 'string', title: 'Name' } },
      required: ['name'],
    },
  })
  return answer.action === 'accept'
    ? `${greeting}, ${String(answer.content['name'])}!`
    : 'Never mind.'
})

server.tool(
  'countdown',
  { description: 'Counts down slowly, and reports how far it is' },
  async (_input, ctx) => {
    for (let step = 1; step <= 5 && !ctx.signal.aborted; step += 1) {
      await ctx.progress(step, { total: 5 })
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    return 'Lift-off'
  },
)
