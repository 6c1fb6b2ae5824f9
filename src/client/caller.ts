/**
 * Sends a client's requests: with mirrored headers, over as many rounds as they take, and through
 * the cache where the server allows it.
 *
 * @module
 */
import { HEADER_MISMATCH, isMcpError } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { CLIENT_ROUNDS_TOTAL_MS } from '../protocol/limits.ts'
import type { MetaObject } from '../protocol/params.ts'
import { RequestTimeoutError } from '../rpc/errors.ts'
import { abortable, limited } from '../shared/abort.ts'
import type { Clock } from '../shared/clock.ts'
import type { Answers } from './answers.ts'
import type { ResultCache } from './cache.ts'
import type { EraSession } from './eras/era.ts'
import { driveRounds, roundInput } from './input-required.ts'
import type { CallOptions, ReadOptions, RequestOptions } from './options.ts'
import type { ToolIndex } from './tool-index.ts'

/** What requests are sent with. */
export interface CallerParts {
  readonly session: () => Promise<EraSession>
  readonly answers: Answers
  readonly index: ToolIndex
  readonly cache: ResultCache | undefined
  readonly clock: Clock
  readonly timeoutMs: number | null
  readonly maxRounds: number
  readonly warn: (error: Error) => void
  /** Reads the list of tools anew, because the server disagreed about mirrored arguments. */
  readonly relist: (options: RequestOptions) => Promise<void>
}

/** A request before it is sent. */
export interface Asked {
  readonly method: string
  readonly params: Params
}

/** Sends requests on whatever session there is. */
export class Caller {
  readonly #parts: CallerParts

  constructor(parts: CallerParts) {
    this.#parts = parts
  }

  /**
   * Sends a request once. A server that disagrees about the mirrored arguments of a tool is asked for
   * its tools again, and the call is repeated.
   *
   * @param asked what to ask
   * @param options how
   */
  async send(asked: Asked, options: RequestOptions): Promise<Params> {
    const session = await abortable(options.signal, this.#parts.session())
    try {
      return await this.#leg(session, asked, options)
    } catch (error) {
      const mirrors = session.mirrorsArguments && asked.method === 'tools/call'
      if (!mirrors || !isMcpError(error) || error.code !== HEADER_MISMATCH) throw error
      await this.#parts.relist(options)
      return await this.#leg(session, asked, options)
    }
  }

  /**
   * Sends a request that may be answered with questions.
   *
   * @param asked what to ask
   * @param options how
   */
  async rounds(
    asked: Asked,
    options: CallOptions,
  ): Promise<{ readonly result: Params; readonly rounds: number }> {
    const { answers, clock, maxRounds } = this.#parts
    const { maxTotalMs = CLIENT_ROUNDS_TOTAL_MS } = options
    const first = roundInput(options)
    const ms = maxTotalMs ?? Number.POSITIVE_INFINITY
    const reason = (): Error => new RequestTimeoutError(asked.method, ms)
    return limited(options.signal, { clock, ms, reason }, (signal) =>
      driveRounds({
        method: asked.method,
        send: (input) =>
          this.send({ ...asked, params: { ...asked.params, ...input } }, { ...options, signal }),
        first,
        manual: options.manual ?? Object.keys(first).length > 0,
        maxRounds,
        answers,
        signal,
        clock,
      }),
    )
  }

  /**
   * Answers from the cache, or asks and keeps the answer for as long as the server allows. What took
   * more than one round depends on the answers given, and is never kept.
   *
   * @param asked what to ask
   * @param what the cursor or URI it is about
   * @param options how
   */
  async cached(asked: Asked, what: string, options: ReadOptions): Promise<Params> {
    const { cache } = this.#parts
    if (cache === undefined || Object.keys(roundInput(options)).length > 0)
      return (await this.rounds(asked, options)).result
    options.signal?.throwIfAborted()
    const kept = options.cache === 'reload' ? undefined : await cache.get(asked.method, what)
    if (kept !== undefined) return kept
    const keep = cache.begin(asked.method, what)
    const { result, rounds } = await this.rounds(asked, options)
    if (rounds === 1) await keep(result)
    return result
  }

  #leg(session: EraSession, asked: Asked, options: RequestOptions): Promise<Params> {
    const { signal, resetTimeoutOnProgress, maxTotalMs = CLIENT_ROUNDS_TOTAL_MS } = options
    const { timeoutMs = this.#parts.timeoutMs, logLevel } = options
    return session.send({
      ...asked,
      timeoutMs,
      maxTotalMs,
      signal,
      logLevel,
      resetOnProgress: resetTimeoutOnProgress,
      onProgress: this.#guarded(options.onProgress),
      meta: metaOf(options),
      headers: this.#mirrored(session, asked),
    })
  }

  #mirrored(
    session: EraSession,
    { method, params }: Asked,
  ): Readonly<Record<string, string>> | undefined {
    const { name } = params
    if (!session.mirrorsArguments || method !== 'tools/call' || typeof name !== 'string')
      return undefined
    return this.#parts.index.headersOf(name, params['arguments'])
  }

  /** A callback that throws must not break the stream that carries other messages. */
  #guarded<T>(callback: ((value: T) => void) | undefined): ((value: T) => void) | undefined {
    if (callback === undefined) return undefined
    return (value) => {
      try {
        callback(value)
      } catch (error) {
        if (error instanceof Error) this.#parts.warn(error)
      }
    }
  }
}

function metaOf({ meta, traceContext }: RequestOptions): MetaObject | undefined {
  return traceContext === undefined ? meta : { ...meta, ...traceContext }
}
