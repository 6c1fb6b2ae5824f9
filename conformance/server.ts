/**
 * Serves the fixture on Node: `node --conditions=mcp-edge-source conformance/server.ts`.
 *
 * `PORT` names the port (3901 by default); the endpoint is `/mcp` on 127.0.0.1.
 *
 * @module
 */

import { memoryEvents } from 'mcp-edge'
import { serve } from 'mcp-edge/node'
import { fixtureServer } from './fixture/fixture-server.ts'

const port = Number(process.env['PORT'] ?? 3901)

const { url } = await serve(fixtureServer(), {
  port,
  hostname: '127.0.0.1',
  events: memoryEvents(),
})
console.log(url)
