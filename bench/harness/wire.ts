/**
 * Requests as real clients send them, for both eras.
 *
 * @module
 */
import type { Endpoint, Setup } from './types.ts'

const URL = 'http://localhost:8787/mcp'
const MODERN = '2026-07-28'

/** The legacy revision every peer speaks. */
const LEGACY = '2025-06-18'

/** The resource whose changes the fan-out rows publish. */
export const WATCHED = 'bench://watched'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}

/** One message to send. */
export interface Message {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly id?: number | undefined
}

/** Headers and a way to write bodies for one kind of exchange. */
export interface Wire {
  readonly headers: Readonly<Record<string, string>>
  body(message: Message): string
}

/** How `method` is sent under a setup to an endpoint, in a session when there is one. */
export function wireFor(setup: Setup, endpoint: Endpoint, about: WireOptions): Wire {
  const headers: Record<string, string> = {
    host: 'localhost:8787',
    'content-type': 'application/json',
    accept: endpoint.accept,
  }
  const modern = setup.mode === 'modern'
  headers['mcp-protocol-version'] = modern ? MODERN : LEGACY
  if (modern) {
    headers['mcp-method'] = about.method
    if (about.name !== undefined) headers['mcp-name'] = about.name
  }
  if (about.session !== undefined) headers['mcp-session-id'] = about.session
  return { headers, body: (message) => writeBody(message, modern) }
}

/** What a wire is for. */
export interface WireOptions {
  readonly method: string
  readonly name?: string | undefined
  readonly session?: string | undefined
}

/** A request with this wire's headers, and the length that every client declares over HTTP. */
export function post(wire: Wire, body: string): Request {
  const headers = { ...wire.headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Request(URL, { method: 'POST', headers, body })
}

/** A GET for a session's own stream. */
export function openGet(session: string): Request {
  return new Request(URL, {
    headers: {
      host: 'localhost:8787',
      accept: 'text/event-stream',
      'mcp-protocol-version': LEGACY,
      'mcp-session-id': session,
    },
  })
}

/** The body of `initialize`. */
export function initializeMessage(id: number): Message {
  return {
    id,
    method: 'initialize',
    params: {
      protocolVersion: LEGACY,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'bench', version: '1.0.0' },
    },
  }
}

/** Creates a session as a client does and answers its id. */
export async function createSession(setup: Setup, endpoint: Endpoint): Promise<string> {
  const wire = wireFor(setup, endpoint, { method: 'initialize' })
  const response = await endpoint.fetch(post(wire, wire.body(initializeMessage(1))))
  const session = response.headers.get('mcp-session-id')
  const answer = await response.text()
  if (session === null) throw new Error(`no session: ${response.status} ${answer.slice(0, 300)}`)
  const ready = wireFor(setup, endpoint, { method: 'notifications/initialized', session })
  const accepted = await endpoint.fetch(
    post(ready, ready.body({ method: 'notifications/initialized' })),
  )
  await accepted.arrayBuffer()
  if (accepted.status !== 202) throw new Error(`initialized was answered ${accepted.status}`)
  return session
}

function writeBody(message: Message, modern: boolean): string {
  const { id, method } = message
  const params = modern ? { ...message.params, _meta: ENVELOPE } : message.params
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
