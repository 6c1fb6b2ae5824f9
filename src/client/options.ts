/**
 * What a client, a connection and a single request can be told.
 *
 * @module
 */
import type {
  ClientCapabilities,
  Extensions,
  ServerCapabilities,
} from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { LoggingLevel, LoggingMessageNotificationParams } from '../protocol/logging.ts'
import type { TraceContext } from '../protocol/meta.ts'
import type { MetaObject } from '../protocol/params.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import type { ProgressUpdate } from '../rpc/pending.ts'
import type { Clock } from '../shared/clock.ts'
import type { SingleFlightMode } from '../shared/single-flight.ts'
import type {
  ElicitationHandler,
  ElicitationModes,
  RootsHandler,
  SamplingHandler,
} from './answers.ts'
import type { AuthProvider } from './auth.ts'
import type { CacheStore } from './cache.ts'
import type { FetchRequest, HeadersSource } from './http/sender.ts'

/** A notification that no other listener is for. */
export interface ServerNotification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Who the client is, what it can be asked, and how it behaves. */
export interface ClientOptions extends Implementation {
  /** Added to what is derived from the registered handlers, for example `experimental`. */
  readonly capabilities?: ClientCapabilities | undefined
  /** Extensions the application supports, by id. */
  readonly extensions?: Extensions | undefined
  /** The same as registering them before connecting. */
  readonly onElicitation?: ElicitationHandler | undefined
  readonly elicitation?: ElicitationModes | undefined
  readonly onSampling?: SamplingHandler | undefined
  readonly onRoots?: RootsHandler | undefined
  readonly onLog?: ((message: LoggingMessageNotificationParams) => void) | undefined
  readonly onNotification?: ((notification: ServerNotification) => void) | undefined
  /** Told what was wrong and has been dealt with: a skipped message, an excluded tool. Default: nobody. */
  readonly onWarning?: ((error: Error) => void) | undefined
  /**
   * Results that carry `ttlMs` are kept: in memory by default, in a store of your own, or not at all
   * with `false`.
   */
  readonly cache?: CacheStore | false | undefined
  /** Whose private results the cache holds. Give each user their own. Default: this client alone. */
  readonly principal?: string | undefined
  /** Validates structured output against the listed schema. Default true. */
  readonly validateOutput?: boolean | undefined
  /** Rounds of questions for one call. Default 10. */
  readonly maxRounds?: number | undefined
  /** Pages of one list. Default 1000. */
  readonly maxPages?: number | undefined
  /** Milliseconds a request may take unless it says otherwise; null waits for ever. Default 60 000. */
  readonly timeoutMs?: number | null | undefined
  /**
   * `request` keeps requests from waiting for each other, for platforms where a promise must not be
   * awaited outside the request that made it (Cloudflare Workers). Default `shared`.
   */
  readonly singleFlight?: SingleFlightMode | undefined
  /** Time, for tests. */
  readonly clock?: Clock | undefined
}

/** How the revision is chosen: by asking, by one era, or a revision that is insisted on. */
export type NegotiationMode = 'auto' | Era | Revision

/** How one server is reached. */
export interface ConnectOptions {
  /**
   * Default `auto`: asks for the modern era first and falls back to the handshake where the
   * specification allows it.
   */
  readonly mode?: NegotiationMode | undefined
  /** What a former connection learned (`client.verdict`): skips the probe. */
  readonly verdict?: Verdict | undefined
  /** Headers for every POST, GET and DELETE; the protocol's own take precedence. */
  readonly headers?: HeadersSource | undefined
  /** Credentials for every request. */
  readonly auth?: AuthProvider | undefined
  /** Sends requests instead of the platform's `fetch`. */
  readonly fetch?: FetchRequest | undefined
  /** Bytes of one message of the server; null for no bound. Default 4 MiB. */
  readonly maxMessageBytes?: number | null | undefined
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal | undefined
}

/** What is known about a server once a connection to it is made. Plain JSON: keep it, pass it back. */
export interface Verdict {
  readonly era: Era
  readonly protocolVersion: Revision
  readonly serverCapabilities: ServerCapabilities
  readonly serverInfo?: Implementation | undefined
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
}

/** What a single request can be told. */
export interface RequestOptions {
  /** Milliseconds until it fails; null waits for ever. Default the client's. */
  readonly timeoutMs?: number | null | undefined
  /** Starts `timeoutMs` anew with each report of progress. Default false. */
  readonly resetTimeoutOnProgress?: boolean | undefined
  /** Milliseconds all its rounds and reports may take together. Default 600 000. */
  readonly maxTotalMs?: number | null | undefined
  /** Cancels it, at the server too. */
  readonly signal?: AbortSignal | undefined
  /** Asks for reports of progress. */
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined
  /** Merged into `_meta`. */
  readonly meta?: MetaObject | undefined
  /** Continues a distributed trace. */
  readonly traceContext?: TraceContext | undefined
  /** The lowest level of log messages this request wants (modern era). Default `setLogLevel`'s. */
  readonly logLevel?: LoggingLevel | undefined
}

/** A request that may be answered with questions. */
export interface CallOptions extends RequestOptions {
  /** Throws `InputRequiredError` instead of asking the registered handlers. Implied by the next two. */
  readonly manual?: boolean | undefined
  /** Answers to the questions of an `InputRequiredError`, by key. */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined
  /** The state of an `InputRequiredError`. */
  readonly requestState?: string | undefined
}

/** A request that may be answered from the cache. */
export interface ReadOptions extends CallOptions {
  /** `reload` asks the server in any case. Default: what is fresh is used. */
  readonly cache?: 'default' | 'reload' | undefined
}

/** One page of a list. */
export interface PageOptions extends RequestOptions {
  /** Where the page starts: `nextCursor` of the one before. */
  readonly cursor?: string | undefined
  readonly cache?: 'default' | 'reload' | undefined
}
