/** The suite under Node, over `@hono/node-server`. */
import { createServer } from 'node:http'
import process from 'node:process'
import { toNodeHandler } from 'mcp-edge/node'
import { handler } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { report, runCases } from './report.ts'
import { overSockets } from './sockets.ts'

process.on('unhandledRejection', (reason) => {
  report([{ mode: 'process', name: 'no unhandled rejection', ms: 0, error: String(reason) }])
})

const server = createServer(toNodeHandler(handler))
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
report(await runCases('http', overSockets(`http://127.0.0.1:${port}/mcp`, inProcess.stats)))
report(await runCases('in process', inProcess))
await handler.close()
server.close()
server.closeAllConnections()
