/**
 * Calling the handler itself, on any runtime.
 *
 * @module
 */
import { modern } from '../support/requests.ts'
import { handler } from './fixture.ts'
import type { Env } from './suite.ts'

/** The cases' way to the handler without a socket. */
export const inProcess: Env = {
  url: 'http://localhost/mcp',
  send: (request) => handler(request),
  statusForHost: async (host) => {
    const answer = await handler(modern('tools/list', {}, { url: `http://${host}/mcp` }))
    await answer.text()
    return answer.status
  },
  stats: async () => ({ ...handler.stats() }),
  noticesSilence: true,
}
