/**
 * Prompts: listing and getting them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @module
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { PromptArgument, PromptMessage } from '../../protocol/prompts.ts'
import type { Revision } from '../../protocol/versions.ts'
import { compileSchema } from '../../schema/compile.ts'
import type { CompiledSchema } from '../../schema/compile.ts'
import { formatIssues } from '../../schema/issues.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { Asked } from '../ask/question.ts'
import { runHandler } from '../ask/run-handler.ts'
import { isContentBlock } from '../content-block.ts'
import type { Call, Delivery } from '../call.ts'
import type { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { toHandler } from '../definitions.ts'
import type { AnyPrompt } from '../definitions.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'
import { Registry } from '../registry.ts'
import type { Listed } from '../registry.ts'
import { anyCompletes, toCompletable } from './completable.ts'
import type { Completable } from './completable.ts'
import { downgraded } from './downgrade.ts'
import { checkHandler, checkName, commonMembers } from './list-entry.ts'
import { quoted } from './quoted.ts'

interface CompiledPrompt extends Listed, Completable {
  readonly name: string
  readonly validate: CompiledSchema['validate']
  readonly handler: (input: unknown, ctx: Context) => unknown
}

/** The prompts of one server. */
export class Prompts implements Feature {
  readonly methods: Readonly<Record<string, Method>>
  readonly #core: ServerCore
  readonly #registry: Registry<CompiledPrompt>

  constructor(core: ServerCore, changed: () => void) {
    this.#core = core
    this.#registry = new Registry(core, { kind: 'prompt', member: 'prompts', changed })
    this.methods = {
      'prompts/list': { capability: 'prompts', handle: (call) => this.#registry.list(call) },
      'prompts/get': { capability: 'prompts', handle: (call) => this.#get(call) },
    }
  }

  /**
   * Adds a prompt.
   *
   * @throws {TypeError} if the definition has a mistake or the name is taken
   */
  add(prompt: AnyPrompt): void {
    this.#registry.add(prompt.name, compilePrompt(this.#core, prompt))
  }

  /** Removes the prompt of that name. */
  remove(name: string): boolean {
    return this.#registry.remove(name)
  }

  /** What can be completed of a prompt; undefined when there is no such prompt. */
  completable(name: string): Completable | undefined {
    return this.#registry.get(name)
  }

  /** Whether any prompt suggests values. */
  get completes(): boolean {
    return anyCompletes(this.#registry.values())
  }

  capabilities(delivery: Delivery): ServerCapabilities {
    if (this.#registry.size === 0) return {}
    return { prompts: delivery.changes ? { listChanged: true } : {} }
  }

  async #get(call: Call): Promise<MethodResult> {
    const { name } = call.params
    if (typeof name !== 'string') throw new InvalidParamsError("'name' must be a string")
    const prompt = this.#registry.get(name)
    if (prompt === undefined) throw new InvalidParamsError(`Unknown prompt: ${quoted(name)}`)
    const args = call.params['arguments'] ?? {}
    if (!isRecord(args)) throw new InvalidParamsError("'arguments' must be an object")
    const checked = await prompt.validate(args)
    if (checked.issues !== undefined) {
      throw new InvalidParamsError(`Invalid arguments: ${formatIssues(checked.issues)}`)
    }
    const returned = await runHandler(this.#core, call, (ctx) => prompt.handler(checked.value, ctx))
    if (returned instanceof Asked) return returned.result
    return toPromptResult(prompt.name, returned, call.caller.revision)
  }
}

function compilePrompt(core: ServerCore, prompt: AnyPrompt): CompiledPrompt {
  const { name, config } = prompt
  checkName('prompt', name)
  checkHandler(`prompt '${name}'`, prompt.handler)
  const { toJsonSchema } = core
  const subject = `prompt '${name}': input schema`
  const input = compileSchema(config.input, { subject, side: 'input', toJsonSchema })
  const args = toArguments(subject, input.json)
  const names = args.map((argument) => argument.name)
  const entry = { name, ...commonMembers(config), arguments: args.length === 0 ? undefined : args }
  const text = JSON.stringify(entry)
  return {
    name,
    validate: input.validate,
    ...toCompletable(`prompt '${name}'`, names, config.complete),
    handler: toHandler(prompt.handler),
    listed: () => text,
  }
}

/** Prompt arguments travel as strings, so a schema that wants anything else can never be met. */
function toArguments(subject: string, json: JsonSchema): readonly PromptArgument[] {
  const required = json.required ?? []
  return Object.entries(json.properties ?? {}).map(([name, schema]) => {
    if (typeof schema === 'boolean' || schema.type !== 'string') {
      throw new TypeError(`${subject}: '${name}' must be a string, because prompt arguments are`)
    }
    const { title, description } = schema
    return { name, title, description, required: required.includes(name) || undefined }
  })
}

function toPromptResult(name: string, returned: unknown, revision: Revision): MethodResult {
  const whole = Array.isArray(returned) ? { messages: returned } : returned
  const { messages, description, meta } = isRecord(whole) ? whole : {}
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    throw new TypeError(`prompt '${name}' returned neither messages nor { messages }`)
  }
  return {
    description: typeof description === 'string' ? description : undefined,
    messages: messages.map(({ role, content }) => ({
      role,
      content: downgraded([content], revision)[0],
    })),
    _meta: isRecord(meta) ? meta : undefined,
  }
}

function isMessage(value: unknown): value is PromptMessage {
  return (
    isRecord(value) &&
    (value['role'] === 'user' || value['role'] === 'assistant') &&
    isContentBlock(value['content'])
  )
}
