/**
 * One request's way back: JSON as long as nothing has to be said before the answer, an event stream
 * from then on. The stream opens as late as possible, because once it is open the HTTP status is
 * 200, whatever happens.
 *
 * @module
 */
import { scopeChallenge } from '../protocol/auth-info.ts'
import type { AuthInfo } from '../protocol/auth-info.ts'
import { errorResponse } from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import type { RequestId } from '../protocol/jsonrpc.ts'
import type { Outbox } from '../server/call.ts'
import type { Answer } from '../server/eras/era.ts'
import { InsufficientScopeError } from '../server/insufficient-scope.ts'
import { onAbort } from '../shared/abort.ts'
import type { Undo } from '../shared/abort.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import type { Settings } from './options.ts'
import {
  emptyResponse,
  finishedStream,
  jsonResponse,
  streamResponse,
  toStreamText,
  toText,
} from './responses.ts'
import type { ExtraHeaders } from './responses.ts'
import { KEEPALIVE_FRAME, toFrame } from './sse-format.ts'
import { SseStream } from './sse-stream.ts'

/** The forms of answer that a client accepts and the settings allow. */
export interface Forms {
  readonly json: boolean
  readonly stream: boolean
}

/** What every exchange at one endpoint shares, as far as exchanges look at it. */
export interface ExchangeHome {
  readonly settings: Settings
  /** Exchanges in progress; each is among them while its answer is waited for. */
  readonly live: Set<Exchange>
}

/** The request that an exchange answers. */
export interface ExchangeRequest {
  readonly request: Request
  readonly forms: Forms
  readonly extra: ExtraHeaders
  readonly auth: AuthInfo | undefined
  readonly execution?: ExecutionLike | undefined
}

/** Microtasks after which the answer of an async function that waited for nothing is there. */
const TURNS = 8

/** One request's way back to its client. */
export class Exchange implements Outbox {
  readonly #home: ExchangeHome
  readonly #visit: ExchangeRequest
  readonly #disconnectCancels: boolean
  #id: RequestId | undefined
  #running: Promise<Answer> | undefined
  #controller: AbortController | undefined
  #stream: SseStream | undefined
  #resolve: ((response: Response) => void) | undefined
  #timer: unknown
  #unwatch: Undo | undefined
  #over = false

  /**
   * @param home where the request arrived
   * @param visit the request
   * @param disconnectCancels whether a client that is gone has thereby cancelled
   */
  constructor(home: ExchangeHome, visit: ExchangeRequest, disconnectCancels: boolean) {
    this.#home = home
    this.#visit = visit
    this.#disconnectCancels = disconnectCancels
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#disconnectCancels) this.#watch()
    }
    return this.#controller.signal
  }

  /** Whether the answer is being sent as a stream. */
  get streaming(): boolean {
    return this.#stream !== undefined
  }

  notify(message: string): Promise<void> | undefined {
    if (this.#over || !this.#visit.forms.stream) return undefined
    return this.send(this.open(), message)
  }

  /** Cancels the call: the handler's signal aborts. */
  cancel(reason: unknown): void {
    this.#controller ??= new AbortController()
    this.#controller.abort(reason)
  }

  /**
   * The response that will carry an answer.
   *
   * @param id the id of the request
   * @param running the answer, or the answer to come; it never rejects
   */
  respond(id: RequestId, running: Answer | Promise<Answer>): Response | Promise<Response> {
    this.#id = id
    if (running instanceof Promise) return this.#respondLater(running)
    // Nothing was said before the answer: no stream, no timer, nothing to wait for.
    if (this.#stream === undefined) {
      this.#over = true
      this.#unwatch?.()
      this.ended(running)
      return toResponse(this.#visit, running)
    }
    return this.#respondLater(Promise.resolve(running))
  }

  #respondLater(running: Promise<Answer>): Promise<Response> {
    this.#running = running
    this.#home.live.add(this)
    this.waited()
    return new Promise((resolve) => {
      this.#resolve = resolve
      void running.then((answer) => this.finish(answer))
      if (this.#stream === undefined) void this.#openLater()
      else this.#sendStream(this.#stream)
    })
  }

  /**
   * Cancels the call because nobody will wait for it, and answers at once.
   *
   * @param error what the client is told
   * @param status the HTTP status where it can still be set
   */
  abort(error: McpError, status = 503): void {
    this.cancel(error)
    this.finish({ status, body: JSON.stringify(errorResponse(this.#id, error)), error })
  }

  /**
   * Sends the answer and ends the exchange. Does nothing when it has ended.
   *
   * @param answer the response
   */
  finish(answer: Answer): void {
    if (this.#over) return
    this.#end(answer)
    const stream = this.#stream
    if (stream === undefined) this.#resolve?.(toResponse(this.#visit, answer))
    else this.sendLast(stream, toText(answer.body))
  }

  /** Ends the exchange without an answer, because the client wants none any more. */
  protected drop(): void {
    if (this.#over) return
    this.#end()
    const stream = this.#stream
    if (stream === undefined) this.#resolve?.(emptyResponse(202, this.#visit.extra))
    else this.sendLast(stream, undefined)
  }

  /** Whether nothing more can be said. */
  protected get over(): boolean {
    return this.#over
  }

  /** The answer has to be waited for. */
  protected waited(): void {}

  /** The stream is open. */
  protected opened(_stream: SseStream): void {}

  /** The exchange is over, with an answer or without. */
  protected ended(_answer?: Answer): void {}

  /** Sends a message that comes before the answer. */
  protected send(stream: SseStream, message: string): Promise<void> | undefined {
    return stream.offer(toFrame(message))
  }

  /** Sends a message that must not be lost, however slowly the client reads. */
  protected sendAlways(stream: SseStream, message: string): void {
    stream.write(toFrame(message))
  }

  /** Sends the answer, or none, and ends the stream. */
  protected sendLast(stream: SseStream, message: string | undefined): void {
    if (message !== undefined) stream.write(toFrame(message))
    stream.end()
  }

  /** Arming a timer and calling it off costs as much as a whole call, and few answers need it. */
  async #openLater(): Promise<void> {
    const { clock, streamAfterMs } = this.#home.settings
    for (let turn = 0; turn < TURNS && !this.#over; turn += 1) await Promise.resolve()
    if (this.#over || this.#stream !== undefined) return
    if (!this.#visit.forms.stream || streamAfterMs === Infinity) {
      // Without a stream there is no later moment to see that the client is gone.
      if (this.#disconnectCancels) this.#watch()
      return
    }
    this.#timer = clock.setTimeout(() => {
      // Something has to flow at once: some proxies hold back headers until the first byte.
      this.open().write(KEEPALIVE_FRAME)
    }, streamAfterMs)
  }

  /** The stream, opened if it is not yet. */
  protected open(): SseStream {
    if (this.#stream !== undefined) return this.#stream
    const stream = new SseStream(this.#home.settings, () => this.gone())
    this.#stream = stream
    this.#disarm()
    this.#watch()
    this.#sendStream(stream)
    this.opened(stream)
    return stream
  }

  #sendStream(stream: SseStream): void {
    this.#resolve?.(streamResponse(stream.readable, this.#visit.extra))
    this.#resolve = undefined
  }

  /**
   * Watches for the platform's word that the client is gone. Only until the exchange is over: Deno
   * says so after successful answers too.
   */
  #watch(): void {
    this.#unwatch ??= onAbort(this.#visit.request.signal, () => {
      if (this.#stream === undefined) this.gone()
      else this.#stream.abandon()
    })
  }

  /** The client is gone, as far as the platform can tell. */
  protected gone(): void {
    if (this.#over) return
    // Workers stop everything but microtasks when a client leaves, unless they are told now.
    if (this.#running !== undefined) this.#visit.execution?.waitUntil?.(this.#running)
    if (!this.#disconnectCancels) return
    this.cancel(new DOMException('The client is gone', 'AbortError'))
    // A handler that does not heed its signal may never end; its exchange does.
    this.drop()
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#home.settings.clock.clearTimeout(this.#timer)
  }

  #end(answer?: Answer): void {
    this.#over = true
    this.#disarm()
    this.#unwatch?.()
    this.#home.live.delete(this)
    this.ended(answer)
  }
}

/**
 * A finished answer as a response in a form that the client accepts.
 *
 * @param visit the request it answers
 * @param answer the answer
 * @param extra headers of the response, where they are not those of every response to the request
 */
export function toResponse(
  { forms, auth, extra: common }: ExchangeRequest,
  answer: Answer,
  extra: ExtraHeaders = common,
): Response {
  if (answer.error instanceof InsufficientScopeError) {
    const challenge = scopeChallenge(auth, answer.error.scopes)
    return jsonResponse(403, answer.body, { ...extra, 'www-authenticate': challenge })
  }
  if (!forms.json && answer.status === 200) return finishedStream(toStreamText(answer.body), extra)
  return jsonResponse(answer.status, answer.body, extra)
}
