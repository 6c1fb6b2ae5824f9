/**
 * Server-sent events of a response, read the way a client reads them.
 *
 * @module
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** One event, or a comment line. */
export type StreamEvent =
  | {
      readonly kind: 'event'
      readonly event: string | undefined
      readonly id: string | undefined
      readonly data: string
    }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'retry'; readonly ms: number }

/**
 * Yields what arrives on an event stream, comments and `retry` included, until it ends.
 *
 * Leaving the loop cancels the body, which the server sees as a client that went away.
 *
 * @param response A response whose body is `text/event-stream`.
 */
export async function* streamOf(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
  if (response.body === null) return
  const waiting: StreamEvent[] = []
  const parser = createParser({
    onEvent: (event: EventSourceMessage) =>
      waiting.push({ kind: 'event', event: event.event, id: event.id, data: event.data }),
    onComment: (text: string) => waiting.push({ kind: 'comment', text }),
    onRetry: (ms: number) => waiting.push({ kind: 'retry', ms }),
  })
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* waiting.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Yields the events of a response without comments and `retry`.
 *
 * @param response A response whose body is `text/event-stream`.
 */
async function* events(
  response: Response,
): AsyncGenerator<Extract<StreamEvent, { kind: 'event' }>, void, undefined> {
  for await (const item of streamOf(response)) if (item.kind === 'event') yield item
}

/**
 * Yields the JSON-RPC messages of an event stream; events without data are left out.
 *
 * @param response A response whose body is `text/event-stream`.
 */
export async function* messages(
  response: Response,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  for await (const { data } of events(response)) if (data !== '') yield parseMessage(data)
}

/**
 * Parses one JSON-RPC message.
 *
 * @param text Its JSON.
 * @throws TypeError when it is not a JSON object.
 */
export function parseMessage(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (isRecord(value)) return value
  throw new TypeError(`not a JSON-RPC message: ${text.slice(0, 200)}`)
}

/**
 * Tells whether a value is a JSON object.
 *
 * @param value Anything.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
