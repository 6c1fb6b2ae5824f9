/** The suite under Node, over `@hono/node-server`. */
import process from 'node:process'
import { serve } from 'mcp-edge/node'
import { server } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { report, runCases } from './report.ts'
import { serveAll } from './sockets.ts'

process.on('unhandledRejection', (reason) => {
  report([{ mode: 'process', name: 'no unhandled rejection', ms: 0, error: String(reason) }])
})

const served = await serveAll(async (options) => serve(server, { port: 0, ...options }))
report(await runCases('http', served.env))
report(await runCases('in process', inProcess()))
await served.close()
