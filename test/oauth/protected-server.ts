/**
 * Our protected server on a port, as an application writes it.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { McpServer, createHandler } from 'mcp-edge'
import { bearerAuth, protectedResourceMetadata } from 'mcp-edge/auth'
import { toNodeHandler } from 'mcp-edge/node'

export interface ProtectedServer {
  readonly url: string
  /** Makes every token unwelcome, as if it had been revoked, until it is called with false. */
  protect(issuer: string): void
  close(): Promise<void>
}

/** Starts the server; it is closed to everyone until it is told whom to trust. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  let answer = (_request: Request): Promise<Response> => Promise.resolve(new Response('not yet'))
  const listener = createServer(toNodeHandler((request) => answer(request)))
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const resource = `http://127.0.0.1:${String(port)}/mcp`

  function protect(issuer: string): void {
    const protection = { issuer, resource, scopes: ['mcp'], clockToleranceS: 0 }
    const server = new McpServer({ name: 'vault', version: '1.0.0' })
    server.tool(
      'whoami',
      {},
      (_, ctx) => `${ctx.auth?.subject ?? ''} ${ctx.auth?.scopes.join(' ') ?? ''}`,
    )
    server.tool('wipe', { scopes: ['mcp', 'admin'] }, () => 'wiped')
    const handler = createHandler(server, { authenticate: bearerAuth(protection) })
    const metadata = protectedResourceMetadata(protection)
    answer = async (request) => metadata(request) ?? handler(request)
  }

  return {
    url: resource,
    protect,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
