/**
 * Everything that came back from one request, read on any runtime.
 *
 * @module
 */
import { isRecord, messages, parseMessage } from './events.ts'

/** A message, or a part of one. */
export type WireObject = Readonly<Record<string, unknown>>

/** Everything that came back. */
export interface Answer {
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

/**
 * The items of a list in a result.
 *
 * @param answer What came back.
 * @param member The member of the result that holds the list.
 * @throws TypeError when there is no such list.
 */
export function listOf({ result }: Answer, member: string): readonly WireObject[] {
  const items = result?.[member]
  if (Array.isArray(items)) return items.filter(isRecord)
  throw new TypeError(`the result has no list '${member}'`)
}
