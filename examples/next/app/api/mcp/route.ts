import { memoryBus } from 'mcp-edge'
import { route } from 'mcp-edge/next'
import { shoppingServer } from '../../../lib/mcp-server.ts'

/** Next reads it from the source, so it has to be a literal; streams end five seconds before it. */
export const maxDuration = 60

const key = process.env['MCP_STATE_KEY']

export const { GET, POST, DELETE, OPTIONS, HEAD } = route(shoppingServer(), {
  maxDuration,
  // `next start` is one process. Where there are more, leave the bus out, or bring one that they share.
  bus: memoryBus(),
  // Without a key of your own an answer to a question is understood only by the process that asked.
  ...(key === undefined ? {} : { requestState: { keys: [key] } }),
})
