/** The suite under Bun, over `Bun.serve`. */
import process from 'node:process'
import { handler } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { report, runCases } from './report.ts'
import { overSockets } from './sockets.ts'

/** The little of Bun this file needs. */
declare const Bun: {
  readonly serve: (options: {
    readonly port: number
    readonly hostname: string
    readonly fetch: (request: Request) => Promise<Response>
  }) => { readonly port: number; readonly stop: (now: boolean) => Promise<void> }
}

process.on('unhandledRejection', (reason) => {
  report([{ mode: 'process', name: 'no unhandled rejection', ms: 0, error: String(reason) }])
})

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => handler(request) })
const url = `http://127.0.0.1:${server.port}/mcp`
report(await runCases('http', overSockets(url, inProcess.stats)))
report(await runCases('in process', inProcess))
await handler.close()
await server.stop(true)
