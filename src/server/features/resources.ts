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
import { CachedList } from '../cached-list.ts'
import type { Call, Delivery } from '../call.ts'
import type { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { toHandler } from '../definitions.ts'
import type { AnyResource, AnyResourceTemplate, Completer } from '../definitions.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'
import { Registry } from '../registry.ts'
import { checkHandler, checkName, commonMembers } from './list-entry.ts'
import { quoted } from './quoted.ts'
import { toReadResult } from './resource-contents.ts'
import type { ReadTarget } from './resource-contents.ts'

type Reader = (input: unknown, ctx: Context, uri?: string) => unknown

interface CompiledResource {
  readonly uri: string
  readonly mimeType: string | undefined
  readonly reader: Reader | undefined
  readonly listed: string
}

interface CompiledTemplate {
  readonly template: UriTemplate
  readonly mimeType: string | undefined
  readonly complete: Readonly<Record<string, Completer>>
  readonly reader: Reader
  readonly listed: string
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
    this.#resources = new Registry('resource', () => {
      list.clear()
      changed()
    })
    this.#templates = new Registry('resource template', () => {
      templates.clear()
      changed()
    })
    const list = new CachedList(core, {
      member: 'resources',
      registry: this.#resources,
      render: listedOf,
    })
    const templates = new CachedList(core, {
      member: 'resourceTemplates',
      registry: this.#templates,
      render: listedOf,
    })
    this.methods = {
      'resources/list': { capability: 'resources', handle: (call) => list.answer(call) },
      'resources/templates/list': {
        capability: 'resources',
        handle: (call) => templates.answer(call),
      },
      'resources/read': { capability: 'resources', handle: (call) => this.#read(call) },
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
    this.#resources.add(uri, {
      uri,
      mimeType,
      reader: reader === undefined ? undefined : toHandler(reader),
      listed: JSON.stringify({ uri, name, ...commonMembers(config), mimeType, size, annotations }),
    })
  }

  /**
   * Adds a template.
   *
   * @throws {TypeError} if the template cannot be parsed, is taken, or completes a variable it does not have
   */
  addTemplate({ uriTemplate, config, reader }: AnyResourceTemplate): void {
    const template = parseUriTemplate(uriTemplate, `resource template '${uriTemplate}'`)
    const { name, mimeType, annotations, complete = {} } = config
    checkName('resource template', name)
    checkHandler(`resource template '${uriTemplate}'`, reader)
    for (const variable of Object.keys(complete)) {
      if (!template.variables.includes(variable)) {
        throw new TypeError(`resource template '${uriTemplate}' has no variable '${variable}'`)
      }
    }
    const entry = { uriTemplate, name, ...commonMembers(config), mimeType, annotations }
    this.#templates.add(uriTemplate, {
      template,
      mimeType,
      complete,
      reader: toHandler(reader),
      listed: JSON.stringify(entry),
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

  /** The completers of a template or, for a plain resource, none; undefined when there is neither. */
  completersOf(uri: string): Readonly<Record<string, Completer>> | undefined {
    const template = this.#templates.get(uri)
    if (template !== undefined) return template.complete
    return this.#resources.get(uri) === undefined ? undefined : {}
  }

  /** The variables of a template. */
  variablesOf(uriTemplate: string): readonly string[] {
    return this.#templates.get(uriTemplate)?.template.variables ?? []
  }

  /** Whether any template suggests values. */
  get completes(): boolean {
    return this.#templates.values().some(({ complete }) => Object.keys(complete).length > 0)
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
    for (const { template, mimeType, reader } of this.#templates.values()) {
      const matched = template.match(uri)
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

function listedOf(item: { readonly listed: string }): string {
  return item.listed
}

function toMatch(target: ReadTarget, reader: Reader, uri: string): Match {
  return { target, read: (ctx) => reader(uri, ctx) }
}

function isUri(uri: string): boolean {
  return URL.canParse(uri)
}
