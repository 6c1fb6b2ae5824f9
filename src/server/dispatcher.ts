/**
 * From a call to its answer: finds the method, runs it inside the hook, and lets the caller's era
 * put the outcome into words.
 *
 * @module
 */
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import { INTERNAL_ERROR, MethodNotFoundError, toMcpError } from '../protocol/errors.ts'
import type { McpError } from '../protocol/errors.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { Call, Delivery } from './call.ts'
import type { ServerCore } from './core.ts'
import type { Answer } from './eras/era.ts'
import type { ResultDecorator } from './extension.ts'
import type { Feature, Method, MethodResult } from './feature.ts'
import { toRequestInfo } from './hooks.ts'
import type { AroundRequest } from './hooks.ts'
import { relayed } from './relayed.ts'
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
    const kept = this.#capabilities.get(delivery) ?? this.#derive(delivery)
    this.#capabilities.set(delivery, kept)
    return kept
  }

  /** Derives the capabilities anew when they are next asked for: definitions changed. */
  forgetCapabilities(): void {
    this.#capabilities = new WeakMap()
  }

  #derive(delivery: Delivery): ServerCapabilities {
    const { declared, extensions } = this.#core
    const derived: ServerCapabilities = Object.assign(
      delivery.logging ? { logging: {} } : {},
      ...this.#features.map((feature) => feature.capabilities(delivery)),
      extensions.size === 0 ? {} : { extensions: Object.fromEntries(extensions) },
    )
    return { ...derived, ...declared }
  }

  /**
   * Answers a request. Never rejects: whatever is thrown becomes an error response, and what the
   * peer may not see of it is reported.
   */
  async run(call: Call): Promise<Answer> {
    const rules = this.#core.rulesOf(call.caller)
    const method = this.#methodOf(call)
    if (method === undefined)
      return rules.fault(call.id, new MethodNotFoundError(quoted(call.method)))
    try {
      const result = this.#hook === undefined ? method.handle(call) : this.#hooked(call, method)
      const settled = result instanceof Promise ? await result : result
      const decorated = this.#decorators.size === 0 ? settled : await this.#decorated(call, settled)
      return { status: 200, body: rules.finish(call, decorated) }
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

  async #hooked(call: Call, method: Method): Promise<MethodResult> {
    const hook = this.#hook
    if (hook === undefined) return method.handle(call)
    const info = toRequestInfo(call, hook.seesData)
    const started = performance.now()
    const next = async (): Promise<MethodResult> => {
      try {
        return await method.handle(call)
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

  async #decorated(call: Call, result: MethodResult): Promise<MethodResult> {
    const decorators = this.#decorators.get(call.method)
    if (decorators === undefined) return result
    let decorated: Params = result instanceof ResultText ? JSON.parse(result.text) : result
    for (const decorator of decorators) decorated = await decorator(decorated, call)
    return decorated
  }

  /** Masks what is ours, and reports it. */
  #toError(call: Call, thrown: unknown): McpError {
    const error = relayed(toMcpError(thrown))
    if (error.code === INTERNAL_ERROR) {
      const where = { request: { method: call.method, id: call.id } }
      report(this.#core.onError, error.cause ?? error, where)
    }
    return error
  }
}

/** What a dispatcher is made of. */
export interface DispatcherParts {
  readonly features: readonly Feature[]
  readonly notifications: ReadonlyMap<string, (call: Call) => Promise<void>>
  readonly hook: Hook | undefined
}
