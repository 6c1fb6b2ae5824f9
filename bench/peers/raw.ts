/**
 * The floor: a handler written by hand that parses, looks up and stringifies, with no check at all.
 *
 * @module
 */
import * as z from 'zod'
import { CONFIRMATION, toolsOf } from '../harness/tools.ts'
import type { ToolSpec } from '../harness/tools.ts'
import type { Endpoint, Peer, Setup } from '../harness/types.ts'
import { WATCHED } from '../harness/wire.ts'
import { openSeal } from './raw-seal.ts'
import { openStreams } from './raw-streams.ts'
import type { Streams } from './raw-streams.ts'

const SERVER = { name: 'bench', version: '1.0.0' }
const MODERN_META = { 'io.modelcontextprotocol/serverInfo': SERVER }
const JSON_INIT = { status: 200, headers: { 'content-type': 'application/json' } }
const SSE_INIT = { status: 200, headers: { 'content-type': 'text/event-stream' } }

/** The floor without validation. */
export const raw: Peer = { name: 'raw', open: (setup) => openRaw(setup, false) }

/** The floor that validates arguments with the tool's zod schema. */
export const rawZod: Peer = { name: 'raw-zod', open: (setup) => openRaw(setup, true) }

interface Incoming {
  readonly id: number
  readonly method: string
  readonly params: {
    readonly name: string
    readonly arguments: Record<string, unknown>
    readonly requestState?: string
    readonly inputResponses?: { readonly confirm: { readonly content: unknown } }
  }
}

interface State {
  readonly setup: Setup
  readonly validate: boolean
  readonly tools: ReadonlyMap<string, ToolSpec>
  readonly listed: readonly unknown[]
  readonly sessions: Map<string, { readonly at: number; readonly client: unknown }>
  readonly streams: Streams
  readonly seal: ReturnType<typeof openSeal>
}

function openRaw(setup: Setup, validate: boolean): Endpoint {
  const tools = toolsOf(setup)
  const state: State = {
    setup,
    validate,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    listed: tools.map(listedTool),
    sessions: new Map(),
    streams: openStreams(),
    seal: openSeal(),
  }
  return {
    fetch: (request) => handle(state, request),
    accept: setup.form === 'sse' ? 'text/event-stream' : 'application/json',
    publish: () => publish(state),
  }
}

function listedTool({ name, description, input }: ToolSpec): unknown {
  const inputSchema = input === undefined ? { type: 'object' } : z.toJSONSchema(input)
  return { name, description, inputSchema }
}

async function handle(state: State, request: Request): Promise<Response> {
  const session = state.setup.mode === 'stateful' ? request.headers.get('mcp-session-id') : null
  if (request.method === 'GET') return state.streams.openGet()
  const message: Incoming = JSON.parse(await request.text())
  if (message.method === 'initialize') return initialize(state, message)
  if (message.id === undefined) return new Response(null, { status: 202 })
  if (session !== null && !state.sessions.has(session)) return new Response(null, { status: 404 })
  if (message.method === 'subscriptions/listen') return state.streams.openListen(message.id)
  if (message.method === 'tools/list') return answer(state, message.id, { tools: state.listed })
  const tool = state.tools.get(message.params.name)
  if (tool === undefined) return new Response(null, { status: 404 })
  if (state.setup.tool === 'ask') return ask(state, message, tool)
  return call(state, message, tool)
}

function call(state: State, message: Incoming, tool: ToolSpec): Response {
  let input = message.params.arguments
  if (state.validate && tool.input !== undefined) {
    const outcome = tool.input.safeParse(input)
    if (!outcome.success) return new Response(null, { status: 400 })
    input = outcome.data
  }
  return answer(state, message.id, { content: [{ type: 'text', text: tool.answer(input) }] })
}

async function ask(state: State, message: Incoming, tool: ToolSpec): Promise<Response> {
  const { requestState, inputResponses } = message.params
  if (requestState === undefined || inputResponses === undefined) {
    const requestedSchema = z.toJSONSchema(CONFIRMATION)
    return answer(state, message.id, {
      resultType: 'input_required',
      inputRequests: {
        confirm: { method: 'elicitation/create', params: { message: 'Deploy?', requestedSchema } },
      },
      requestState: await state.seal.seal({ tool: tool.name, until: Date.now() + 600_000 }),
    })
  }
  await state.seal.open(requestState)
  CONFIRMATION.parse(inputResponses.confirm.content)
  return answer(state, message.id, { content: [{ type: 'text', text: tool.answer({}) }] })
}

function initialize(state: State, message: Incoming): Response {
  const id = crypto.randomUUID()
  state.sessions.set(id, { at: Date.now(), client: message.params })
  const result = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: SERVER,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
  return new Response(body, {
    status: 200,
    headers: { 'content-type': 'application/json', 'mcp-session-id': id },
  })
}

function answer(state: State, id: number, result: Record<string, unknown>): Response {
  const modern = state.setup.mode === 'modern'
  const whole = modern ? { resultType: 'complete', ...result, _meta: MODERN_META } : result
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: whole })
  if (state.setup.form === 'json') return new Response(body, JSON_INIT)
  return new Response(`event: message\ndata: ${body}\n\n`, SSE_INIT)
}

function publish(state: State): void {
  if (state.setup.mode === 'modern') state.streams.publishUpdate(WATCHED)
  else state.streams.publishToolsChanged()
}
