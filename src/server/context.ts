/**
 * What a handler receives beside its input.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { MissingRequiredClientCapabilityError } from '../protocol/errors.ts'
import type { Implementation } from '../protocol/implementation.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import { traceContextOf } from '../protocol/meta.ts'
import type { TraceContext } from '../protocol/meta.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import type { Call } from './call.ts'
import { createLog } from './log.ts'
import type { Log } from './log.ts'
import type { Notifier } from './notifier.ts'
import { ProgressReporter, progressTokenOf } from './progress.ts'
import type { ProgressOptions } from './progress.ts'
import { missingCapabilities } from './required-capabilities.ts'

/** What a server may declare about its handlers' context. */
export interface ServerTypes {
  /** The platform's environment, as `ctx.env`. */
  readonly env?: unknown
  /** What the `context` option returns, as `ctx.data`. */
  readonly data?: unknown
}

/** The declared type of `ctx.env`; unknown when the server declares none. */
export type EnvOf<T extends ServerTypes> = T extends { readonly env: infer Env } ? Env : unknown
/** The declared type of `ctx.data`; unknown when the server declares none. */
export type DataOf<T extends ServerTypes> = T extends { readonly data: infer Data } ? Data : unknown

/** The client as a handler sees it. */
export interface ClientView {
  /** The client's name and version, for display only; it may not say. */
  readonly info: Implementation | undefined
  /** What the client declared, with this request or at `initialize`. */
  readonly capabilities: ClientCapabilities
}

/**
 * What a handler receives beside its input. It belongs to one call; nothing of it may be kept for
 * the next.
 */
export class Context<T extends ServerTypes = ServerTypes> {
  readonly #call: Call
  #log: Log | undefined
  #progress: ProgressReporter | null | undefined
  #callId: string | undefined

  /** @param call the call that is being handled */
  constructor(call: Call) {
    this.#call = call
  }

  /**
   * Reports progress. Does nothing when the caller sent no token, or when the value does not
   * increase.
   *
   * @param progress how far the call is, in any unit
   * @param options the total and a message
   * @returns settles when the caller's connection has room again
   */
  async progress(progress: number, options?: ProgressOptions): Promise<void> {
    if (this.#progress === undefined) {
      const token = progressTokenOf(this.#call.params)
      this.#progress = token === undefined ? null : new ProgressReporter(token)
    }
    const notification = this.#progress?.next(progress, options)
    if (notification !== undefined) await this.#call.outbox.notify(notification)
  }

  /** Sends log messages to the caller, where it asked for their level. */
  get log(): Log {
    this.#log ??= createLog(this.#call.caller.logLevel, (text) => {
      void this.#call.outbox.notify(text)
    })
    return this.#log
  }

  /** Aborted when the caller cancels the call, or is gone in an era where that means the same. */
  get signal(): AbortSignal {
    return this.#call.outbox.signal
  }

  /** Publishes changes to whoever subscribed. */
  get notify(): Notifier {
    return this.#call.notifier
  }

  /**
   * Refuses the call unless the client declared what it needs.
   *
   * @param required the capabilities needed, as a client declares them
   * @throws {MissingRequiredClientCapabilityError} naming everything that is missing
   */
  requireCapability(required: ClientCapabilities): void {
    const missing = missingCapabilities(required, this.#call.caller.capabilities)
    if (missing !== undefined) throw new MissingRequiredClientCapabilityError(missing)
  }

  /** The client that calls. */
  get client(): ClientView {
    const { clientInfo, capabilities } = this.#call.caller
    return { info: clientInfo, capabilities }
  }

  /** The request's `_meta`, as sent. */
  get meta(): Params {
    const meta = this.#call.params['_meta']
    return isRecord(meta) ? meta : {}
  }

  /** The request's trace context, as sent. */
  get traceContext(): TraceContext {
    return traceContextOf(this.meta) ?? {}
  }

  /** The id of the request; absent in a notification handler. */
  get requestId(): RequestId | undefined {
    return this.#call.id
  }

  /** An id that is the same over all rounds of one call: the idempotency key for its effects. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID()
    return this.#callId
  }

  /** The protocol revision that the caller speaks. */
  get revision(): Revision {
    return this.#call.caller.revision
  }

  /** The generation of the protocol that the caller speaks. */
  get era(): Era {
    return this.#call.caller.era
  }

  /** The id of the caller's session, where it has one. */
  get session(): string | undefined {
    return this.#call.caller.sessionId
  }

  /** Who is authenticated; absent for anonymous callers. */
  get auth(): AuthInfo | undefined {
    return this.#call.caller.auth
  }

  /** The platform's environment, as the platform passed it to the handler. */
  get env(): EnvOf<T> {
    // The entry that made the call took `env` from the platform under the same declaration.
    return this.#call.env as EnvOf<T>
  }

  /** What the `context` option returned for this request. */
  get data(): DataOf<T> {
    // The entry that made the call ran the `context` option under the same declaration.
    return this.#call.data as DataOf<T>
  }

  /**
   * Keeps the platform alive for work that outlasts the answer. Where the platform has no such
   * need, the work just runs.
   *
   * @param work a promise that settles when the work is done
   */
  waitUntil(work: Promise<unknown>): void {
    this.#call.waitUntil?.(work)
  }
}
