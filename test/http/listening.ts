/**
 * Listen streams as a client holds them: opened, read message by message, and let go.
 *
 * @module
 */
import type { Handler } from '../../src/http/handler.ts'
import type { WireObject } from '../support/answer.ts'
import { assertServerMessage, messages, MODERN, modern, settle } from '../support/index.ts'
import type { RequestOverrides } from '../support/index.ts'

/** A listen stream that is being read. */
export interface Listening {
  readonly response: Response
  /** What has arrived so far, each message checked against the official schema. */
  readonly heard: readonly WireObject[]
  /** What arrived after the acknowledgement, in short: a list that changed, a URI, or `result`. */
  readonly news: () => readonly string[]
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>
  /** Lets go, as a client does that is no longer interested. */
  readonly leave: () => Promise<void>
}

/** Every kind of list. */
export const LISTS = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
}

/**
 * A listen request.
 *
 * @param filter its filter
 * @param overrides what differs from a correct request
 */
export function listenRequest(filter: WireObject, overrides: RequestOverrides = {}): Request {
  return modern('subscriptions/listen', { notifications: filter }, overrides)
}

/**
 * Opens a listen stream and reads it.
 *
 * @param handler the handler
 * @param filter what to listen to
 * @param overrides what differs from a correct request
 */
export async function listen(
  handler: Handler,
  filter: WireObject,
  overrides: RequestOverrides = {},
): Promise<Listening> {
  const response = await handler(listenRequest(filter, overrides))
  if (response.status !== 200) throw new Error(`refused: ${await response.text()}`)
  const heard: WireObject[] = []
  const reader = response.body?.getReader()
  if (reader === undefined) throw new Error('a stream without a body')
  const ended = (async () => {
    for await (const message of messages(new Response(bodyOf(reader)))) {
      assertServerMessage(MODERN, 'subscriptions/listen', message)
      heard.push(message)
    }
  })()
  ended.catch(() => undefined)
  await settle()
  return {
    response,
    heard,
    ended,
    news: () => heard.slice(1).map(inShort),
    leave: async () => {
      await reader.cancel()
      await settle()
    },
  }
}

function bodyOf(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

function inShort({ method, params, result }: WireObject): string {
  if (result !== undefined) return 'result'
  const uri = typeof params === 'object' && params !== null && 'uri' in params ? params.uri : ''
  return uri === '' ? String(method).replace('notifications/', '') : String(uri)
}
