/**
 * The client: one API for both eras and every transport.
 *
 * @module
 */
import type { CompleteRequestParams, CompleteResult } from '../protocol/completion.ts'
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { DiscoverResult } from '../protocol/lifecycle.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { GetPromptResult, ListPromptsResult, Prompt } from '../protocol/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '../protocol/resources.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import type { CallToolResult, ListToolsResult, Tool } from '../protocol/tools.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import { formatIssues } from '../schema/issues.ts'
import type { StandardSchema } from '../schema/standard.ts'
import { ClientCore } from './core.ts'
import { InvalidResponseError } from './errors.ts'
import { Subscription } from './listen.ts'
import type {
  CallOptions,
  ClientOptions,
  ConnectOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  Verdict,
} from './options.ts'
import { Listing } from './pages.ts'
import type { Page } from './pages.ts'
import { toCallToolResult, toCompleteResult, toResult } from './results.ts'
import type { Target } from './transport.ts'
import type { ToolDefinitions, TypedClient } from './typed.ts'

/**
 * A client of one server.
 *
 * @example
 * ```ts
 * const client = await Client.connect('https://mcp.example.com/mcp', { name: 'cli', version: '1.0.0' })
 * const result = await client.callTool('forecast', { city: 'Oslo' })
 * await client.close()
 * ```
 */
export class Client extends ClientCore {
  /**
   * Makes a client and connects it.
   *
   * @param target the server
   * @param options who the client is, and how the server is reached
   */
  static async connect(target: Target, options: ClientOptions & ConnectOptions): Promise<Client> {
    const client = new Client(options)
    await client.connect(target, options)
    return client
  }

  /** Whether a connection has been made and not closed. */
  get connected(): boolean {
    return this.latest !== undefined
  }

  /** The era of the connection; undefined before one is made. */
  get era(): Era | undefined {
    return this.latest?.era
  }

  /** The revision both sides speak. */
  get protocolVersion(): Revision | undefined {
    return this.latest?.protocolVersion
  }

  /** What the server declared. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.latest?.serverCapabilities
  }

  /** Who the server says it is; for display only. */
  get serverInfo(): Implementation | undefined {
    return this.latest?.serverInfo
  }

  /** How to use the server, for the model. */
  get instructions(): string | undefined {
    return this.latest?.instructions
  }

  /** What the connection learned; keep it, and pass it to `connect` to skip the probe next time. */
  get verdict(): Verdict | undefined {
    return this.latest
  }

  /** Asks a modern server what it is. */
  async discover(options: ReadOptions = {}): Promise<DiscoverResult> {
    this.only('modern', 'discover() is for modern servers; read client.serverCapabilities')
    const result = await this.caller.cached({ method: 'server/discover', params: {} }, '', options)
    return toResult<DiscoverResult>('server/discover', result, 'supportedVersions')
  }

  /** Asks a legacy server whether it is there. */
  async ping(options: RequestOptions = {}): Promise<void> {
    this.only('legacy', 'ping() is for legacy servers; call discover()')
    await this.caller.send({ method: 'ping', params: {} }, options)
  }

  /** One page of the tools, without those whose header annotations are invalid. */
  async listTools(options: PageOptions = {}): Promise<ListToolsResult> {
    return this.toolsPage(options)
  }

  /** All tools: `await` them, or `for await` one after the other. */
  tools(options: PageOptions = {}): Listing<Tool> {
    return this.#listing('tools/list', async (cursor) => {
      const { tools: items, nextCursor } = await this.listTools({ ...options, cursor })
      return { items, nextCursor }
    })
  }

  /**
   * Calls a tool. Structured output is checked against the listed schema.
   *
   * @param name the tool
   * @param args its arguments
   * @param options how
   * @throws {McpError} the server's error, such as an unknown tool
   * @throws {InputRequiredError} when the server asks what cannot be answered
   * @throws {OutputValidationError} for output that breaks the tool's promise
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    const asked = { method: 'tools/call', params: { name, arguments: args } }
    const result = toCallToolResult((await this.caller.rounds(asked, options)).result)
    if (this.options.validateOutput !== false) await this.index.check(name, result)
    return result
  }

  /**
   * This client, typed by the definitions of the server's tools. Costs nothing at run time.
   *
   * @example
   * ```ts
   * const { structuredContent } = await client.typed<typeof tools>().callTool('forecast', { city: 'Oslo' })
   * ```
   */
  typed<Tools extends ToolDefinitions>(): TypedClient<Tools>
  // Definitions are a claim about the server; the validation of output holds it to them.
  typed(): unknown {
    return this
  }

  /** One page of the resources. */
  async listResources(options: PageOptions = {}): Promise<ListResourcesResult> {
    return this.page('resources/list', 'resources', options)
  }

  /** All resources. */
  resources(options: PageOptions = {}): Listing<Resource> {
    return this.#listing('resources/list', async (cursor) => {
      const { resources: items, nextCursor } = await this.listResources({ ...options, cursor })
      return { items, nextCursor }
    })
  }

  /** One page of the resource templates. */
  async listResourceTemplates(options: PageOptions = {}): Promise<ListResourceTemplatesResult> {
    return this.page('resources/templates/list', 'resourceTemplates', options)
  }

  /** All resource templates. */
  resourceTemplates(options: PageOptions = {}): Listing<ResourceTemplate> {
    return this.#listing('resources/templates/list', async (cursor) => {
      const page = await this.listResourceTemplates({ ...options, cursor })
      return { items: page.resourceTemplates, nextCursor: page.nextCursor }
    })
  }

  /** Reads a resource. */
  async readResource(uri: string, options: ReadOptions = {}): Promise<ReadResourceResult> {
    const asked = { method: 'resources/read', params: { uri } }
    const result = await this.caller.cached(asked, uri, options)
    return toResult<ReadResourceResult>('resources/read', result, 'contents')
  }

  /** One page of the prompts. */
  async listPrompts(options: PageOptions = {}): Promise<ListPromptsResult> {
    return this.page('prompts/list', 'prompts', options)
  }

  /** All prompts. */
  prompts(options: PageOptions = {}): Listing<Prompt> {
    return this.#listing('prompts/list', async (cursor) => {
      const { prompts: items, nextCursor } = await this.listPrompts({ ...options, cursor })
      return { items, nextCursor }
    })
  }

  /** Fills in a prompt. */
  async getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const params = args === undefined ? { name } : { name, arguments: args }
    const { result } = await this.caller.rounds({ method: 'prompts/get', params }, options)
    return toResult<GetPromptResult>('prompts/get', result, 'messages')
  }

  /** Completes an argument of a prompt or a resource template. */
  async complete(
    params: Omit<CompleteRequestParams, '_meta'>,
    options: RequestOptions = {},
  ): Promise<CompleteResult> {
    const asked = { method: 'completion/complete', params: { ...params } }
    return toCompleteResult(await this.caller.send(asked, options))
  }

  /** Asks a legacy server to tell when a resource changes; `listen` does so in both eras. */
  async subscribe(uri: string, options: RequestOptions = {}): Promise<void> {
    this.only('legacy', 'subscribe() is for legacy servers; use listen()')
    await this.caller.send({ method: 'resources/subscribe', params: { uri } }, options)
  }

  /** Undoes {@link subscribe}. */
  async unsubscribe(uri: string, options: RequestOptions = {}): Promise<void> {
    this.only('legacy', 'unsubscribe() is for legacy servers; end the listen() instead')
    await this.caller.send({ method: 'resources/unsubscribe', params: { uri } }, options)
  }

  /**
   * Listens for changes. On a legacy server this subscribes to the resources and reads the stream of
   * unasked messages, so that an application needs one piece of code.
   *
   * @param filter which changes
   * @param options a signal that ends it
   */
  listen(
    filter: SubscriptionFilter,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Subscription {
    const { signal: own } = options
    const signal = own === undefined ? this.closing : AbortSignal.any([own, this.closing])
    return new Subscription({
      signal,
      clock: this.clock,
      listen: async (sink, until) => {
        const session = await this.session()
        const changed = (method: string, params: Params): void => {
          this.forget(method, params)
          sink.changed(method, params)
        }
        await session.listen(filter, { ...sink, changed }, until)
      },
    })
  }

  /**
   * Sets the lowest level of log messages that are wanted: of a legacy session, or of every request
   * from now on to a modern server.
   */
  async setLogLevel(level: LoggingLevel): Promise<void> {
    await (await this.session()).setLogLevel(level)
  }

  /** Tells a legacy server that the roots changed; a modern one asks for them when it needs them. */
  async rootsChanged(): Promise<void> {
    await (await this.session()).rootsChanged()
  }

  /** Sends a notification of any method. */
  async notify(method: string, params?: Params): Promise<void> {
    await (await this.session()).notify(method, params)
  }

  /**
   * Sends a request of any method.
   *
   * @param method the method
   * @param params its parameters
   * @param options how; with `schema` the result is validated and typed
   * @throws {InvalidResponseError} when the result does not match the schema
   */
  async request(method: string, params?: Params, options?: CallOptions): Promise<Params>
  async request<Output>(
    method: string,
    params: Params,
    options: CallOptions & { readonly schema: StandardSchema<unknown, Output> },
  ): Promise<Output>
  async request(
    method: string,
    params: Params = {},
    options: CallOptions & { readonly schema?: StandardSchema | undefined } = {},
  ): Promise<unknown> {
    const { schema, ...rest } = options
    const { result } = await this.caller.rounds({ method, params }, rest)
    if (schema === undefined) return result
    const validated = await schema['~standard'].validate(result)
    if (validated.issues === undefined) return validated.value
    throw new InvalidResponseError(method, formatIssues(validated.issues))
  }

  #listing<T>(method: string, read: (cursor: string | undefined) => Promise<Page<T>>): Listing<T> {
    return new Listing({ method, maxPages: this.maxPages, read })
  }
}
