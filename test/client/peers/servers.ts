/**
 * The same small server by other people: built with each library the way its own documents say.
 *
 * @module
 */
import { createMcpHandler, McpServer as OfficialV2 } from '@modelcontextprotocol/server'
import { McpServer as OfficialV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport as TransportV1 } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { InMemorySessionAdapter, McpServer as LiteServer, StreamableHttpTransport } from 'mcp-lite'
import { McpServer as TmcpServer } from 'tmcp'
import { JsonSchemaAdapter } from 'tmcp/adapter'
import * as z from 'zod'
import { isRecord } from '../../../src/protocol/jsonrpc.ts'

type Handle = (request: Request) => Promise<Response>

const input = { text: z.string() }
const output = { length: z.number() }
const info = { name: 'peer', version: '1.0.0' }
const measured = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: { length: text.length },
})

/** @modelcontextprotocol/server 2.4.0 */
export function officialV2(): OfficialV2 {
  const server = new OfficialV2(info)
  server.registerTool(
    'measure',
    { inputSchema: z.object(input), outputSchema: z.object(output) },
    ({ text }) => measured(text),
  )
  server.registerResource('greeting', 'test:greeting', {}, () => ({
    contents: [{ uri: 'test:greeting', text: 'hello' }],
  }))
  return server
}

/** @modelcontextprotocol/sdk 1.32.2 */
export function officialV1(): OfficialV1 {
  const server = new OfficialV1(info)
  server.registerTool('measure', { inputSchema: input, outputSchema: output }, ({ text }) =>
    measured(text),
  )
  server.registerTool('ask', {}, async () => {
    const { action } = await server.server.elicitInput({
      message: 'ok?',
      requestedSchema: { type: 'object', properties: { ok: { type: 'boolean', default: true } } },
    })
    return { content: [{ type: 'text', text: action }] }
  })
  server.registerResource('greeting', 'test:greeting', {}, () => ({
    contents: [{ uri: 'test:greeting', text: 'hello' }],
  }))
  return server
}

/** mcp-lite 0.10.0 */
function mcpLite(): LiteServer {
  const server = new LiteServer({
    ...info,
    schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
  })
  server.tool('measure', {
    inputSchema: z.object(input),
    outputSchema: z.object(output),
    handler: ({ text }) => measured(text),
  })
  server.resource('test:greeting', { name: 'greeting' }, () =>
    Promise.resolve({ contents: [{ uri: 'test:greeting', type: 'text', text: 'hello' }] }),
  )
  return server
}

class ZodAdapter extends JsonSchemaAdapter<z.ZodType> {
  override async toJsonSchema(schema: z.ZodType): Promise<never> {
    return z.toJSONSchema(schema) as never
  }
}

/** tmcp 1.20.0 */
export function tmcp(): TmcpServer<z.ZodType> {
  const server = new TmcpServer(info, {
    adapter: new ZodAdapter(),
    capabilities: { tools: { listChanged: true }, resources: {} },
  })
  server.tool(
    { name: 'measure', description: '', schema: z.object(input), outputSchema: z.object(output) },
    ({ text }) => measured(text),
  )
  server.resource({ name: 'greeting', description: '', uri: 'test:greeting' }, () => ({
    contents: [{ uri: 'test:greeting', text: 'hello', mimeType: 'text/plain' }],
  }))
  return server
}

/** What tmcp itself answers, without one of its HTTP packages around it. */
export async function tmcpAnswer(
  server: ReturnType<typeof tmcp>,
  message: unknown,
): Promise<unknown> {
  return server.receive(message as never, { sessionId: 'one' })
}

/** The servers as functions from Request to Response, each new for each test. */
export const handlers: Readonly<Record<string, () => Handle>> = {
  '@modelcontextprotocol/server 2.4.0': () => {
    const handler = createMcpHandler(officialV2)
    return (request) => handler.fetch(request)
  },
  '@modelcontextprotocol/sdk 1.32.2': () => {
    const sessions = new Map<string, TransportV1>()
    return async (request) => {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
      if (known !== undefined) return known.handleRequest(request)
      const transport = new TransportV1({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await officialV1().connect(transport)
      return transport.handleRequest(request)
    }
  },
  'mcp-lite 0.10.0': () =>
    new StreamableHttpTransport({
      sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 100 }),
    }).bind(mcpLite()),
  'tmcp 1.20.0': () => {
    const server = tmcp()
    return async (request) => {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const message: unknown = await request.json()
      const answer = await tmcpAnswer(server, message)
      if (!isRecord(message) || message['id'] === undefined)
        return new Response(null, { status: 202 })
      return Response.json(answer)
    }
  },
}
