/**
 * What a client is made of: its connection, what it can be asked, and who listens. The methods an
 * application calls are built on this in `client.ts`.
 *
 * @module
 */
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { JSONRPCNotification, Params } from '../protocol/jsonrpc.ts'
import { CLIENT_TIMEOUT_MS, MAX_CLIENT_ROUNDS, MAX_PAGES } from '../protocol/limits.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import type { LoggingMessageNotificationParams } from '../protocol/logging.ts'
import type { ListToolsResult } from '../protocol/tools.ts'
import type { Era } from '../protocol/versions.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import { systemClock } from '../shared/clock.ts'
import type { Clock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import { Answers } from './answers.ts'
import type {
  ElicitationHandler,
  QuestionIn,
  ElicitationModes,
  QuestionHandler,
  RootsHandler,
  SamplingHandler,
  SamplingModes,
} from './answers.ts'
import { memoryCache, ResultCache } from './cache.ts'
import { Caller } from './caller.ts'
import { Connection } from './eras/connection.ts'
import { isMode } from './eras/negotiation.ts'
import type { EraSession } from './eras/era.ts'
import { toPage } from './results.ts'
import { isListChanged } from './listen-filter.ts'
import type { ListChangedMethod } from './listen-filter.ts'
import { connectorOf } from './connector.ts'
import type {
  ClientOptions,
  ConnectOptions,
  PageOptions,
  ServerNotification,
  Verdict,
} from './options.ts'
import { ToolIndex } from './tool-index.ts'
import type { Target } from './transport.ts'
import { pagesOf } from './pages.ts'

/** The parts of a client. */
export class ClientCore {
  protected readonly options: ClientOptions
  protected readonly clock: Clock
  protected readonly index: ToolIndex
  protected readonly maxPages: number
  readonly #answers = new Answers()
  readonly #logListeners: ((message: LoggingMessageNotificationParams) => void)[] = []
  readonly #listeners: ((notification: ServerNotification) => void)[] = []
  #connection: Connection | undefined
  #closing = new AbortController()
  #cache: ResultCache | undefined
  #caller: Caller | undefined

  /**
   * @param options who the client is, what it can be asked, and how it behaves
   * @throws {TypeError} for an option that is not what it has to be; the message names it
   */
  constructor(options: ClientOptions) {
    if (options.name === '' || options.version === '')
      throw new TypeError('name and version of a client must not be empty')
    this.options = options
    this.clock = options.clock ?? systemClock
    this.maxPages = limitOf('maxPages', options.maxPages, MAX_PAGES)
    this.index = new ToolIndex((error) => this.warn(error))
    const { onElicitation, onSampling, onRoots, onLog, onNotification } = options
    if (onElicitation !== undefined) this.#answers.elicitation(onElicitation, options.elicitation)
    if (onSampling !== undefined) this.#answers.sampling(onSampling)
    if (onRoots !== undefined) this.#answers.roots(onRoots)
    if (onLog !== undefined) this.#logListeners.push(onLog)
    if (onNotification !== undefined) this.#listeners.push(onNotification)
  }

  /**
   * Connects to a server. A client has one connection at a time.
   *
   * @param target the server: a URL, `{ fetch }`, or a connector such as `stdio({ … })`
   * @param options how it is reached
   * @throws {NegotiationError} when there is no revision in common
   * @throws {TypeError} for an option that is not what it has to be, or a second connection
   */
  async connect(target: Target, options: ConnectOptions = {}): Promise<void> {
    if (this.#connection !== undefined) throw new TypeError('This client is connected already')
    const { mode = 'auto', verdict, signal } = options
    if (!isMode(mode))
      throw new TypeError(`mode ${JSON.stringify(mode)} is neither an era nor a known revision`)
    const timeoutMs = this.#timeoutMs()
    const connection = new Connection({
      connector: connectorOf(target, { ...options, clock: this.clock }),
      mode,
      verdict,
      timeoutMs,
      clientInfo: identityOf(this.options),
      answers: this.#answers,
      capabilities: () => this.#capabilities(),
      wantsStream: () => this.#wantsStream(),
      notification: (notification) => this.#notified(notification),
      warn: (error) => this.warn(error),
      singleFlight: this.options.singleFlight ?? 'shared',
      clock: this.clock,
    })
    const cache = this.#cacheFor(target)
    const caller = this.#callerFor(connection, { cache, timeoutMs })
    this.#connection = connection
    this.#cache = cache
    try {
      await connection.open(signal)
    } catch (error) {
      if (this.#connection === connection) this.#connection = undefined
      throw error
    }
    if (this.#connection !== connection) throw new ConnectionClosedError('The client was closed')
    this.#caller = caller
  }

  /** Ends the connection, the session at the server included. The client may then connect again. */
  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    this.#caller = undefined
    this.#closing.abort()
    this.#closing = new AbortController()
    await connection?.close()
  }

  /**
   * Answers questions to the user. Register before connecting: legacy servers are told once.
   *
   * @param handler asks the user
   * @param modes the forms of question it can show
   * @throws {TypeError} after a legacy connection was made
   */
  onElicitation<const Modes extends ElicitationModes = { readonly url: false }>(
    handler: ElicitationHandler<QuestionIn<Modes>>,
    modes?: Modes,
  ): void {
    this.#mayRegister('elicitation/create')
    this.#answers.elicitation(handler, modes)
  }

  /**
   * Answers questions to the model.
   *
   * @param handler asks the model
   * @param modes the parts of sampling it can do
   * @throws {TypeError} after a legacy connection was made
   */
  onSampling(handler: SamplingHandler, modes?: SamplingModes): void {
    this.#mayRegister('sampling/createMessage')
    this.#answers.sampling(handler, modes)
  }

  /**
   * Answers questions for the roots.
   *
   * @param handler lists them
   * @throws {TypeError} after a legacy connection was made
   */
  onRoots(handler: RootsHandler): void {
    this.#mayRegister('roots/list')
    this.#answers.roots(handler)
  }

  /**
   * Answers a legacy server's requests of any method.
   *
   * @param method the method
   * @param handler returns the result; throw an `McpError` to answer with its code
   * @throws {TypeError} after a legacy connection was made
   */
  onRequest(method: string, handler: QuestionHandler): void {
    this.#mayRegister(method)
    this.#answers.method(method, handler)
  }

  /** Receives the server's log messages. */
  onLog(listener: (message: LoggingMessageNotificationParams) => void): void {
    this.#logListeners.push(listener)
    void this.#connection?.latest?.openStream()
  }

  /** Receives every notification that is neither progress nor a log message. */
  onNotification(listener: (notification: ServerNotification) => void): void {
    this.#listeners.push(listener)
    void this.#connection?.latest?.openStream()
  }

  /** What is known about the server. */
  protected get latest(): Verdict | undefined {
    return this.#connection?.latest?.verdict
  }

  protected get caller(): Caller {
    if (this.#caller === undefined) throw new ConnectionClosedError('The client is not connected')
    return this.#caller
  }

  protected async session(): Promise<EraSession> {
    if (this.#connection === undefined)
      throw new ConnectionClosedError('The client is not connected')
    return this.#connection.session()
  }

  /** Fires when the client is closed. */
  protected get closing(): AbortSignal {
    return this.#closing.signal
  }

  protected only(era: Era, why: string): void {
    if (this.latest !== undefined && this.latest.era !== era) throw new TypeError(why)
  }

  /** Drops what a change made stale. */
  protected forget(method: string, params: Params): void {
    const uri = params['uri']
    if (method === 'notifications/resources/updated' && typeof uri === 'string')
      void this.#cache?.forget('resources/read', uri)
    if (isListChanged(method)) for (const list of STALE[method]) void this.#cache?.forget(list)
  }

  /** One page of a list, from the cache or the server. */
  protected async page<R>(
    method: string,
    member: keyof R & string,
    options: PageOptions,
  ): Promise<R> {
    const { cursor, ...rest } = options
    const params = cursor === undefined ? {} : { cursor }
    const what = cursor === undefined ? '' : `after ${cursor}`
    return toPage<R>(method, await this.caller.cached({ method, params }, what, rest), member)
  }

  /** One page of the tools, learned. */
  protected async toolsPage(options: PageOptions): Promise<ListToolsResult> {
    const page = await this.page<ListToolsResult>('tools/list', 'tools', options)
    const { mirrorsArguments } = await this.session()
    return { ...page, tools: this.index.learn(page.tools, mirrorsArguments) }
  }

  protected warn(error: Error): void {
    try {
      this.options.onWarning?.(error)
    } catch {
      // A listener that throws has nobody else to tell.
    }
  }

  #notified({ method, params = {} }: JSONRPCNotification): void {
    const session = this.#connection?.latest
    if (method === 'notifications/cancelled') return session?.cancelled(params)
    if (method === 'notifications/message') return this.#logged(params)
    this.forget(method, params)
    session?.changed(method, params)
    for (const listener of this.#listeners) this.#tell(() => listener({ method, params }))
  }

  #logged(params: Params): void {
    const { level, logger, data } = params
    if (!isLoggingLevel(level)) return
    const message = {
      ...params,
      level,
      data,
      logger: typeof logger === 'string' ? logger : undefined,
    }
    for (const listener of this.#logListeners) this.#tell(() => listener(message))
  }

  #tell(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof Error) this.warn(error)
    }
  }

  #capabilities(): ClientCapabilities {
    const { capabilities, extensions } = this.options
    const own = { ...this.#answers.capabilities, ...capabilities }
    return extensions === undefined
      ? own
      : { ...own, extensions: { ...own.extensions, ...extensions } }
  }

  #mayRegister(method: string): void {
    const told = this.#connection?.latest?.declaresOnce === true
    if (!told || this.#answers.has(method)) return
    throw new TypeError(
      `A handler of ${method} must be registered before connect(): a legacy server is told once`,
    )
  }

  #wantsStream(): boolean {
    return this.#answers.any || this.#listeners.length > 0 || this.#logListeners.length > 0
  }

  #timeoutMs(): number | null {
    const ms = limitOf('timeoutMs', this.options.timeoutMs, CLIENT_TIMEOUT_MS)
    return ms === Number.POSITIVE_INFINITY ? null : ms
  }

  #cacheFor(target: Target): ResultCache | undefined {
    const { cache, principal } = this.options
    if (cache === false) return undefined
    // A server without an address cannot be told from another, and a client without a principal is
    // its own: neither may share what it keeps.
    const own = crypto.randomUUID()
    const server = typeof target === 'string' || target instanceof URL ? String(target) : own
    return new ResultCache({
      store: cache ?? memoryCache(),
      server,
      principal: principal ?? own,
      clock: this.clock,
      warn: (error) => this.warn(error),
    })
  }

  #callerFor(
    connection: Connection,
    kept: { readonly cache: ResultCache | undefined; readonly timeoutMs: number | null },
  ): Caller {
    return new Caller({
      session: () => connection.session(),
      answers: this.#answers,
      index: this.index,
      ...kept,
      clock: this.clock,
      maxRounds: limitOf('maxRounds', this.options.maxRounds, MAX_CLIENT_ROUNDS),
      warn: (error) => this.warn(error),
      relist: ({ signal }) => this.#relist({ signal, cache: 'reload' }),
    })
  }

  async #relist(options: PageOptions): Promise<void> {
    const pages = pagesOf({
      method: 'tools/list',
      maxPages: this.maxPages,
      read: async (cursor) => {
        const { tools, nextCursor } = await this.toolsPage({ ...options, cursor })
        return { items: tools, nextCursor }
      },
    })
    for await (const _ of pages);
  }
}

/** The lists that a notification makes stale. */
const STALE: Readonly<Record<ListChangedMethod, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
}

/** What the server learns of the client: its options, and nothing of how it behaves. */
function identityOf(options: ClientOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options
  return { name, version, title, description, websiteUrl, icons }
}
