/**
 * `McpHub`: the Durable Object through which changes reach the streams of every isolate.
 *
 * It has no timers and keeps nothing in memory that it could not rebuild, so it sleeps while nothing
 * happens, and costs nothing then; its sockets stay open.
 *
 * @see https://developers.cloudflare.com/durable-objects/best-practices/websockets/
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import { HubRing } from './hub-ring.ts'
import type { NumberedEvent } from './hub-ring.ts'
import { MAX_HUB_EVENT_CHARS, MAX_SOCKET_TOPICS } from './limits.ts'
import { closeSocket, readMessage, sendOn, upgraded, wantsSocket } from './sockets.ts'
import type { ObjectState, PlatformSocket } from './types.ts'

/** One shard of the topics: numbers events, keeps the last thousand, and sends them to who wants them. */
export class McpHub {
  readonly #state: ObjectState
  readonly #ring: HubRing
  /** Sockets by the numbers of their topics. */
  readonly #index = new Map<number, Set<PlatformSocket>>()

  /** @param state what the platform gives the object */
  constructor(state: ObjectState) {
    this.#state = state
    this.#ring = new HubRing(state.storage)
    for (const socket of state.getWebSockets()) this.#enlist(socket, topicsOf(socket))
  }

  /** Takes events from a publisher, or a socket from a listener. */
  async fetch(request: Request): Promise<Response> {
    if (wantsSocket(request)) {
      return upgraded((socket) => this.#state.acceptWebSocket(socket))
    }
    const body: unknown = await request.json()
    const events = isRecord(body) ? body['events'] : undefined
    if (!Array.isArray(events) || !events.every(isEvent)) {
      return new Response('events must be an array of topics and data', { status: 400 })
    }
    if (events.some(({ data }) => JSON.stringify(data).length > MAX_HUB_EVENT_CHARS)) {
      return new Response(`an event exceeds ${MAX_HUB_EVENT_CHARS} characters`, { status: 413 })
    }
    for (const { topic, data } of events) this.#deliver(this.#ring.add(topic, data))
    return Response.json({ seq: this.#ring.newest })
  }

  /** A listener says what it wants to hear, and up to where it has heard. */
  webSocketMessage(socket: PlatformSocket, text: unknown): void {
    const hello = readMessage(text)
    const topics = hello?.['topics']
    if (!isTopics(topics)) {
      closeSocket(socket, 1008, 'the filter cannot be read')
      return
    }
    this.#strike(socket)
    socket.serializeAttachment(Float64Array.from(topics))
    const after = hello?.['after']
    const live = typeof after !== 'number'
    const missed = live ? [] : this.#ring.since(after)
    const ready = { ready: this.#ring.newest, live, gap: missed === undefined }
    sendOn(socket, JSON.stringify({ ...ready, hello: hello?.['hello'] }))
    const wanted = new Set(topics)
    for (const event of missed ?? []) {
      if (wanted.has(event.topic)) sendOn(socket, event.text)
    }
    this.#enlist(socket, topics)
  }

  /** A listener left. */
  webSocketClose(socket: PlatformSocket): void {
    this.#strike(socket)
    closeSocket(socket)
  }

  /** A listener's connection broke. */
  webSocketError(socket: PlatformSocket): void {
    this.webSocketClose(socket)
  }

  #deliver({ topic, text }: NumberedEvent): void {
    for (const socket of this.#index.get(topic) ?? []) {
      if (!sendOn(socket, text)) this.#strike(socket)
    }
  }

  #enlist(socket: PlatformSocket, topics: Iterable<number>): void {
    for (const topic of topics) {
      const sockets = this.#index.get(topic) ?? new Set()
      this.#index.set(topic, sockets.add(socket))
    }
  }

  #strike(socket: PlatformSocket): void {
    for (const topic of topicsOf(socket)) {
      const sockets = this.#index.get(topic)
      sockets?.delete(socket)
      if (sockets?.size === 0) this.#index.delete(topic)
    }
  }
}

function topicsOf(socket: PlatformSocket): Float64Array {
  const topics = socket.deserializeAttachment()
  return topics instanceof Float64Array ? topics : new Float64Array()
}

function isTopics(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_SOCKET_TOPICS &&
    value.every((topic) => Number.isSafeInteger(topic))
  )
}

function isEvent(value: unknown): value is { readonly topic: string; readonly data: unknown } {
  return isRecord(value) && typeof value['topic'] === 'string' && value['data'] !== undefined
}
