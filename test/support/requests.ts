/**
 * Builders of correct MCP requests, one per era; a test overrides exactly what it wants to be wrong.
 *
 * @module
 */

/** The modern revision the builders speak. */
export const MODERN = '2026-07-28'

/** The legacy revision the builders speak unless told otherwise. */
const LEGACY = '2025-11-25'

/** What a test may change about a built request. */
export interface RequestOverrides {
  /** Where it goes. Default `http://localhost/mcp`. */
  readonly url?: string | undefined
  /** The JSON-RPC id; `null` makes a notification. Default 1. */
  readonly id?: string | number | null | undefined
  /** Extra headers; `null` removes one the builder would set. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /** Members for `params._meta`; `undefined` as a value removes one the builder would set. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** The revision to claim. */
  readonly revision?: string | undefined
  /** `clientCapabilities` (modern) or `capabilities` of `initialize` (legacy). Default `{}`. */
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined
  /** The legacy session id. */
  readonly session?: string | undefined
  /** Replaces the body: a string goes out as it is, anything else as JSON. */
  readonly body?: unknown
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
}

/** JSON-RPC parameters as a test writes them. */
export type Params = Readonly<Record<string, unknown>>

/** Where the builders send their requests unless told otherwise. */
export const ENDPOINT = 'http://localhost/mcp'

/**
 * Builds a request of the modern revision with its envelope and mirrored headers.
 *
 * `Mcp-Param-*` is not derived, because that needs the tool's schema: pass it in `headers`.
 *
 * @param method The JSON-RPC method.
 * @param params Its parameters, without `_meta`.
 * @param overrides What shall differ from a correct request.
 */
export function modern(
  method: string,
  params: Params = {},
  overrides: RequestOverrides = {},
): Request {
  const revision = overrides.revision ?? MODERN
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': overrides.capabilities ?? {},
    ...overrides.meta,
  }
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
  }
  const name = mirroredName(method, params)
  if (name !== undefined) headers['mcp-name'] = encodeMirrored(name)
  return build(headers, message(method, { ...params, _meta: meta }, overrides), overrides)
}

/**
 * Builds a request of a legacy revision.
 *
 * `initialize` gets its parameters and no version header; the revisions that know the header get it on everything else.
 *
 * @param method The JSON-RPC method.
 * @param params Its parameters; merged over the usual ones for `initialize`.
 * @param overrides What shall differ from a correct request.
 */
export function legacy(
  method: string,
  params: Params = {},
  overrides: RequestOverrides = {},
): Request {
  const revision = overrides.revision ?? LEGACY
  const handshake = {
    protocolVersion: revision,
    capabilities: overrides.capabilities ?? {},
    clientInfo: { name: 'test', version: '1.0.0' },
  }
  const own = method === 'initialize' ? { ...handshake, ...params } : params
  const full = overrides.meta === undefined ? own : { ...own, _meta: overrides.meta }
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  if (method !== 'initialize' && revision >= '2025-06-18')
    headers['mcp-protocol-version'] = revision
  if (overrides.session !== undefined) headers['mcp-session-id'] = overrides.session
  return build(headers, message(method, full, overrides), overrides)
}

function message(method: string, params: Params, overrides: RequestOverrides): unknown {
  if (overrides.id === null) return { jsonrpc: '2.0', method, params }
  return { jsonrpc: '2.0', id: overrides.id ?? 1, method, params }
}

function build(
  defaults: Readonly<Record<string, string>>,
  fallback: unknown,
  overrides: RequestOverrides,
): Request {
  const headers = new Headers(defaults)
  for (const [name, value] of Object.entries(overrides.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const content = 'body' in overrides ? overrides.body : fallback
  return new Request(overrides.url ?? ENDPOINT, {
    method: 'POST',
    headers,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    ...(overrides.signal === undefined ? {} : { signal: overrides.signal }),
  })
}

function mirroredName(method: string, params: Params): string | undefined {
  const source = method === 'resources/read' ? params['uri'] : params['name']
  const mirrored = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
  return mirrored && typeof source === 'string' ? source : undefined
}

/**
 * Encodes a value for a mirrored header, written apart from the library's own codec so that a test sees a mistake in it.
 *
 * @param value The value as it stands in the body.
 */
export function encodeMirrored(value: string): string {
  const plain = /^[\x20-\x7e]+$/.test(value) && value.trim() === value
  const sentinel = value.startsWith('=?base64?') && value.endsWith('?=')
  if (plain && !sentinel) return value
  const bytes = new TextEncoder().encode(value)
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`
}
