/**
 * The Worker: the server at `/mcp`, and a webhook at `/notify` through which others say what changed.
 *
 * @module
 */
import { workers } from 'mcp-edge/workers'
import type { ExecutionContext } from 'mcp-edge/workers'
import { server } from './server.ts'
import type { Env } from './server.ts'

export { McpHub, McpSession } from 'mcp-edge/workers'
export { Counter } from './counter.ts'

const mcp = workers(server)

export default {
  async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/mcp') return mcp.fetch(request, env, execution)
    if (pathname === '/notify' && request.method === 'POST') return notify(request, env)
    return new Response('Not found', { status: 404 })
  },
}

/** `{"uri": "counter://visits"}` with the token as bearer: everyone who watches that resource is told. */
async function notify(request: Request, env: Env): Promise<Response> {
  if (!(await isAuthorized(request, env))) return new Response('Unauthorized', { status: 401 })
  const body: unknown = await request.json().catch(() => undefined)
  const uri: unknown = typeof body === 'object' && body !== null && 'uri' in body ? body.uri : ''
  if (typeof uri !== 'string' || uri === '') return new Response('uri is missing', { status: 400 })
  await mcp.notify(env).resourceUpdated(uri)
  return new Response(null, { status: 204 })
}

/** Digests are compared, so that the time it takes says nothing about the token. */
async function isAuthorized(request: Request, { NOTIFY_TOKEN: token }: Env): Promise<boolean> {
  const given = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined || token === '' || given === undefined) return false
  return (await digestOf(given)) === (await digestOf(token))
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest)).join()
}
