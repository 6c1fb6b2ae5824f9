/**
 * One endpoint: what a server and its options make of a request, gate by gate. The order of the gates
 * is part of the contract: nothing is read of a request that an earlier gate refuses.
 *
 * @module
 */
import type { Authenticate, AuthInfo } from '../protocol/auth-info.ts'
import { EVENT_STREAM_TYPE, JSON_TYPE } from '../protocol/constants.ts'
import { InternalError, InvalidRequestError, ParseError } from '../protocol/errors.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Delivery } from '../server/call.ts'
import { createNotifier } from '../server/notifier.ts'
import type { Notifier, Publish } from '../server/notifier.ts'
import { RequestStates } from '../server/input-required/request-states.ts'
import type { McpServer } from '../server/server.ts'
import { report, warn } from '../server/report.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import { parseJson } from '../shared/json.ts'
import { accepts, essenceOf } from '../shared/media-type.ts'
import { readText } from '../shared/read-text.ts'
import { corsHeaders, preflightResponse } from './cors.ts'
import { hasSessions } from './deployment.ts'
import type { Deployment, Visit } from './deployment.ts'
import type { Exchange, Forms } from './exchange.ts'
import { Listeners } from './listeners.ts'
import { toSettings } from './options.ts'
import type { HandlerOptions, Settings } from './options.ts'
import { Publisher } from './publisher.ts'
import { emptyResponse, refusalResponse, withHeaders } from './responses.ts'
import type { ExtraHeaders } from './responses.ts'
import { route, routeWithoutBody } from './route.ts'
import { Sessions } from './sessions.ts'
import { Watched } from './watched.ts'

/** How many things of each kind an endpoint holds. */
export interface EndpointStats {
  /** Requests that have no answer yet. */
  readonly inFlight: number
  /** Answers that are being sent as streams, and streams that sessions opened. */
  readonly streams: number
  /** Open listen streams. */
  readonly listeners: number
  /** Sessions for which something is open or in progress here. */
  readonly sessions: number
  /** Questions to clients that wait for their answers. */
  readonly questions: number
}

/** A request before anyone has looked at what it carries. */
type Arrival = Omit<Visit, 'forms'>

/** A server behind one set of options. */
export class Endpoint implements Deployment {
  readonly server: McpServer
  readonly settings: Settings
  readonly states: RequestStates
  readonly delivery: Delivery
  readonly listeners: Listeners
  readonly watched: Watched
  readonly publish: Publish
  readonly notifier: Notifier
  readonly sessions: Sessions | undefined
  /** Exchanges in progress. */
  readonly live: Set<Exchange> = new Set()
  #closed = false
  #accept: string | null = null
  #forms: Forms | undefined

  /** @throws {TypeError} if an option cannot be used */
  constructor(server: McpServer, options: HandlerOptions) {
    this.server = server
    this.settings = toSettings(options)
    this.states = new RequestStates(options.requestState, {
      clock: this.settings.clock,
      warn: (warning) => warn(server.core.onWarning, warning),
    })
    const { bus, onSubscribe, onUnsubscribe, responses } = this.settings
    const { onError } = server.core
    this.delivery = { changes: bus !== undefined && responses !== 'json', logging: true }
    this.listeners = new Listeners(this.settings, onError)
    this.watched = new Watched({ onSubscribe, onUnsubscribe, onError })
    const publisher = bus && new Publisher(bus, this.settings, onError)
    this.publish = async (change) => publisher?.publish(change)
    this.notifier = createNotifier(this.publish)
    const store = this.settings.sessions
    this.sessions = store && new Sessions(this, store)
    const { legacy, modern } = server.core
    const served =
      (this.settings.modern && modern.revisions.length > 0) ||
      (this.settings.legacy !== 'off' && legacy.revisions.length > 0)
    if (!served)
      throw new TypeError("nothing is served: 'legacy', 'modern' and 'revisions' exclude it all")
  }

  /** Counts what is in progress. */
  stats(): EndpointStats {
    const answers = [...this.live].filter((exchange) => exchange.streaming).length
    return {
      inFlight: this.live.size,
      streams: answers + (this.sessions?.connections.size ?? 0),
      listeners: this.listeners.size,
      sessions: 0,
      questions: 0,
      ...this.sessions?.stats(),
    }
  }

  /** Ends what is in progress and refuses what comes. */
  close(): void {
    this.#closed = true
    const error = new InternalError({ cause: 'The handler was closed' })
    for (const exchange of this.live) exchange.abort(error)
    this.listeners.complete()
    this.sessions?.close()
  }

  /** Answers a request, at once where nothing of it has to be waited for. */
  handle(
    request: Request,
    env: unknown,
    execution: ExecutionLike | undefined,
  ): Response | Promise<Response> {
    const { settings } = this
    if (!settings.hostAllowed(request)) return refused(403, HOST_REFUSED, undefined)
    const origin = request.headers.get('origin')
    if (origin !== null && !settings.originAllowed(request, origin)) {
      return refused(403, ORIGIN_REFUSED, undefined)
    }
    const extra = origin !== null && settings.cors ? corsHeaders(origin) : undefined
    if (request.method === 'OPTIONS' && settings.cors) {
      return preflightResponse(request, this.#methods().join(', '), extra)
    }
    const { authenticate } = settings
    const arrival = { request, env, execution, extra, auth: undefined }
    return authenticate === undefined
      ? this.#dispatch(arrival)
      : this.#identified(arrival, authenticate)
  }

  #dispatch(visit: Arrival): Promise<Response> | Response {
    const { request, extra } = visit
    if (this.#closed) return refused(503, 'The server is closing', extra)
    if (request.method === 'POST') return this.#post(visit)
    const served = this.#methods()
    if (hasSessions(this) && served.includes(request.method)) return routeWithoutBody(this, visit)
    return emptyResponse(405, { ...extra, allow: served.join(', ') })
  }

  #methods(): readonly string[] {
    const { sessions } = this
    const ofSessions = sessions?.mail === undefined ? ['DELETE'] : ['GET', 'DELETE']
    const methods = sessions === undefined ? ['POST'] : ['POST', ...ofSessions]
    return this.settings.cors ? [...methods, 'OPTIONS'] : methods
  }

  async #identified(arrival: Arrival, authenticate: Authenticate): Promise<Response> {
    const auth = await this.#authenticate(arrival, authenticate)
    if (auth instanceof Response) return auth
    // Answers to someone in particular are not for shared caches.
    const extra = { ...arrival.extra, 'cache-control': 'no-store' }
    return this.#dispatch({ ...arrival, extra, auth })
  }

  async #authenticate(
    { request, extra }: Arrival,
    authenticate: Authenticate,
  ): Promise<AuthInfo | Response | undefined> {
    try {
      const outcome: unknown = await authenticate(request)
      if (outcome instanceof Response) return withHeaders(outcome, extra)
      if (outcome === 'anonymous') return undefined
      if (isAuthInfo(outcome)) return outcome
      throw new TypeError("authenticate must return AuthInfo, a Response or 'anonymous'")
    } catch (error) {
      report(this.server.core.onError, error, { request: { method: request.method } })
      return refusalResponse({ status: 500, error: new InternalError() }, extra)
    }
  }

  #post(visit: Arrival): Promise<Response> | Response {
    const { request, extra } = visit
    if (essenceOf(request.headers.get('content-type')) !== JSON_TYPE) {
      return refused(415, `Content-Type must be ${JSON_TYPE}`, extra)
    }
    const forms = this.#formsOf(request.headers.get('accept'))
    if (!forms.json && !forms.stream) {
      return refused(406, `Accept must admit ${JSON_TYPE} or ${EVENT_STREAM_TYPE}`, extra)
    }
    if (request.bodyUsed) {
      const used = new TypeError('the body of the request was read before it reached the handler')
      report(this.server.core.onError, used, { request: { method: request.method } })
      return refusalResponse({ status: 500, error: new InternalError() }, extra)
    }
    return this.#read({ ...visit, forms })
  }

  async #read(visit: Visit): Promise<Response> {
    const { requestBytes, jsonDepth } = this.settings
    let body
    try {
      body = await readText(visit.request, requestBytes)
    } catch {
      // Whoever broke off the body is not waiting; nothing of ours failed.
      return unreadable('broke off', visit)
    }
    if (!body.ok) {
      return body.problem === 'size'
        ? refused(413, `The body exceeds ${requestBytes} bytes`, visit.extra)
        : unreadable('is not UTF-8', visit)
    }
    const parsed = parseJson(body.text, jsonDepth)
    if (parsed.ok) return route(this, visit, parsed.value)
    const deep = parsed.problem === 'depth'
    return unreadable(deep ? `nests deeper than ${jsonDepth}` : 'is not JSON', visit)
  }

  /** Most requests repeat the `Accept` of the one before, and reading some takes a while. */
  #formsOf(accept: string | null): Forms {
    if (accept === this.#accept && this.#forms !== undefined) return this.#forms
    const { responses } = this.settings
    this.#accept = accept
    this.#forms = {
      json: responses !== 'sse' && accepts(accept, JSON_TYPE),
      stream: responses !== 'json' && accepts(accept, EVENT_STREAM_TYPE),
    }
    return this.#forms
  }
}

const HOST_REFUSED = 'This host is not served; the option allowedHosts names those that are'
const ORIGIN_REFUSED = 'This origin is not allowed; the option allowedOrigins names those that are'

function refused(status: number, message: string, extra: ExtraHeaders): Response {
  return refusalResponse({ status, error: new InvalidRequestError(message) }, extra)
}

function unreadable(problem: string, { extra }: Visit): Response {
  return refusalResponse({ status: 400, error: new ParseError(`The body ${problem}`) }, extra)
}

function isAuthInfo(value: unknown): value is AuthInfo {
  return isRecord(value) && typeof value['subject'] === 'string' && Array.isArray(value['scopes'])
}
