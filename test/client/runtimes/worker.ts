/**
 * The suite in a Worker: answers each request with the outcomes. `?url=` names a server.
 *
 * @module
 */
import { runSuite } from './suite.ts'

export default {
  fetch: async (request: Request): Promise<Response> =>
    Response.json(await runSuite(new URL(request.url).searchParams.get('url') ?? undefined)),
}
