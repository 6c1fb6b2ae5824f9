/**
 * Reaching a server over a socket, from a runtime that has `node:http`.
 *
 * @module
 */
import { request } from 'node:http'
import type { RunningServer } from 'mcp-edge/http'
import { modern } from '../support/requests.ts'
import { PLACES, setups, sum, type Place } from './fixture.ts'
import type { Env } from './case.ts'

/**
 * Posts `tools/list` with a `Host` header of the caller's choice.
 *
 * @param url Where the server is.
 * @param host The header.
 */
export async function statusForHost(url: string, host: string): Promise<number> {
  const source = modern('tools/list', {}, { url })
  const body = await source.text()
  const headers = { ...Object.fromEntries(source.headers), host }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Makes an environment whose cases go over a socket.
 *
 * @param at Where the endpoints are.
 * @param stats Reads `handler.stats()`, of all of them.
 */
export function overSockets(at: Env['at'], stats: Env['stats']): Env {
  return {
    at,
    send: (outgoing) => fetch(outgoing),
    statusForHost: (host) => statusForHost(at('mcp'), host),
    stats,
    noticesSilence: true,
    shared: true,
    sockets: true,
  }
}

/** How a runtime serves one endpoint: the `serve` of its adapter. */
type Serve = (options: ReturnType<typeof setups>[Place]) => Promise<RunningServer>

/** Every endpoint on a port of its own. */
export interface Served {
  readonly env: Env
  readonly close: () => Promise<void>
}

/**
 * Serves every endpoint through a runtime's adapter.
 *
 * @param serve the adapter
 */
export async function serveAll(serve: Serve): Promise<Served> {
  const options = setups()
  const running = new Map<Place, RunningServer>()
  for (const place of PLACES) running.set(place, await serve(options[place]))
  const all = [...running.values()]
  const at = (place: Place): string => running.get(place)?.url ?? ''
  return {
    env: overSockets(at, async () => sum(all.map(({ handler }) => handler.stats()))),
    close: async () => {
      for (const server of all) await server.close()
    },
  }
}
