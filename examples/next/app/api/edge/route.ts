import { route } from 'mcp-edge/next'
import { shoppingServer } from '../../../lib/mcp-server.ts'

/** The same server in the edge runtime: an isolate of its own, with a list of its own, and no bus to listen by. */
export const runtime = 'edge'

export const { GET, POST, DELETE, OPTIONS, HEAD } = route(shoppingServer())
