/**
 * Our protected server on a port, as an application writes it.
 *
 * @module
 */
import { McpServer, createHandler } from 'mcp-edge'
import { bearerAuth, protectedResourceMetadata } from 'mcp-edge/auth'
import { toNodeHandler } from 'mcp-edge/node'
import { listen } from './listen.ts'

export interface ProtectedServer {
  readonly url: string
  /** Opens the server to whoever has a token of this issuer. */
  readonly protect: (issuer: string) => void
  readonly close: () => Promise<void>
}

/** Starts the server; it is closed to everyone until it is told whom to trust. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  let answer = (_request: Request): Promise<Response> => Promise.resolve(new Response('not yet'))
  const { origin, close } = await listen(toNodeHandler((request) => answer(request)))
  const resource = `${origin}/mcp`

  function protect(issuer: string): void {
    const protection = { issuer, resource, scopes: ['mcp'], clockToleranceS: 0 }
    const server = new McpServer({ name: 'vault', version: '1.0.0' })
    server.tool('whoami', {}, (_, ctx) => {
      const { subject = '', scopes = [] } = ctx.auth ?? {}
      return `${subject} ${scopes.join(' ')}`
    })
    server.tool('wipe', { scopes: ['mcp', 'admin'] }, () => 'wiped')
    const handler = createHandler(server, { authenticate: bearerAuth(protection) })
    const metadata = protectedResourceMetadata(protection)
    answer = async (request) => metadata(request) ?? handler(request)
  }

  return { url: resource, protect, close }
}
