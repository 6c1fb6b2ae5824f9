/** The suite inside workerd: the fixture at `/mcp`, its counters, and the cases run in the Worker itself. */
import { handler } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { runCases } from './report.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/stats') return Response.json(handler.stats())
    if (pathname === '/suite') return Response.json(await runCases('in process', inProcess))
    return handler(request)
  },
}
