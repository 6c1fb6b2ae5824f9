/**
 * Methods and notifications that the protocol does not know.
 *
 * @module
 */
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import { compileSchema } from '../../schema/compile.ts'
import { formatIssues } from '../../schema/issues.ts'
import type { StandardSchema } from '../../schema/standard.ts'
import type { Call } from '../call.ts'
import { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { toHandler } from '../definitions.ts'
import type { Method, MethodResult } from '../feature.ts'
import { isInputRequired } from '../input-required/result.ts'
import { checkHandler, checkName } from './list-entry.ts'

/** Notifications with a meaning of their own, which nobody may take over. */
const OWN_NOTIFICATIONS = ['notifications/cancelled', 'notifications/progress']

/** What a custom method or notification says about itself. */
export interface CustomConfig {
  /** Validates the parameters, without their `_meta`. */
  readonly input?: StandardSchema | undefined
}

/** The custom methods and notifications of one server. */
export class Custom {
  /** Handlers of notifications, by name. */
  readonly notifications: Map<string, (call: Call) => Promise<void>> = new Map()
  readonly #core: ServerCore

  constructor(core: ServerCore) {
    this.#core = core
  }

  /**
   * Makes a method of a handler.
   *
   * @throws {TypeError} if the schema cannot be used
   */
  toMethod(name: string, config: CustomConfig, handler: (...args: never[]) => unknown): Method {
    checkName('method', name)
    const run = this.#compile(`method '${name}'`, config, handler)
    return { handle: async (call) => toResult(name, await run(call)) }
  }

  /**
   * Adds a handler for a notification.
   *
   * @throws {TypeError} if the schema cannot be used or the notification has a handler
   */
  addNotification(
    name: string,
    config: CustomConfig,
    handler: (...args: never[]) => unknown,
  ): void {
    if (this.notifications.has(name) || OWN_NOTIFICATIONS.includes(name))
      throw new TypeError(`notification '${name}' is already defined`)
    checkName('notification', name)
    const run = this.#compile(`notification '${name}'`, config, handler)
    this.notifications.set(name, async (call) => {
      await run(call)
    })
  }

  #compile(
    what: string,
    config: CustomConfig,
    handler: (...args: never[]) => unknown,
  ): (call: Call) => Promise<unknown> {
    const { toJsonSchema } = this.#core
    const options = { subject: `${what}: input schema`, side: 'input', toJsonSchema } as const
    checkHandler(what, handler)
    const run = toHandler(handler)
    const schema = config.input === undefined ? undefined : compileSchema(config.input, options)
    return async (call) => {
      const { _meta, ...input } = call.params
      if (schema === undefined) return run(input, new Context(call, this.#core))
      const checked = await schema.validate(input)
      if (checked.issues !== undefined) {
        throw new InvalidParamsError(`Invalid params: ${formatIssues(checked.issues)}`)
      }
      return run(checked.value, new Context(call, this.#core))
    }
  }
}

function toResult(name: string, returned: unknown): MethodResult {
  if (returned === undefined) return {}
  if (!isRecord(returned)) throw new TypeError(`method '${name}' must return an object`)
  if (isInputRequired(returned) || returned['resultType'] === 'input_required') {
    throw new TypeError(`method '${name}' cannot ask on return: tools, prompts and resources can`)
  }
  return returned
}
