/**
 * The fixture behind a Next.js route handler. The stores are those of one process, which `next start` is.
 *
 * @module
 */
import { memoryBus, memoryEvents, memorySessions } from 'mcp-edge'
import { route } from 'mcp-edge/next'
import { fixtureServer } from '../../../fixture/fixture-server.ts'

export const { GET, POST, DELETE, OPTIONS, HEAD } = route(fixtureServer(), {
  sessions: memorySessions(),
  bus: memoryBus(),
  events: memoryEvents(),
})
