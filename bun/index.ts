/**
 * `mcp-edge/bun`: a server on a port of Bun.
 *
 * @module
 */
import { toListening } from 'mcp-edge/http'
import type { RunningServer, ServeParameters } from 'mcp-edge/http'
import type { McpServer, ServerTypes } from 'mcp-edge/server'
import type { BunGlobal, BunProcess } from './types.ts'

export type { ListenOptions, RunningServer, ServeOptions, ServeParameters } from 'mcp-edge/http'

declare const Bun: BunGlobal
declare const process: BunProcess

/**
 * Serves on a port of Bun. Bun cuts requests that are silent for ten seconds; this adapter lifts that
 * for its own, because keepalives and timeouts are the handler's business.
 *
 * @param server the server
 * @param options where, and every option of `createHandler`
 * @throws {TypeError} if an option cannot be used; the message names it
 * @see https://bun.com/docs/runtime/http/server
 */
export function serve<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options]: ServeParameters<T>
): RunningServer {
  const { port, hostname, handler, answer, urlOn, closing } = toListening(server, options)
  const running = Bun.serve({
    port,
    hostname,
    fetch: (request, bun) => {
      bun.timeout(request, 0)
      return answer(request)
    },
  })
  return {
    url: urlOn(running.port),
    port: running.port,
    handler,
    close: closing({ finish: () => running.stop(), cut: () => running.stop(true) }, process),
  }
}
