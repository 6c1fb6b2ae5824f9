/**
 * A server of its own on a port.
 *
 * @module
 */
import { createServer, type Server } from 'node:http'
import process from 'node:process'
import { getRequestListener } from '@hono/node-server'
import { nameOf, toListening } from '../http/listening.ts'
import type { RunningServer, ServeParameters } from '../http/listening.ts'
import type { McpServer, ServerTypes } from '../server/index.ts'

/** How often connections that have become idle are closed while closing, in milliseconds. */
const CLOSE_SWEEP_MS = 20

/**
 * Serves on a port, through `@hono/node-server`.
 *
 * Its light `Request` and `Response` replace the globals of the process, which takes a third off the cost of a call;
 * they are instances of the originals. Use {@link toNodeHandler} where the process is not yours.
 *
 * @param server What to serve.
 * @param options Where, and how.
 * @returns The running server, once it listens.
 * @throws Error of the system when the port cannot be bound; the message names it.
 */
export async function serve<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options]: ServeParameters<T>
): Promise<RunningServer> {
  const { port, hostname, handler, answer, urlOn, closing } = toListening(server, options)
  const listener = getRequestListener(answer, { hostname: 'localhost' })
  const http = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  const bound = await listen(http, port, hostname)
  return {
    url: urlOn(bound),
    port: bound,
    handler,
    close: closing(
      { finish: () => closeServer(http), cut: () => http.closeAllConnections() },
      process,
    ),
  }
}

function listen(http: Server, port: number, hostname: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => reject(cannotListen(port, hostname, cause)))
    http.listen(port, hostname, () => {
      const address = http.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Keeps the system's error, with its code, and lets the message say what to do. */
function cannotListen(port: number, hostname: string, cause: Error): Error {
  const taken = 'code' in cause && cause.code === 'EADDRINUSE'
  const reason = taken
    ? 'the port is in use; choose another `port`, or 0 for a free one'
    : cause.message
  return Object.assign(cause, {
    message: `cannot listen on ${nameOf(hostname)}:${port}: ${reason}`,
  })
}

/** Answers under way are written out; a connection that is idle, or becomes so, is closed at once. */
function closeServer(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => http.closeIdleConnections(), CLOSE_SWEEP_MS)
    http.close(() => {
      clearInterval(sweep)
      resolve()
    })
    http.closeIdleConnections()
  })
}
