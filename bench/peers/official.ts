/**
 * The official SDK: `createMcpHandler` for what it serves, its transport per session for sessions.
 *
 * @module
 */
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server'
import { CONFIRMATION, toolsOf } from '../harness/tools.ts'
import type { ToolSpec } from '../harness/tools.ts'
import type { Endpoint, Peer, Setup } from '../harness/types.ts'
import { WATCHED } from '../harness/wire.ts'

// Its transports answer 406 to a client that does not accept both, whatever they send.
const ACCEPT = 'application/json, text/event-stream'

/** `@modelcontextprotocol/server` 2.4. */
export const official: Peer = { name: 'official', open }

function open(setup: Setup): Endpoint | undefined {
  if (setup.mode === 'stateful') return openStateful(setup)
  const tools = toolsOf(setup)
  const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) })
  const handler = createMcpHandler(() => build(setup, tools, codec), {
    responseMode: setup.form === 'sse' ? 'sse' : 'auto',
    maxSubscriptions: 100_000,
  })
  return {
    fetch: (request) => handler.fetch(request),
    accept: ACCEPT,
    // Its stateless leg streams every answer.
    always: setup.mode === 'stateless' ? 'sse' : undefined,
    publish: () => handler.notify.resourceUpdated(WATCHED),
  }
}

function openStateful(setup: Setup): Endpoint {
  const tools = toolsOf(setup)
  const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers = new Set<McpServer>()

  async function begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      enableJsonResponse: setup.form === 'json',
      onsessioninitialized: (id) => {
        sessions.set(id, transport)
      },
    })
    const server = build(setup, tools, codec)
    servers.add(server)
    await server.connect(transport)
    return transport.handleRequest(request)
  }

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null) return begin(request)
      const transport = sessions.get(id)
      return transport?.handleRequest(request) ?? new Response(null, { status: 404 })
    },
    accept: ACCEPT,
    publish: () => {
      for (const server of servers) server.sendToolListChanged()
    },
  }
}

type Codec = ReturnType<typeof createRequestStateCodec>

function build(setup: Setup, tools: readonly ToolSpec[], codec: Codec): McpServer {
  const server = new McpServer(
    { name: 'bench', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      ...(setup.tool === 'ask'
        ? { requestState: { verify: (state, ctx) => codec.verify(state, ctx) } }
        : {}),
    },
  )
  for (const tool of tools) {
    if (setup.tool === 'ask') registerAsk(server, tool, codec)
    else register(server, tool)
  }
  return server
}

function register(server: McpServer, { name, description, input, answer }: ToolSpec): void {
  if (input === undefined) {
    server.registerTool(name, { description }, () => result(answer({})))
    return
  }
  server.registerTool(name, { description, inputSchema: input }, (args) => result(answer(args)))
}

function registerAsk(server: McpServer, tool: ToolSpec, codec: Codec): void {
  const { name, description, answer } = tool
  server.registerTool(name, { description }, async (ctx) => {
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', CONFIRMATION)
    if (confirmed !== undefined) return result(answer({}))
    const confirm = inputRequired.elicit({ message: 'Deploy?', requestedSchema: CONFIRMATION })
    const requestState = await codec.mint({ tool: name })
    return inputRequired({ inputRequests: { confirm }, requestState })
  })
}

function result(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] }
}
