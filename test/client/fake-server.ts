/**
 * Servers that say exactly what a test wants, and remember what they were told.
 *
 * @module
 */
import { isRecord } from '../../src/protocol/jsonrpc.ts'

/** One message, looked at by a test. */
export type Message = Readonly<Record<string, unknown>> & {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** One HTTP request as it arrived. */
export interface Seen {
  readonly verb: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly message: Message | undefined
  readonly signal: AbortSignal
}

/** A result to wrap into a response, or a whole HTTP response. */
export type Reply = Response | Readonly<Record<string, unknown>>

/** Answers one message; undefined leaves it to the defaults. */
export type Answer = (
  message: Message,
  seen: Seen,
) => Reply | undefined | Promise<Reply | undefined>

/** A server in this process. */
export interface FakeServer {
  readonly fetch: (request: Request) => Promise<Response>
  readonly seen: Seen[]
  /** What was asked under one method. */
  readonly asked: (method: string) => readonly Seen[]
}

export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    ...init,
    headers: withType(new Headers(init.headers)),
  })

function withType(headers: Headers): Headers {
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return headers
}

export const resultOf = (message: Message, result: unknown): Response =>
  json({ jsonrpc: '2.0', id: message.id, result })

export const errorOf = (
  message: Message,
  code: number,
  init: ResponseInit & { data?: unknown } = {},
): Response =>
  json({ jsonrpc: '2.0', id: message.id, error: { code, message: 'no', data: init.data } }, init)

/** A stream of the given chunks, which then ends, breaks, or stays open. */
export function sse(
  chunks: readonly (string | Uint8Array)[],
  then: 'end' | 'open' | 'break' = 'end',
  onCancel: () => void = () => undefined,
): Response {
  const encoder = new TextEncoder()
  let index = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks[index]
      index += 1
      if (chunk !== undefined)
        return controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      if (then === 'end') return controller.close()
      if (then === 'break') return controller.error(new Error('reset'))
      return new Promise(() => undefined)
    },
    cancel: onCancel,
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

export const event = (data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** Polls until something holds; fails after ten seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it never happened')
}

function serve(answer: Answer, fallback: Answer): FakeServer {
  const seen: Seen[] = []
  const handle = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const message = isRecord(body) ? (body as Message) : undefined
    const { method: verb, url, signal } = request
    const one = { verb, url, headers: Object.fromEntries(request.headers), message, signal }
    seen.push(one)
    const reply = (await answer(message ?? {}, one)) ?? (await fallback(message ?? {}, one))
    if (reply === undefined) return new Response('not found', { status: 404 })
    return reply instanceof Response ? reply : resultOf(message ?? {}, reply)
  }
  return {
    fetch: handle,
    seen,
    asked: (method) => seen.filter(({ message }) => message?.method === method),
  }
}

/** A modern server; what `answer` leaves open is not found. */
export function modernServer(
  answer: Answer = () => undefined,
  capabilities: Readonly<Record<string, unknown>> = { tools: { listChanged: true } },
): FakeServer {
  return serve(answer, (message, { verb }) => {
    if (verb !== 'POST') return new Response(null, { status: 405 })
    if (message.method === 'server/discover')
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } },
      }
    if (message.id === undefined) return new Response(null, { status: 202 })
    if (message.method === 'tools/list') return { resultType: 'complete', tools: [] }
    return errorOf(message, -32601, { status: 404 })
  })
}

/** A legacy server, with a session where one is named. */
export function legacyServer(
  answer: Answer = () => undefined,
  options: {
    readonly sessions?: readonly string[]
    readonly capabilities?: Readonly<Record<string, unknown>>
    readonly protocolVersion?: string
  } = {},
): FakeServer {
  const sessions = [...(options.sessions ?? [])]
  return serve(answer, (message, { verb }) => {
    if (verb === 'GET') return new Response(null, { status: 405 })
    if (verb === 'DELETE') return new Response(null, { status: 204 })
    if (message.method === 'initialize') {
      const session = sessions.shift()
      return json(
        {
          jsonrpc: '2.0',
          id: message.id,
          result: {
            protocolVersion: options.protocolVersion ?? message.params?.['protocolVersion'],
            capabilities: options.capabilities ?? { tools: {} },
            serverInfo: { name: 'old', version: '1' },
          },
        },
        session === undefined ? {} : { headers: { 'mcp-session-id': session } },
      )
    }
    if (message.id === undefined || message.method === undefined)
      return new Response(null, { status: 202 })
    if (message.method === 'tools/list') return { tools: [] }
    if (message.method === 'server/discover') return json('Bad Request', { status: 400 })
    return errorOf(message, -32601)
  })
}
