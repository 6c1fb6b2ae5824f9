/**
 * Completion: suggesting values for prompt arguments and template variables.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @module
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import type { CompletionArgument } from '../../protocol/completion.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_COMPLETION_VALUES } from '../../protocol/limits.ts'
import type { Call } from '../call.ts'
import type { Completer, CompletionContext, CompletionValues } from '../definitions.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'
import type { Prompts } from './prompts.ts'
import { quoted } from './quoted.ts'
import type { Resources } from './resources.ts'

/** What a completion is for. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** Suggests values where no definition does. */
export type CompletionFallback = (
  ref: CompletionReference,
  argument: CompletionArgument,
  context: CompletionContext,
) => CompletionValues | Promise<CompletionValues>

/** Completion for the prompts and templates of one server. */
export class Completion implements Feature {
  readonly methods: Readonly<Record<string, Method>>
  readonly #prompts: Prompts
  readonly #resources: Resources
  #fallback: CompletionFallback | undefined

  constructor(prompts: Prompts, resources: Resources) {
    this.#prompts = prompts
    this.#resources = resources
    this.methods = {
      'completion/complete': { capability: 'completions', handle: (call) => this.#complete(call) },
    }
  }

  /** Sets what suggests values where no definition does. */
  setFallback(fallback: CompletionFallback): void {
    if (this.#fallback !== undefined) throw new TypeError('complete is already set')
    this.#fallback = fallback
  }

  capabilities(): ServerCapabilities {
    const completes =
      this.#fallback !== undefined || this.#prompts.completes || this.#resources.completes
    return completes ? { completions: {} } : {}
  }

  async #complete(call: Call): Promise<MethodResult> {
    const ref = toReference(call.params['ref'])
    const argument = toArgument(call.params['argument'])
    const context = toContext(call.params['context'])
    const completer = this.#completerOf(ref, argument)
    return { completion: toCompletion(await completer(argument.value, context)) }
  }

  #completerOf(ref: CompletionReference, argument: CompletionArgument): Completer {
    const target =
      ref.type === 'ref/prompt'
        ? this.#prompts.completable(ref.name)
        : this.#resources.completable(ref.uri)
    const { name } = argument
    if (target !== undefined && Object.hasOwn(target.complete, name)) {
      const completer = target.complete[name]
      if (completer !== undefined) return completer
    }
    const fallback = this.#fallback
    if (fallback !== undefined) return (_typed, context) => fallback(ref, argument, context)
    if (target === undefined) {
      const wanted = ref.type === 'ref/prompt' ? ref.name : ref.uri
      throw new InvalidParamsError(`Unknown ref: ${quoted(wanted)}`)
    }
    if (!target.names.includes(name)) {
      throw new InvalidParamsError(`Unknown argument: ${quoted(name)}`)
    }
    return () => []
  }
}

function toReference(ref: unknown): CompletionReference {
  const { type, name, uri } = isRecord(ref) ? ref : {}
  if (type === 'ref/prompt' && typeof name === 'string') return { type, name }
  if (type === 'ref/resource' && typeof uri === 'string') return { type, uri }
  throw new InvalidParamsError(
    "'ref' must be a ref/prompt with a name or a ref/resource with a uri",
  )
}

function toArgument(argument: unknown): CompletionArgument {
  const { name, value } = isRecord(argument) ? argument : {}
  if (typeof name === 'string' && typeof value === 'string') return { name, value }
  throw new InvalidParamsError("'argument' must have a name and a value, both strings")
}

function toContext(context: unknown): CompletionContext {
  const args = isRecord(context) ? context['arguments'] : undefined
  const known = Object.entries(isRecord(args) ? args : {})
  return { arguments: Object.fromEntries(known.filter(isText)) }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

/** Caps the values, and says so: a client shows what it gets and asks again when more is typed. */
function toCompletion(suggested: CompletionValues): Params {
  const { values, total, hasMore } = isList(suggested) ? { values: suggested } : suggested
  if (!values.every(isString)) throw new TypeError('a completer returned a value that is no string')
  const capped = values.length > MAX_COMPLETION_VALUES
  return {
    values: values.slice(0, MAX_COMPLETION_VALUES),
    total: total ?? (capped ? values.length : undefined),
    hasMore: capped || hasMore,
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isList(suggested: CompletionValues): suggested is readonly string[] {
  return Array.isArray(suggested)
}
