/**
 * `mcp-edge/deno`: a server on a port of Deno.
 *
 * @module
 */
import { toListening } from 'mcp-edge/http'
import type { RunningServer, ServeParameters, SignalSource } from 'mcp-edge/http'
import type { McpServer, ServerTypes } from 'mcp-edge/server'
import type { DenoGlobal } from './types.ts'

export type { ListenOptions, RunningServer, ServeOptions, ServeParameters } from 'mcp-edge/http'

declare const Deno: DenoGlobal

/** Deno knows SIGTERM everywhere but on Windows, and refuses it there. */
const signals: SignalSource = {
  on: (signal, listener) => hasSignal(signal) && Deno.addSignalListener(signal, listener),
  off: (signal, listener) => hasSignal(signal) && Deno.removeSignalListener(signal, listener),
}

/**
 * Serves on a port of Deno.
 *
 * @param server the server
 * @param options where, and every option of `createHandler`
 * @throws {TypeError} if an option cannot be used; the message names it
 * @see https://docs.deno.com/api/deno/~/Deno.serve
 */
export function serve<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options]: ServeParameters<T>
): RunningServer {
  const { port, hostname, handler, answer, urlOn, closing } = toListening(server, options)
  const running = Deno.serve({ port, hostname, onListen: () => undefined }, answer)
  return {
    url: urlOn(running.addr.port),
    port: running.addr.port,
    handler,
    close: closing({ finish: () => running.shutdown() }, signals),
  }
}

function hasSignal(signal: string): boolean {
  return signal === 'SIGINT' || Deno.build.os !== 'windows'
}
