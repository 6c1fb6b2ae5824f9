/** The suite under Deno, over `Deno.serve`. */
import { handler } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { report, runCases } from './report.ts'
import { overSockets } from './sockets.ts'

interface DenoServer {
  readonly addr: { readonly port: number }
  readonly shutdown: () => Promise<void>
}

/** The little of Deno this file needs. */
declare const Deno: {
  readonly serve: (
    options: { readonly port: number; readonly hostname: string; readonly onListen: () => void },
    handler: (request: Request) => Promise<Response>,
  ) => DenoServer
}

addEventListener('unhandledrejection', (event) => {
  report([{ mode: 'process', name: 'no unhandled rejection', ms: 0, error: String(event.reason) }])
})

const options = { port: 0, hostname: '127.0.0.1', onListen: () => undefined }
const server = Deno.serve(options, (request) => handler(request))
const url = `http://127.0.0.1:${server.addr.port}/mcp`
report(await runCases('http', overSockets(url, inProcess.stats)))
report(await runCases('in process', inProcess))
await handler.close()
await server.shutdown()
