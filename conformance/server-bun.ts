/**
 * Serves the fixture on Bun: `bun --conditions=mcp-edge-source conformance/server-bun.ts`.
 *
 * `PORT` names the port (3901 by default); the endpoint is `/mcp` on 127.0.0.1.
 *
 * @module
 */

import process from 'node:process'
import { memoryEvents } from 'mcp-edge'
import { serve } from 'mcp-edge/bun'
import { fixtureServer } from './fixture/fixture-server.ts'

const { url } = serve(fixtureServer(), {
  port: Number(process.env['PORT'] ?? 3901),
  hostname: '127.0.0.1',
  events: memoryEvents(),
  closeOnSignals: true,
})
console.log(url)
