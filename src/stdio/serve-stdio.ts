/**
 * `serveStdio`: a server as a process that talks on its pipes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 * @module
 */
import process from 'node:process'
import { InvalidRequestError } from '../protocol/errors.ts'
import { MAX_REQUEST_BYTES, SHUTDOWN_STEP_MS } from '../protocol/limits.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import type { DataOf, EnvOf, ServerTypes } from '../server/context.ts'
import type { McpServer } from '../server/server.ts'
import { systemClock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import { Conversation } from './conversation.ts'
import type { ConversationOptions } from './conversation.ts'
import { LineReader } from './lines.ts'
import { takeStdout } from './stdout.ts'
import type { Stdout } from './stdout.ts'

/** How a server is served on its pipes. */
export interface ServeStdioOptions extends ConversationOptions {
  /** Bytes of one line; null for no bound. A longer one ends the conversation. Default 4 MiB. */
  readonly maxMessageBytes?: number | null | undefined
  /** Ends the process when the conversation is over. Default true. */
  readonly exit?: boolean | undefined
}

/** Options as a server's declared types want them. */
export type StdioOptionsFor<T extends ServerTypes> = Omit<ServeStdioOptions, 'env' | 'context'> &
  (T extends { readonly env: unknown } ? { readonly env: EnvOf<T> } : { readonly env?: unknown }) &
  (T extends { readonly data: unknown }
    ? {
        readonly context: (source: { readonly env: EnvOf<T> }) => DataOf<T> | Promise<DataOf<T>>
      }
    : { readonly context?: ConversationOptions['context'] })

/** Options may be left out where the server declares neither `env` nor `data`. */
export type ServeStdioParameters<T extends ServerTypes> = T extends
  | { readonly env: unknown }
  | { readonly data: unknown }
  ? readonly [options: StdioOptionsFor<T>]
  : readonly [options?: ServeStdioOptions]

/** A server that is being served. */
export interface StdioServer {
  /** Settles when the conversation is over and everything written. */
  readonly done: Promise<void>
  /** Ends the conversation: calls in progress may finish for a moment, then they are aborted. */
  close(): Promise<void>
}

/**
 * Serves a server on the pipes of this process. Reads until the input ends or a signal comes
 * (SIGINT, SIGTERM), lets work in progress finish for a moment, and ends the process. From the call
 * on, everything that is printed to stdout but the protocol goes to stderr.
 *
 * @param server the server
 * @param parameters options; required where the server declares `env` or `data`
 * @throws {TypeError} if an option cannot be used; the message names it
 *
 * @example
 * ```ts
 * serveStdio(server)
 * ```
 */
export function serveStdio<T extends ServerTypes = ServerTypes>(
  server: McpServer<T>,
  ...[options = {}]: ServeStdioParameters<T>
): StdioServer {
  // Declared types bind the author of handlers and options to each other; here they are data.
  const plain: ServeStdioOptions = { ...options }
  const maxBytes = limitOf('maxMessageBytes', plain.maxMessageBytes, MAX_REQUEST_BYTES)
  return new StdioService(server, plain, maxBytes)
}

class StdioService implements StdioServer {
  readonly done: Promise<void>
  readonly #options: ServeStdioOptions
  readonly #conversation: Conversation
  readonly #stdout: Stdout
  readonly #lines: LineReader
  readonly #finished = Promise.withResolvers<void>()
  #ending = false

  constructor(server: McpServer, options: ServeStdioOptions, maxBytes: number) {
    this.#options = options
    this.#lines = new LineReader(maxBytes)
    this.#stdout = takeStdout(() => void this.#end(false))
    this.#conversation = new Conversation(server, { send: (text) => this.#send(text) }, options)
    this.done = this.#finished.promise
    process.stdin.on('data', this.#onData)
    process.stdin.once('end', this.#onEnd)
    process.stdin.once('error', this.#onEnd)
    process.once('SIGINT', this.#onSignal)
    process.once('SIGTERM', this.#onSignal)
  }

  close(): Promise<void> {
    void this.#end(true)
    return this.done
  }

  readonly #onData = (chunk: Uint8Array): void => {
    for (const line of this.#lines.feed(chunk)) this.#conversation.receive(line)
    if (this.#lines.overflowed && !this.#ending) this.#overflow()
  }

  readonly #onEnd = (): void => {
    for (const line of this.#lines.end()) this.#conversation.receive(line)
    void this.#end(true)
  }

  readonly #onSignal = (): void => void this.#end(true)

  /** A client that does not read is not listened to either: answers would pile up. */
  async #send(text: string): Promise<void> {
    const writing = this.#stdout.writeLine(text)
    if (writing === undefined) return
    process.stdin.pause()
    await writing
    if (!this.#ending) process.stdin.resume()
  }

  #overflow(): void {
    this.#conversation.close(new InvalidRequestError('A line is too long'))
    process.stderr.write('mcp-edge: a line of the client is too long; the conversation ends\n')
    void this.#end(true)
  }

  async #end(readable: boolean): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    process.stdin.pause()
    process.stdin.off('data', this.#onData)
    process.off('SIGINT', this.#onSignal)
    process.off('SIGTERM', this.#onSignal)
    if (readable) await this.#drained()
    this.#conversation.close(new ConnectionClosedError('The client is gone'))
    await this.#stdout.flush()
    this.#stdout.release()
    // An input that has ended keeps some runtimes busy.
    process.stdin.destroy()
    this.#finished.resolve()
    if (this.#options.exit !== false) process.exit()
  }

  async #drained(): Promise<void> {
    const { clock = systemClock } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = clock.setTimeout(resolve, SHUTDOWN_STEP_MS)
    await Promise.race([this.#conversation.idle(), promise])
    clock.clearTimeout(timer)
  }
}
