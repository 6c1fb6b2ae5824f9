/**
 * A dice server on Bun: `bun run example.ts`, then http://127.0.0.1:8787/mcp
 *
 * @module
 */
import { McpServer, ToolError } from 'mcp-edge'
import { serve } from 'mcp-edge/bun'
import { jsonSchema } from 'mcp-edge/json-schema'

declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

const server = new McpServer({ name: 'dice', version: '1.0.0' })

server.tool(
  'roll',
  {
    description: 'Roll dice',
    input: jsonSchema<{ dice: number; sides?: number }>({
      type: 'object',
      properties: {
        dice: { type: 'integer', minimum: 1, maximum: 1000 },
        sides: { type: 'integer', minimum: 2, default: 6 },
      },
      required: ['dice'],
    }),
  },
  async ({ dice, sides = 6 }, ctx) => {
    let sum = 0
    for (let thrown = 1; thrown <= dice; thrown += 1) {
      if (ctx.signal.aborted) throw new ToolError('The player has left.')
      sum += 1 + Math.floor(Math.random() * sides)
      await ctx.progress(thrown, { total: dice })
    }
    return `${sum}`
  },
)

const { url } = serve(server, { port: Number(process.env['PORT'] ?? 8787), closeOnSignals: true })
console.log(url)
