/**
 * Clients of sessions, and handlers whose time a test moves by hand.
 *
 * @module
 */
import { createHandler } from '../../src/http/handler.ts'
import type { Handler } from '../../src/http/handler.ts'
import type { HandlerOptions } from '../../src/http/options.ts'
import type { McpServer } from '../../src/server/server.ts'
import { call, ENDPOINT, fakeClock, isRecord, legacy, read, streamOf } from '../support/index.ts'
import type { Answer, FakeClock, Params, RequestOverrides, StreamEvent } from '../support/index.ts'

/** A handler with sessions. */
export interface Rig {
  readonly handler: Handler
  readonly clock: FakeClock
  /** Opens a session. */
  readonly open: (overrides?: RequestOverrides) => Promise<Client>
}

/**
 * Serves a server with sessions.
 *
 * @param server the server
 * @param options what differs from the usual
 */
export function rig(server: McpServer, options: HandlerOptions = {}): Rig {
  const clock = options.clock === undefined ? fakeClock() : (options.clock as FakeClock)
  const handler = createHandler(server, { ...options, clock })
  return { handler, clock, open: (overrides) => openSession(handler, overrides) }
}

async function openSession(handler: Handler, overrides: RequestOverrides = {}): Promise<Client> {
  const answer = await call(handler, legacy('initialize', {}, overrides))
  const id = answer.headers.get('mcp-session-id')
  if (id === null) throw new Error(`no session: ${answer.status} ${answer.text}`)
  return new Client(handler, id, overrides)
}

/** One client with one session. */
export class Client {
  readonly id: string
  readonly #handler: Handler
  readonly #overrides: RequestOverrides

  constructor(handler: Handler, id: string, overrides: RequestOverrides) {
    this.#handler = handler
    this.id = id
    this.#overrides = overrides
  }

  /** The same client at another handler. */
  at(handler: Handler): Client {
    return new Client(handler, this.id, this.#overrides)
  }

  request(method: string, params: Params = {}, overrides: RequestOverrides = {}): Request {
    const { revision, headers } = this.#overrides
    const all = { ...headers, ...overrides.headers }
    return legacy(method, params, { revision, session: this.id, ...overrides, headers: all })
  }

  /** Sends a request and reads the whole answer. */
  ask(method: string, params?: Params, overrides?: RequestOverrides): Promise<Answer> {
    const { revision } = this.#overrides
    return call(this.#handler, this.request(method, params, overrides), { revision })
  }

  /** Calls a tool and reads the whole answer. */
  tool(name: string, args: Params = {}, overrides?: RequestOverrides): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: args }, overrides)
  }

  /** Sends a request and gives the response before it is read. */
  send(method: string, params?: Params, overrides?: RequestOverrides): Promise<Response> {
    return this.#handler(this.request(method, params, overrides))
  }

  notify(method: string, params?: Params): Promise<Response> {
    return this.send(method, params, { id: null })
  }

  /** Answers a question of the server. */
  answer(id: unknown, result: unknown): Promise<Answer> {
    const body = { jsonrpc: '2.0', id, result }
    return this.#handler(this.request('', {}, { body })).then(read)
  }

  get(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#handler(this.bare('GET', { accept: 'text/event-stream', ...headers }))
  }

  delete(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#handler(this.bare('DELETE', headers))
  }

  bare(method: string, headers: Readonly<Record<string, string>>): Request {
    const own = { 'mcp-session-id': this.id, ...this.#overrides.headers, ...headers }
    const given = Object.entries(own).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    )
    return new Request(ENDPOINT, { method, headers: Object.fromEntries(given) })
  }
}

/** Reads a stream piece by piece. */
export class Reader {
  readonly response: Response
  readonly #events: AsyncGenerator<StreamEvent, void, undefined>
  #began = false

  constructor(response: Response) {
    this.response = response
    this.#events = streamOf(response)
  }

  /** The next piece; undefined at the end. */
  async next(): Promise<StreamEvent | undefined> {
    this.#began = true
    const { value } = await this.#events.next()
    return value ?? undefined
  }

  /** The next event, with or without data. */
  async event(): Promise<{ readonly id: string | undefined; readonly data: string } | undefined> {
    for (;;) {
      const piece = await this.next()
      if (piece === undefined || piece.kind === 'event') return piece
    }
  }

  /** The next message. */
  async message(): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const event = await this.event()
      if (event === undefined) throw new Error('the stream has ended')
      if (event.data === '') continue
      const value: unknown = JSON.parse(event.data)
      if (isRecord(value)) return value
    }
  }

  /** Everything until the end. */
  async rest(): Promise<readonly StreamEvent[]> {
    this.#began = true
    return Array.fromAsync(this.#events)
  }

  /** Goes away. */
  async leave(): Promise<void> {
    if (this.#began) await this.#events.return()
    else await this.response.body?.cancel()
  }
}

/** What a stream holds in messages, read to its end. */
export async function messagesIn(response: Response): Promise<readonly unknown[]> {
  const pieces = await new Reader(response).rest()
  return pieces
    .filter((piece) => piece.kind === 'event' && piece.data !== '')
    .map((piece): unknown => (piece.kind === 'event' ? JSON.parse(piece.data) : undefined))
}
