/**
 * A `fetch` handler on a port of its own.
 *
 * @module
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Listening {
  readonly origin: string
  readonly close: () => Promise<void>
}

/**
 * Listens on a free loopback port.
 *
 * @param listener what answers
 */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
