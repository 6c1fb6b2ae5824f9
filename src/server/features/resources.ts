/**
 * Resources and resource templates: listing and reading them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @module
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import { InvalidParamsError, ResourceNotFoundError } from '../../protocol/errors.ts'
import { MAX_URI_CHARS } from '../../protocol/limits.ts'
import type { UriTemplate } from '../../schema/uri-template.ts'
import { parseUriTemplate } from '../../schema/uri-template.ts'
import { Asked } from '../ask/question.ts'
import { isRetry, runHandler } from '../ask/run-handler.ts'
import { NO_CACHE } from '../cache-hints.ts'
import type { Call, Delivery } from '../call.ts'
import type { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { toHandler } from '../definitions.ts'
import type { AnyResource, AnyResourceTemplate } from '../definitions.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'
import { Registry } from '../registry.ts'
import type { Listed } from '../registry.ts'
import { anyCompletes, toCompletable } from './completable.ts'
import type { Completable } from './completable.ts'
import { checkHandler, checkName, commonMembers } from './list-entry.ts'
import { quoted } from './quoted.ts'
import { toReadResult } from './resource-contents.ts'
import type { ReadTarget } from './resource-contents.ts'

type Reader = (input: unknown, ctx: Context, uri?: string) => unknown

interface CompiledResource extends Listed, Completable {
  readonly uri: string
  readonly mimeType: string | undefined
  readonly reader: Reader | undefined
}

interface CompiledTemplate extends Listed, Completable {
  readonly match: UriTemplate['match']
  readonly mimeType: string | undefined
  readonly reader: Reader
}

interface Match {
  readonly target: ReadTarget
  readonly read: (ctx: Context) => unknown
}

/** The resources and templates of one server. */
export class Resources implements Feature {
  readonly methods: Readonly<Record<string, Method>>
  readonly #core: ServerCore
  readonly #resources: Registry<CompiledResource>
  readonly #templates: Registry<CompiledTemplate>
  #fallback: Reader | undefined

  constructor(core: ServerCore, changed: () => void) {
    this.#core = core
    this.#resources = new Registry(core, { kind: 'resource', member: 'resources', changed })
    this.#templates = new Registry(core, {
      kind: 'resource template',
      member: 'resourceTemplates',
      changed,
    })
    const capability = 'resources'
    this.methods = {
      'resources/list': { capability, handle: (call) => this.#resources.list(call) },
      'resources/templates/list': { capability, handle: (call) => this.#templates.list(call) },
      'resources/read': { capability, handle: (call) => this.#read(call) },
    }
  }

  /**
   * Adds a resource.
   *
   * @throws {TypeError} if the URI cannot be parsed or is taken
   */
  add({ uri, config, reader }: AnyResource): void {
    if (!isUri(uri)) throw new TypeError(`resource '${uri}' has no valid URI`)
    const { name, mimeType, size, annotations } = config
    checkName('resource', name)
    if (reader !== undefined) checkHandler(`resource '${uri}'`, reader)
    const entry = { uri, name, ...commonMembers(config), mimeType, size, annotations }
    const text = JSON.stringify(entry)
    this.#resources.add(uri, {
      uri,
      mimeType,
      ...toCompletable(uri, []),
      reader: reader && toHandler(reader),
      listed: () => text,
    })
  }

  /**
   * Adds a template.
   *
   * @throws {TypeError} if the template cannot be parsed, is taken, or completes a variable it does not have
   */
  addTemplate({ uriTemplate, config, reader }: AnyResourceTemplate): void {
    const subject = `resource template '${uriTemplate}'`
    const { match, variables } = parseUriTemplate(uriTemplate, subject)
    const { name, mimeType, annotations } = config
    checkName('resource template', name)
    checkHandler(subject, reader)
    const entry = { uriTemplate, name, ...commonMembers(config), mimeType, annotations }
    const text = JSON.stringify(entry)
    this.#templates.add(uriTemplate, {
      match,
      mimeType,
      ...toCompletable(subject, variables, config.complete),
      reader: toHandler(reader),
      listed: () => text,
    })
  }

  /** Sets the reader of what is listed without one, and of what nothing matches. */
  setFallback(reader: (uri: string, ctx: never) => unknown): void {
    if (this.#fallback !== undefined) throw new TypeError('readResource is already set')
    this.#fallback = toHandler(reader)
  }

  /** Removes the resource or template of that URI. */
  remove(key: string): boolean {
    return this.#resources.remove(key) || this.#templates.remove(key)
  }

  /** What can be completed of a template; undefined when there is no such definition. */
  completable(uri: string): Completable | undefined {
    return this.#templates.get(uri) ?? this.#resources.get(uri)
  }

  /** Whether any template suggests values. */
  get completes(): boolean {
    return anyCompletes(this.#templates.values())
  }

  capabilities(delivery: Delivery): ServerCapabilities {
    const none = this.#resources.size + this.#templates.size === 0 && this.#fallback === undefined
    if (none) return {}
    return { resources: delivery.changes ? { subscribe: true, listChanged: true } : {} }
  }

  async #read(call: Call): Promise<MethodResult> {
    const { uri } = call.params
    if (typeof uri !== 'string') throw new InvalidParamsError("'uri' must be a string")
    const match = this.#match(uri)
    const returned = await runHandler(this.#core, call, match.read)
    if (returned instanceof Asked) return returned.result
    const { contents, hints } = toReadResult(match.target, returned)
    const rules = this.#core.rulesOf(call.caller)
    // What depends on answers is nobody else's, and not the next reader's either.
    return { contents, ...rules.hints(this.#core.cache, isRetry(call) ? NO_CACHE : hints) }
  }

  #match(uri: string): Match {
    if (uri.length > MAX_URI_CHARS) throw new InvalidParamsError("'uri' is too long")
    const resource = this.#resources.get(uri)
    if (resource?.reader !== undefined) return toMatch(resource, resource.reader, uri)
    if (resource === undefined) {
      const match = this.#matchTemplate(uri)
      if (match !== undefined) return match
      // After the templates: URL parsers refuse some hosts that RFC 3986, and so a template, allows.
      if (!isUri(uri)) throw new InvalidParamsError(`'uri' cannot be parsed: ${quoted(uri)}`)
    }
    const fallback = this.#fallback
    if (fallback === undefined) throw new ResourceNotFoundError(uri)
    return toMatch({ uri, mimeType: resource?.mimeType }, fallback, uri)
  }

  #matchTemplate(uri: string): Match | undefined {
    for (const { match, mimeType, reader } of this.#templates.values()) {
      const matched = match(uri)
      if (matched === 'invalid') {
        throw new InvalidParamsError(`'uri' has a bad percent-encoding: ${quoted(uri)}`)
      }
      if (matched !== undefined) {
        return { target: { uri, mimeType }, read: (ctx) => reader(matched, ctx, uri) }
      }
    }
    return undefined
  }
}

function toMatch(target: ReadTarget, reader: Reader, uri: string): Match {
  return { target, read: (ctx) => reader(uri, ctx) }
}

function isUri(uri: string): boolean {
  return URL.canParse(uri)
}
