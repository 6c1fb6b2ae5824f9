/**
 * Calling the handlers themselves, on any runtime.
 *
 * @module
 */
import { modern } from '../support/requests.ts'
import { site } from './fixture.ts'
import type { Env } from './case.ts'

/**
 * The cases' way to the endpoints without a socket.
 *
 * @param shared false where what one request keeps is lost on another, as in an isolate
 */
export function inProcess(shared = true): Env {
  const { answer, stats } = site()
  return {
    at: (place) => `http://localhost/${place}`,
    send: (request) => answer(request),
    statusForHost: async (host) => {
      const refused = await answer(modern('tools/list', {}, { url: `http://${host}/mcp` }))
      await refused.text()
      return refused.status
    },
    stats: async () => stats(),
    noticesSilence: true,
    shared,
    sockets: false,
  }
}
