/**
 * This package, with nothing but what a user would write.
 *
 * @module
 */
import { McpServer, createHandler } from 'mcp-edge'
import { CONFIRMATION, toolsOf } from '../harness/tools.ts'
import type { ToolSpec } from '../harness/tools.ts'
import type { Endpoint, Peer, Setup } from '../harness/types.ts'
import { WATCHED } from '../harness/wire.ts'

/** mcp-edge. */
export const ours: Peer = { name: 'ours', open }

function open(setup: Setup): Endpoint {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (const tool of toolsOf(setup)) {
    if (setup.tool === 'ask') registerAsk(server, tool)
    else register(server, tool)
  }
  // What the fan-out publishes has to exist, or nobody may listen to it.
  if (setup.mode === 'modern') server.resource(WATCHED, { name: 'watched' })
  // Sessions are the default; a stateless endpoint says so. No peer caps its streams at less.
  const limits = { listenStreams: null }
  const handler = createHandler(
    server,
    setup.mode === 'stateful' ? { limits } : { legacy: 'stateless', limits },
  )
  return {
    fetch: (request) => handler(request),
    accept: setup.form === 'sse' ? 'text/event-stream' : 'application/json, text/event-stream',
    publish: publisherOf(handler, setup),
  }
}

function register(server: McpServer, { name, description, input, answer }: ToolSpec): void {
  if (input === undefined) server.tool(name, { description }, () => answer({}))
  else server.tool(name, { description, input }, (values) => answer(values))
}

interface Asks {
  elicit(
    key: string,
    question: { readonly message: string; readonly schema: typeof CONFIRMATION },
  ): Promise<{ readonly action: string }>
}

function registerAsk(server: McpServer, { name, description, answer }: ToolSpec): void {
  server.tool(name, { description }, async (_, ctx) => {
    if (!canAsk(ctx)) throw new TypeError('questions are not served')
    const reply = await ctx.elicit('confirm', { message: 'Deploy?', schema: CONFIRMATION })
    return reply.action === 'accept' ? answer({}) : 'Cancelled.'
  })
}

function canAsk(ctx: object): ctx is Asks {
  return 'elicit' in ctx
}

interface Publishes {
  notify(): { toolsChanged(): unknown; resourceUpdated(uri: string): unknown }
}

function publisherOf(handler: object, setup: Setup): (() => void) | undefined {
  if (!canPublish(handler)) return undefined
  const notify = handler.notify()
  if (setup.mode === 'modern') return () => void notify.resourceUpdated(WATCHED)
  return () => void notify.toolsChanged()
}

function canPublish(handler: object): handler is Publishes {
  return 'notify' in handler
}
