/**
 * The stream on which a legacy server speaks unasked. It is optional: without it the connection goes
 * on by POST alone.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 * @module
 */
import { isCall } from '../../protocol/jsonrpc.ts'
import { STREAM_OPEN_MS } from '../../protocol/limits.ts'
import type { Clock } from '../../shared/clock.ts'
import {
  ClientError,
  HttpError,
  InvalidResponseError,
  MessageTooLargeError,
  NetworkError,
} from '../errors.ts'
import type { TransportHost } from '../transport.ts'
import { mediaType, retryAfter } from './answer.ts'
import { isEventStream, isTransient, readMessage } from './event-exchange.ts'
import { discard } from './discard.ts'
import { Resumption } from './resumption.ts'
import { readEvents } from './sse-reader.ts'

const NAME = 'the GET stream'

/** What the stream needs. */
export interface GetStreamOptions {
  readonly clock: Clock
  readonly maxBytes: number
  readonly host: TransportHost
  /** Sends the GET, after an event where one is named. */
  readonly open: (lastId: string | undefined, signal: AbortSignal) => Promise<Response>
}

/** Keeps the stream open until it is closed, refused, or given up. */
export class GetStream {
  /** Resolves when the stream is open, known not to be offered, or slow to open. */
  readonly opened: Promise<void>
  readonly #options: GetStreamOptions
  readonly #controller = new AbortController()
  readonly #resumption: Resumption

  constructor(options: GetStreamOptions) {
    this.#options = options
    this.#resumption = new Resumption(options.clock)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    const timer = options.clock.setTimeout(resolve, STREAM_OPEN_MS)
    const settle = (): void => {
      options.clock.clearTimeout(timer)
      resolve()
    }
    void this.#run(settle)
  }

  /** Ends the stream; nothing is sent or reported any more. */
  close(): void {
    this.#controller.abort()
  }

  async #run(opened: () => void): Promise<void> {
    const { signal } = this.#controller
    try {
      let waitMs: number | undefined
      for (;;) {
        waitMs = await this.#connect(opened)
        const refusal = await this.#resumption.wait(signal, waitMs)
        if (refusal !== undefined) throw new ClientError(`The GET stream is given up: ${refusal}`)
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Error && !(error instanceof NotOffered))
        this.#options.host.warn(error)
    } finally {
      opened()
    }
  }

  /** One connection; returns how long the server asks to wait before the next. */
  async #connect(opened: () => void): Promise<number | undefined> {
    const { signal } = this.#controller
    let response: Response
    try {
      response = await this.#options.open(this.#resumption.lastId, signal)
    } catch (error) {
      // What the client itself refuses, such as a redirect to another origin, stays refused.
      if (error instanceof NetworkError || !(error instanceof ClientError)) return undefined
      throw error
    }
    if (!isEventStream(response)) return this.#refused(response)
    opened()
    await this.#read(response)
    return undefined
  }

  #refused(response: Response): number | undefined {
    const { status } = response
    discard(response)
    if (isTransient(status)) return retryAfter(response)
    if (status === 405) throw new NotOffered()
    if (response.ok) throw new InvalidResponseError(NAME, `it is ${mediaType(response)}`)
    throw new HttpError(NAME, status, { detail: 'going on without it' })
  }

  async #read(response: Response): Promise<void> {
    const { maxBytes } = this.#options
    const { signal } = this.#controller
    if (response.body === null) return
    const resumption = this.#resumption
    const message = (data: string): boolean => this.#deliver(data)
    try {
      await readEvents(response.body, { name: NAME, maxBytes, signal, resumption, message })
    } catch (error) {
      if (error instanceof MessageTooLargeError) throw error
    }
  }

  #deliver(data: string): boolean {
    const { host } = this.#options
    this.#resumption.renew()
    const message = readMessage(data, NAME, (error) => host.warn(error))
    if (isCall(message)) host.receive(message)
    else if (message !== undefined)
      host.warn(new InvalidResponseError(NAME, 'it carries neither a request nor a notification'))
    return false
  }
}

/** The server has no such stream, which is its right. */
class NotOffered extends Error {}
