/**
 * What a handler receives beside its input.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import { missingCapabilities } from '../protocol/capabilities.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { MissingRequiredClientCapabilityError } from '../protocol/errors.ts'
import type { RequestedSchema } from '../protocol/elicitation.ts'
import type { Implementation } from '../protocol/implementation.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import { traceContextOf } from '../protocol/meta.ts'
import type { TraceContext } from '../protocol/meta.ts'
import type { Root } from '../protocol/roots.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import type { StandardSchema } from '../schema/standard.ts'
import { formQuestion, readAction, readFormAnswer, urlQuestion } from './ask/elicitation.ts'
import type {
  FormAnswer,
  FormContent,
  FormQuestion,
  QuestionOptions,
  UrlAnswer,
  UrlQuestion,
} from './ask/elicitation.ts'
import type { Asker, AskSupport, Question, QuestionMethod } from './ask/question.ts'
import { readResponse } from './ask/response.ts'
import type { ResponseTo } from './ask/response.ts'
import { readRoots, rootsQuestion } from './ask/roots.ts'
import { readSample, sampleQuestion } from './ask/sampling.ts'
import type { Sample, SampleQuestion } from './ask/sampling.ts'
import type { Call } from './call.ts'
import { createLog } from './log.ts'
import type { Log } from './log.ts'
import type { Notifier } from './notifier.ts'
import { ProgressReporter, progressTokenOf } from './progress.ts'
import type { ProgressOptions } from './progress.ts'

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
  readonly #support: AskSupport
  #asker: Asker | undefined

  /**
   * @param call the call that is being handled
   * @param support the server, as far as it is needed to ask
   * @param asker how the client is asked, where earlier rounds are known
   */
  constructor(call: Call, support: AskSupport, asker?: Asker) {
    this.#call = call
    this.#support = support
    this.#asker = asker
  }

  /**
   * How a handler has asked; for the server, when the handler has ended.
   *
   * @returns undefined when it has not
   */
  static askerOf(ctx: Context): Asker | undefined {
    return ctx.#asker
  }

  /**
   * Asks the user with a form. On the modern wire the handler ends here until there is an answer, and
   * then runs again from the top: do nothing before it that may not happen twice, or do it in
   * {@link Context.once}.
   *
   * @param key names the question within this call
   * @param question the message and a flat schema, a Standard Schema or the form itself
   * @throws {MissingRequiredClientCapabilityError} if the client cannot show forms
   * @throws {InvalidParamsError} if what was accepted breaks the schema
   * @throws {TypeError} if a form cannot show the schema, or the key belongs to another question
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  elicit<S extends StandardSchema | RequestedSchema>(
    key: string,
    question: FormQuestion<S>,
  ): Promise<FormAnswer<FormContent<S>>> {
    const { toJsonSchema } = this.#support
    return this.#ask(
      () => formQuestion(key, question, toJsonSchema),
      // The content was validated by the schema that its type is inferred from.
      (result) => readFormAnswer(question.schema, result) as Promise<FormAnswer<FormContent<S>>>,
    )
  }

  /**
   * Sends the user to a page. `accept` means that the user went there, not that anything is done; on
   * 2025-11-25, `ctx.notify.elicitationComplete` tells the client when it is: give the question an
   * `elicitationId` for that.
   *
   * @param key names the question within this call
   * @param question the message and the page
   * @throws {MissingRequiredClientCapabilityError} if the client cannot open pages
   */
  elicitUrl(key: string, question: UrlQuestion): Promise<UrlAnswer> {
    return this.#ask(
      () => urlQuestion(key, question),
      (result) => ({ action: readAction(result) }),
    )
  }

  /**
   * Asks the client's model. Deprecated since 2026-07-28, and still working.
   *
   * @param key names the question within this call
   * @param question messages and `maxTokens`; `tools` needs the client's `sampling.tools`
   * @throws {MissingRequiredClientCapabilityError} if the client has no model to ask
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
   */
  sample(key: string, question: SampleQuestion): Promise<Sample> {
    this.#support.deprecated(this.#call, 'sampling')
    return this.#ask(() => sampleQuestion(key, question), readSample)
  }

  /**
   * Asks for the places the client lets this server work in. Deprecated since 2026-07-28, and still
   * working.
   *
   * @param key names the question within this call
   * @param options how long to wait
   * @throws {MissingRequiredClientCapabilityError} if the client has no roots
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
   */
  roots(key: string, options: QuestionOptions = {}): Promise<readonly Root[]> {
    this.#support.deprecated(this.#call, 'roots')
    return this.#ask(() => rootsQuestion(key, options), readRoots)
  }

  /**
   * Runs an effect once in all rounds of this call, and remembers what it returned. It runs again only
   * if the client goes back to a state from before it; give the effect {@link Context.callId} as its
   * idempotency key.
   *
   * @param key names the effect within this call
   * @param effect returns anything JSON can hold
   */
  once<Value>(key: string, effect: () => Value | Promise<Value>): Promise<Value> {
    // What is remembered is the effect's own value, through JSON.
    return quiet(async () => this.#asking.once(key, effect)) as Promise<Value>
  }

  /**
   * Asks a legacy client for a sign of life.
   *
   * @param options how long to wait
   * @throws {InvalidRequestError} if the client cannot be asked; modern clients cannot
   */
  ping({ timeoutMs }: QuestionOptions = {}): Promise<void> {
    return quiet(async () => this.#asking.ping(timeoutMs))
  }

  /** The client's answers to the questions of {@link inputRequired}, as sent; read one with `inputResponse`. */
  get inputResponses(): Params {
    return this.#asking.responses
  }

  /**
   * The client's answer to one question of {@link inputRequired}.
   *
   * @param key the question's key
   * @param method the method it was asked with; the answer then has that method's shape
   * @returns undefined when there is no answer to it in this round
   * @throws {InvalidParamsError} if the answer does not have the shape
   */
  inputResponse<M extends QuestionMethod = QuestionMethod>(
    key: string,
    method?: M,
  ): ResponseTo<M> | undefined {
    return readResponse(this.#asking.responses, key, method)
  }

  /** What the handler kept with `inputRequired({ state })` in the round before. */
  get requestState(): unknown {
    return this.#asking.state
  }

  /** Ends the connection but not the call, where the client can resume its stream: it comes back for the rest. */
  closeStream(): void {
    this.#call.outbox.closeStream?.()
  }

  #ask<Answer>(
    toQuestion: () => Question,
    read: (result: Params) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return quiet(async () => this.#asking.ask(toQuestion(), read))
  }

  get #asking(): Asker {
    this.#asker ??= this.#support.askerFor(this.#call)
    return this.#asker
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
    if (this.#log === undefined) this.#support.deprecated(this.#call, 'logging')
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
    return this.#asking.callId
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

/** Runs something whose failure nobody may wait for; that must not count as an unhandled rejection. */
function quiet<Value>(run: () => Promise<Value>): Promise<Value> {
  const running = run()
  running.catch(() => undefined)
  return running
}
