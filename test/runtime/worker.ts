/** The suite inside workerd: the endpoints, their counters, and the cases run in the Worker itself. */
import { site } from './fixture.ts'
import { inProcess } from './in-process.ts'
import { runCases } from './report.ts'

/** The little of a Worker's execution context that is used. */
interface ExecutionContext {
  readonly waitUntil: (work: Promise<unknown>) => void
}

const { answer, stats } = site()
const own = inProcess(false)

export default {
  async fetch(request: Request, env: unknown, execution: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/stats') return Response.json(stats())
    if (pathname === '/gc') {
      for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
      return Response.json(typeof globalThis.gc)
    }
    if (pathname === '/suite') return Response.json(await runCases('in process', own))
    return answer(request, env, execution)
  },
}
