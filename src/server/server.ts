/**
 * A server: its definitions, and the dispatcher that runs calls against them. It holds no
 * transport and nothing of any client, so one server serves any number of both.
 *
 * @module
 */
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { StandardSchema } from '../schema/standard.ts'
import { debounced } from '../shared/debounced.ts'
import type { Delivery } from './call.ts'
import type { Context, ServerTypes } from './context.ts'
import { ServerCore } from './core.ts'
import type { PromptConfig, PromptHandler, ResourceReader, TemplateReader } from './define.ts'
import type { AnyDefinition, ResourceConfig, ResourceTemplateConfig } from './definitions.ts'
import { Dispatcher } from './dispatcher.ts'
import type { Extension } from './extension.ts'
import { Completion } from './features/completion.ts'
import type { CompletionFallback } from './features/completion.ts'
import { Custom } from './features/custom.ts'
import { lifecycle } from './features/lifecycle.ts'
import { Prompts } from './features/prompts.ts'
import { Resources } from './features/resources.ts'
import { sessionSettings } from './features/session-settings.ts'
import { Tools } from './features/tools.ts'
import { createNotifier } from './notifier.ts'
import type { Change, Notifier, Outlet } from './notifier.ts'
import type { ServerOptions } from './options.ts'
import type { CheckReturn, InputSchema, ToolConfig, ToolHandler } from './tool-types.ts'

/** What a custom method or notification says about itself, with the type of its input. */
export interface MethodConfig<I extends StandardSchema | undefined> {
  /** Validates the parameters, without their `_meta`. */
  readonly input?: I | undefined
}

/** Runs a custom method or notification. */
export type MethodHandler<I, Ctx, Return> = (
  input: [I] extends [StandardSchema<unknown, infer Input>] ? Input : Params,
  ctx: Ctx,
) => Return | Promise<Return>

/**
 * An MCP server, defined once. `createHandler(server)` serves it over HTTP, `serveStdio(server)` over
 * a process's pipes.
 */
export class McpServer<T extends ServerTypes = ServerTypes> {
  /** What the parts share; for adapters. */
  readonly core: ServerCore
  /** Runs calls; for adapters. */
  readonly dispatcher: Dispatcher
  /** Publishes changes to every handler of this server. */
  readonly notify: Notifier
  readonly #tools: Tools
  readonly #resources: Resources
  readonly #prompts: Prompts
  readonly #completion: Completion
  readonly #custom: Custom
  readonly #outlets = new Set<Outlet>()

  /**
   * @param options what the server is made with
   * @throws {TypeError} if an option cannot be used; the message names it
   */
  constructor(options: ServerOptions) {
    const core = new ServerCore(options)
    const changed = (kind: 'tools' | 'prompts' | 'resources'): (() => void) => {
      // Many definitions in a row are one change: told once per turn of the event loop.
      const tell = debounced(() => {
        for (const outlet of this.#outletsByBus()) outlet.changed({ kind })
      })
      return () => {
        this.dispatcher.forgetCapabilities()
        if (this.#outlets.size > 0) tell()
      }
    }
    this.core = core
    this.notify = createNotifier((change) => this.#publish(change))
    this.#tools = new Tools(core, changed('tools'))
    this.#resources = new Resources(core, changed('resources'))
    this.#prompts = new Prompts(core, changed('prompts'))
    this.#completion = new Completion(this.#prompts, this.#resources)
    this.#custom = new Custom(core)
    const capabilities = (delivery: Delivery): ServerCapabilities =>
      this.dispatcher.capabilities(delivery)
    const { aroundRequest: around, hooksSeeData: seesData = false } = options
    this.dispatcher = new Dispatcher(core, {
      features: [
        lifecycle(core, capabilities),
        sessionSettings(capabilities),
        this.#tools,
        this.#resources,
        this.#prompts,
        this.#completion,
      ],
      notifications: this.#custom.notifications,
      hook: around === undefined ? undefined : { around, seesData },
    })
    if (options.tools !== undefined) this.add(...options.tools)
  }

  /**
   * Adds a tool.
   *
   * @param name the tool's name; 1 to 128 of `A-Z a-z 0-9 _ - .` suits every client
   * @param config what the tool says about itself
   * @param handler runs a call; receives the validated arguments and the context
   * @throws {TypeError} if the definition has a mistake or the name is taken
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
   */
  tool<
    H extends ToolHandler<I, O, Context<T>>,
    I extends InputSchema | undefined = undefined,
    O extends StandardSchema | undefined = undefined,
  >(name: string, config: ToolConfig<I, O>, handler: H & CheckReturn<H, O>): void {
    this.#tools.add({ kind: 'tool', name, config, handler })
  }

  /**
   * Adds a resource.
   *
   * @param uri the resource's URI
   * @param config what the resource says about itself
   * @param reader returns its contents; without one the resource is listed, and
   *   {@link McpServer.readResource} reads it
   * @throws {TypeError} if the URI cannot be parsed or is taken
   */
  resource(uri: string, config: ResourceConfig, reader?: ResourceReader<Context<T>>): void {
    this.#resources.add({ kind: 'resource', uri, config, reader })
  }

  /**
   * Adds a resource template.
   *
   * @param uriTemplate an RFC 6570 template
   * @param config what the template says about itself, and completers by variable
   * @param reader returns the contents of the resource that the variables name
   * @throws {TypeError} if the template cannot be used or is taken
   */
  resourceTemplate<const Template extends string>(
    uriTemplate: Template,
    config: ResourceTemplateConfig,
    reader: TemplateReader<Template, Context<T>>,
  ): void {
    this.#resources.addTemplate({ kind: 'template', uriTemplate, config, reader })
  }

  /**
   * Sets the reader of resources that are listed without one, and of URIs that nothing matches.
   *
   * @param reader returns contents, or throws `ResourceNotFoundError`
   * @throws {TypeError} if there is one already
   */
  readResource(reader: ResourceReader<Context<T>>): void {
    this.#resources.setFallback(reader)
    this.dispatcher.forgetCapabilities()
  }

  /**
   * Adds a prompt.
   *
   * @param name the prompt's name
   * @param config what the prompt says about itself, and completers by argument
   * @param handler returns its messages
   * @throws {TypeError} if the definition has a mistake or the name is taken
   */
  prompt<I extends InputSchema | undefined = undefined>(
    name: string,
    config: PromptConfig<I>,
    handler: PromptHandler<I, Context<T>>,
  ): void {
    this.#prompts.add({ kind: 'prompt', name, config, handler })
  }

  /**
   * Sets what suggests values where no definition does.
   *
   * @param fallback returns at most 100 values; more are cut
   * @throws {TypeError} if there is one already
   */
  complete(fallback: CompletionFallback): void {
    this.#completion.setFallback(fallback)
    this.dispatcher.forgetCapabilities()
  }

  /**
   * Adds a method that the protocol does not know.
   *
   * @param name the method's name
   * @param config the schema of its parameters
   * @param handler returns the result, an object
   * @throws {TypeError} if the name is taken; the protocol's own methods cannot be replaced
   */
  method<I extends StandardSchema | undefined = undefined>(
    name: string,
    config: MethodConfig<I>,
    handler: MethodHandler<I, Context<T>, Params | void>,
  ): void {
    this.dispatcher.add(name, this.#custom.toMethod(name, config, handler))
  }

  /**
   * Adds a handler for a notification that the protocol does not know.
   *
   * @param name the notification's name
   * @param config the schema of its parameters
   * @param handler runs when one arrives
   * @throws {TypeError} if it has a handler
   */
  notification<I extends StandardSchema | undefined = undefined>(
    name: string,
    config: MethodConfig<I>,
    handler: MethodHandler<I, Context<T>, void>,
  ): void {
    this.#custom.addNotification(name, config, handler)
  }

  /**
   * Adds an extension.
   *
   * @throws {TypeError} if its id breaks the grammar or is in use
   */
  use(extension: Extension): void {
    this.core.extend(extension.id, extension.settings)
    extension.install?.({
      method: (name, config, handler) => {
        this.dispatcher.add(name, this.#custom.toMethod(name, config, handler))
      },
      decorate: (method, decorator) => this.dispatcher.decorate(method, decorator),
    })
    this.dispatcher.forgetCapabilities()
  }

  /**
   * Adds definitions made with `defineTool` and its siblings.
   *
   * @throws {TypeError} if one has a mistake or its name is taken
   */
  add(...definitions: readonly AnyDefinition[]): void {
    for (const definition of definitions) this.#add(definition)
  }

  /**
   * Removes definitions. Calls in progress end as they would have.
   *
   * @returns whether all of them were there
   */
  remove(...definitions: readonly AnyDefinition[]): boolean {
    return definitions.map((definition) => this.#remove(definition)).every(Boolean)
  }

  /**
   * Lets changes reach a handler; for adapters.
   *
   * @param outlet takes changes to the handler's subscribers
   * @returns lets no more changes reach it
   */
  connect(outlet: Outlet): () => void {
    this.#outlets.add(outlet)
    return () => this.#outlets.delete(outlet)
  }

  async #publish(change: Change): Promise<void> {
    await Promise.all(this.#outletsByBus().map((outlet) => outlet.publish(change)))
  }

  /** One outlet for each bus: what carries a change to many must get it once. */
  #outletsByBus(): readonly Outlet[] {
    return [...new Map([...this.#outlets].map((outlet) => [outlet.bus ?? outlet, outlet])).values()]
  }

  #add(definition: AnyDefinition): void {
    switch (definition.kind) {
      case 'tool':
        return this.#tools.add(definition)
      case 'resource':
        return this.#resources.add(definition)
      case 'template':
        return this.#resources.addTemplate(definition)
      case 'prompt':
        return this.#prompts.add(definition)
    }
  }

  #remove(definition: AnyDefinition): boolean {
    switch (definition.kind) {
      case 'tool':
        return this.#tools.remove(definition.name)
      case 'resource':
        return this.#resources.remove(definition.uri)
      case 'template':
        return this.#resources.remove(definition.uriTemplate)
      case 'prompt':
        return this.#prompts.remove(definition.name)
    }
  }
}
