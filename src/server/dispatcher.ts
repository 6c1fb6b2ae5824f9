/**
 * From a call to its answer: finds the method, runs it inside the hook, and lets the caller's era
 * put the outcome into words.
 *
 * @module
 */
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import {
  INTERNAL_ERROR,
  InternalError,
  MethodNotFoundError,
  toMcpError,
  URL_ELICITATION_REQUIRED,
} from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { featuresOf } from '../protocol/versions.ts'
import type { Call, Delivery } from './call.ts'
import type { ServerCore } from './core.ts'
import type { Answer } from './eras/era.ts'
import type { ResultDecorator } from './extension.ts'
import type { Feature, Method, MethodResult } from './feature.ts'
import { toRequestInfo } from './hooks.ts'
import type { AroundRequest } from './hooks.ts'
import { relayed } from './relayed.ts'
import { isCancellation } from './cancelled.ts'
import { report } from './report.ts'
import { quoted } from './features/quoted.ts'
import { ResultText } from './result-text.ts'

/** The hook around requests, and what it may see. */
export interface Hook {
  readonly around: AroundRequest
  readonly seesData: boolean
}

/** Runs the calls of one server. */
export class Dispatcher {
  readonly #core: ServerCore
  readonly #hook: Hook | undefined
  readonly #methods = new Map<string, Method>()
  readonly #decorators = new Map<string, ResultDecorator[]>()
  readonly #features: readonly Feature[]
  readonly #notifications: ReadonlyMap<string, (call: Call) => Promise<void>>
  #capabilities = new WeakMap<Delivery, ServerCapabilities>()

  constructor(core: ServerCore, parts: DispatcherParts) {
    this.#core = core
    this.#hook = parts.hook
    this.#features = parts.features
    this.#notifications = parts.notifications
    for (const feature of parts.features) {
      for (const [name, method] of Object.entries(feature.methods)) this.#methods.set(name, method)
    }
  }

  /**
   * Adds a method.
   *
   * @throws {TypeError} if there is one of that name: what the protocol defines cannot be replaced
   */
  add(name: string, method: Method): void {
    if (this.#methods.has(name)) throw new TypeError(`method '${name}' is already defined`)
    this.#methods.set(name, method)
  }

  /** Lets an extension change the results of a method. */
  decorate(method: string, decorator: ResultDecorator): void {
    this.#decorators.set(method, [...(this.#decorators.get(method) ?? []), decorator])
  }

  /**
   * What the server can do where it is deployed: what its definitions need, overridden by what it
   * declares.
   */
  capabilities(delivery: Delivery): ServerCapabilities {
    const kept = this.#capabilities.get(delivery)
    if (kept !== undefined) return kept
    const derived = this.#derive(delivery)
    this.#capabilities.set(delivery, derived)
    return derived
  }

  /** Derives the capabilities anew when they are next asked for: definitions changed. */
  forgetCapabilities(): void {
    this.#capabilities = new WeakMap()
  }

  #derive(delivery: Delivery): ServerCapabilities {
    const { declared, extensions } = this.#core
    const derived: ServerCapabilities = Object.assign(
      delivery.logging ? { logging: {} } : {},
      ...this.#features.map((feature) => feature.capabilities?.(delivery)),
      extensions.size > 0 && { extensions: Object.fromEntries(extensions) },
    )
    return withDeclared(derived, declared, delivery)
  }

  /**
   * Answers a request, at once where nothing has to be waited for. Never throws or rejects:
   * whatever is thrown becomes an error response, and what the peer may not see of it is reported.
   */
  run(call: Call): Answer | Promise<Answer> {
    const rules = this.#core.rulesOf(call.caller)
    const method = this.#methodOf(call)
    if (method === undefined)
      return rules.fault(call.id, new MethodNotFoundError(quoted(call.method)))
    try {
      const plain = this.#hook === undefined && this.#decorators.size === 0
      const result = plain ? method.handle(call) : this.#wrapped(call, method)
      if (result instanceof Promise) return this.#later(call, result)
      return { status: 200, body: rules.finish(call, result) }
    } catch (error) {
      return rules.fault(call.id, this.#toError(call, error))
    }
  }

  async #later(call: Call, result: Promise<MethodResult>): Promise<Answer> {
    const rules = this.#core.rulesOf(call.caller)
    try {
      return { status: 200, body: rules.finish(call, await result) }
    } catch (error) {
      return rules.fault(call.id, this.#toError(call, error))
    }
  }

  /** Runs the handler of a notification, where there is one. Never rejects. */
  async notify(call: Call): Promise<void> {
    try {
      await this.#notifications.get(call.method)?.(call)
    } catch (error) {
      report(this.#core.onError, error, { notification: { method: call.method } })
    }
  }

  #methodOf(call: Call): Method | undefined {
    const method = this.#methods.get(call.method)
    const served =
      method !== undefined &&
      (method.era === undefined || method.era === call.caller.era) &&
      (method.capability === undefined ||
        this.capabilities(call.delivery)[method.capability] !== undefined)
    return served ? method : undefined
  }

  /** Runs a method inside the hook, and lets extensions change its result. */
  async #wrapped(call: Call, method: Method): Promise<MethodResult> {
    const hook = this.#hook
    const result = await (hook === undefined ? method.handle(call) : hooked(hook, call, method))
    return this.#decorated(call, result)
  }

  async #decorated(call: Call, result: MethodResult): Promise<MethodResult> {
    const decorators = this.#decorators.get(call.method)
    if (decorators === undefined) return result
    let decorated: Params = result instanceof ResultText ? JSON.parse(result.text) : result
    for (const decorator of decorators) decorated = await decorator(decorated, call)
    return decorated
  }

  /** Masks what is ours, and reports it. */
  #toError(call: Call, thrown: unknown): McpError {
    const error = relayed(known(call, toMcpError(thrown)))
    if (error.code === INTERNAL_ERROR && !isCancellation(call, thrown)) {
      const where = { request: { method: call.method, id: call.id } }
      report(this.#core.onError, error.cause ?? error, where)
    }
    return error
  }
}

/** A code that the caller's revision does not have tells it nothing; why it was thrown is reported. */
function known(call: Call, error: McpError): McpError {
  const unknown =
    error.code === URL_ELICITATION_REQUIRED && !featuresOf(call.caller.revision).elicitationIds
  return unknown ? new InternalError({ cause: error }) : error
}

/**
 * What is declared wins, also where it says less than could be derived; but nobody is promised
 * changes that cannot reach them here.
 */
function withDeclared(
  derived: ServerCapabilities,
  declared: ServerCapabilities,
  { changes }: Delivery,
): ServerCapabilities {
  const said = Object.entries(declared).filter(([, value]) => value !== undefined)
  const extensions = { ...derived.extensions, ...declared.extensions }
  return {
    ...derived,
    ...Object.fromEntries(changes ? said : said.map(withoutChanges)),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
  }
}

function withoutChanges([name, value]: [string, object]): [string, object] {
  const promised = Object.entries(value).filter(([flag]) => !CHANGE_FLAGS.includes(flag))
  return [name, CHANGING.includes(name) ? Object.fromEntries(promised) : value]
}

const CHANGE_FLAGS = ['listChanged', 'subscribe']
const CHANGING = ['tools', 'prompts', 'resources']

/** What a dispatcher is made of. */
export interface DispatcherParts {
  readonly features: readonly Feature[]
  readonly notifications: ReadonlyMap<string, (call: Call) => Promise<void>>
  readonly hook: Hook | undefined
}

async function hooked(hook: Hook, call: Call, method: Method): Promise<MethodResult> {
  const info = toRequestInfo(call, hook.seesData)
  const started = performance.now()
  const next = async (): Promise<MethodResult> => {
    try {
      const result = await method.handle(call)
      // What a tool throws is a result for its caller, and still an error for its author.
      if (result instanceof ResultText && result.failure !== undefined) info.error = result.failure
      return result
    } catch (error) {
      info.error = error
      throw error
    } finally {
      info.durationMs = performance.now() - started
    }
  }
  const result = await hook.around(info, next)
  if (result instanceof ResultText || isRecord(result)) return result
  throw new TypeError('aroundRequest must return what next() resolves to')
}
