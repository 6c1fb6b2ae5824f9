/**
 * mcp-lite, as its README wires it. It speaks the 2025 revisions only.
 *
 * @module
 */
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite'
import * as z from 'zod'
import { toolsOf } from '../harness/tools.ts'
import type { Endpoint, Peer, Setup } from '../harness/types.ts'

/** mcp-lite 0.10. */
export const mcpLite: Peer = { name: 'mcp-lite', open }

function open(setup: Setup): Endpoint | undefined {
  if (setup.mode === 'modern' || setup.tool === 'ask') return undefined
  const server = new McpServer({
    name: 'bench',
    version: '1.0.0',
    schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
  })
  for (const { name, description, input, answer } of toolsOf(setup)) {
    server.tool(name, {
      description,
      ...(input === undefined ? {} : { inputSchema: input }),
      handler: (args: Record<string, unknown>) => ({
        content: [{ type: 'text', text: answer(args) }],
      }),
    })
  }
  const stateful = setup.mode === 'stateful'
  const transport = new StreamableHttpTransport(
    stateful ? { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }) } : {},
  )
  // It streams whenever Accept names text/event-stream, so a JSON answer needs a client that does not.
  const accept = setup.form === 'sse' ? 'application/json, text/event-stream' : 'application/json'
  return { fetch: transport.bind(server), accept }
}
