/**
 * One request to a handler, and everything that came back.
 *
 * @module
 */
import { read, type Answer, type WireObject } from './answer.ts'
import { isRecord } from './events.ts'
import { assertServerMessage } from './wire.ts'

/** What a test calls: `createHandler(server)`. */
export type Handler = (request: Request) => Promise<Response>

/** How the answer is checked. */
export interface CallOptions {
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
