/**
 * One request to a handler, and everything that came back.
 *
 * @module
 */
import { isRecord, messages, parseMessage } from './events.ts'
import { assertServerMessage, type WireObject } from './wire.ts'

/** What a test calls: `createHandler(server)`. */
export type Handler = (request: Request) => Promise<Response>

/** Everything that came back. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  /** `json`, `sse`, or `none` for an empty or other body. */
  readonly form: 'json' | 'sse' | 'none'
  /** The raw body; empty for an event stream. */
  readonly text: string
  /** Every JSON-RPC message, in order; the elements of a batch one by one. */
  readonly messages: readonly WireObject[]
  /** The messages with a method and no id. */
  readonly notifications: readonly WireObject[]
  /** The last message that is a result or an error. */
  readonly response: WireObject | undefined
  readonly result: WireObject | undefined
  readonly error: WireObject | undefined
}

/** How the answer is checked. */
export type CallOptions = {
  /** Set false where the server itself is made to say something wrong. Default true. */
  readonly wire?: boolean | undefined
  /** The revision to check against when the request names none (a legacy session). */
  readonly revision?: string | undefined
}

/**
 * Sends a request, reads the whole answer, and holds every message to the official schema of its revision.
 *
 * @param handler The handler.
 * @param request The request, for example from `modern` or `legacy`.
 * @param options How the answer is checked.
 */
export async function call(
  handler: Handler,
  request: Request,
  options: CallOptions = {},
): Promise<Answer> {
  const sent = await request
    .clone()
    .text()
    .catch(() => '')
  const answer = await read(await handler(request))
  if (options.wire !== false) check(answer, sent, options.revision ?? revisionOf(request))
  return answer
}

/**
 * Reads a response to its end.
 *
 * @param response A response of the handler.
 */
export async function read(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  const stream = type.startsWith('text/event-stream')
  const text = stream ? '' : await response.text()
  const all = stream ? await Array.fromAsync(messages(response)) : parseBody(text, type)
  const last = all.findLast((message) => 'result' in message || 'error' in message)
  const result = last?.['result']
  const error = last?.['error']
  return {
    status: response.status,
    headers: response.headers,
    form: stream ? 'sse' : formOf(text, type),
    text,
    messages: all,
    notifications: all.filter((message) => 'method' in message && !('id' in message)),
    response: last,
    result: isRecord(result) ? result : undefined,
    error: isRecord(error) ? error : undefined,
  }
}

function formOf(text: string, type: string): 'json' | 'none' {
  return text !== '' && type.startsWith('application/json') ? 'json' : 'none'
}

function parseBody(text: string, type: string): readonly WireObject[] {
  if (formOf(text, type) === 'none') return []
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return value.filter(isRecord)
  return [parseMessage(text)]
}

function revisionOf(request: Request): string {
  return request.headers.get('mcp-protocol-version') ?? '2025-03-26'
}

function check(answer: Answer, sent: string, headerRevision: string): void {
  const asked = parseAsked(sent)
  for (const message of answer.messages) {
    if (!('jsonrpc' in message)) continue
    const request = asked.find(({ id }) => id === message['id']) ?? asked[0]
    const { method, revision } = describe(request, headerRevision)
    assertServerMessage(answeredRevision(message) ?? revision, method, message)
  }
}

function parseAsked(sent: string): readonly WireObject[] {
  try {
    const value: unknown = JSON.parse(sent)
    return (Array.isArray(value) ? value : [value]).filter(isRecord)
  } catch {
    return []
  }
}

function describe(
  request: WireObject | undefined,
  headerRevision: string,
): { readonly method: string; readonly revision: string } {
  const method = typeof request?.['method'] === 'string' ? request['method'] : ''
  const params = isRecord(request?.['params']) ? request['params'] : {}
  const meta = isRecord(params['_meta']) ? params['_meta'] : {}
  const claim = meta['io.modelcontextprotocol/protocolVersion']
  return { method, revision: typeof claim === 'string' ? claim : headerRevision }
}

/** The revision an `initialize` result settles on is the one it is written in. */
function answeredRevision(message: WireObject): string | undefined {
  const result = message['result']
  const settled = isRecord(result) ? result['protocolVersion'] : undefined
  return typeof settled === 'string' ? settled : undefined
}
