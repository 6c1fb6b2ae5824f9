/** The suite inside workerd: the fixture at `/mcp`, its counters, and the cases run in the Worker itself. */
import { handler, stores } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { runCases } from './report.ts'

/** The little of a Worker's execution context that is used. */
interface ExecutionContext {
  readonly waitUntil: (work: Promise<unknown>) => void
}

export default {
  async fetch(request: Request, env: unknown, execution: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/stats') return Response.json(handler.stats())
    if (pathname === '/stores') return Response.json(Object.keys(stores))
    if (pathname === '/suite') return Response.json(await runCases('in process', inProcess))
    return handler(request, env, execution)
  },
}
