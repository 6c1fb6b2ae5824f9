/**
 * Reaching a server over a socket, from a runtime that has `node:http`.
 *
 * @module
 */
import { request } from 'node:http'
import type { Env } from './suite.ts'
import { modern } from '../support/requests.ts'

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
 * @param url Where the server is.
 * @param stats Reads `handler.stats()`.
 */
export function overSockets(url: string, stats: Env['stats']): Env {
  return {
    url,
    send: (outgoing) => fetch(outgoing),
    statusForHost: (host) => statusForHost(url, host),
    stats,
    noticesSilence: true,
  }
}
