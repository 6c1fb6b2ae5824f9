/**
 * One incoming message, described once and never changed: what is asked, who asks, and the means to
 * answer. A server that is handed calls never holds a transport, so any number of them can be in
 * progress at once and answers cannot cross.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import type { RequestStates } from './input-required/request-states.ts'
import type { SessionPatch } from '../stores/session-store.ts'
import type { Notifier } from './notifier.ts'

/** Who sends a message, as its era tells it: from the message itself, or from its session. */
export interface Caller {
  readonly era: Era
  readonly revision: Revision
  /** What the client can do: declared with this request, or at `initialize`. */
  readonly capabilities: ClientCapabilities
  readonly clientInfo?: Implementation | undefined
  /** The lowest level of log messages that are wanted; none are sent without it. */
  readonly logLevel?: LoggingLevel | undefined
  readonly sessionId?: string | undefined
  readonly auth?: AuthInfo | undefined
}

/** A request to the client, as a handler's question becomes one on the legacy wire. */
export interface ClientRequest {
  readonly method: string
  readonly params: Params
  /** Milliseconds to wait for the answer; the transport's default when absent. */
  readonly timeoutMs?: number | undefined
}

/** The means to say something about a call before its answer. */
export interface Outbox {
  /** Aborted when the caller cancels, or is gone in an era where that means the same. */
  readonly signal: AbortSignal
  /**
   * Sends a notification that belongs to the call. Dropped where nothing can precede the answer.
   * Settles when the caller's connection has room again, or is gone.
   */
  notify(message: string): Promise<void> | undefined
  /** Asks the client and waits; absent where the client cannot be asked. */
  readonly request?: ((request: ClientRequest) => Promise<Params>) | undefined
  /** Ends the connection but not the call: the client resumes its stream. Absent where streams do not resume. */
  readonly closeStream?: (() => void) | undefined
}

/** The session that a call belongs to. */
export interface CallSession {
  /**
   * Changes what is kept of it.
   *
   * @throws {McpError} where the session cannot be changed
   */
  update(patch: SessionPatch): Promise<void>
}

/** Reads one header of the request that carried a call. */
export interface HeaderLookup {
  get(name: string): string | null
}

/** One incoming request or notification. */
export interface Call {
  /** Absent on a notification. */
  readonly id?: RequestId | undefined
  readonly method: string
  readonly params: Params
  readonly caller: Caller
  readonly outbox: Outbox
  /** Publishes changes to whoever subscribed, over whatever serves this call. */
  readonly notifier: Notifier
  /** Seals what the call remembers between its rounds. */
  readonly states: RequestStates
  /** What this deployment can deliver besides answers. */
  readonly delivery: Delivery
  /** The session it belongs to, where there is one. */
  readonly session?: CallSession | undefined
  /** The request's headers, where they mirror arguments. */
  readonly headers?: HeaderLookup | undefined
  /** The platform's environment. */
  readonly env?: unknown
  /** What the `context` option returned for this request. */
  readonly data?: unknown
  /** Keeps the platform alive for work that outlasts the answer. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** What a deployment can deliver besides answers; capabilities that need it are declared only then. */
export interface Delivery {
  /** Change notifications reach subscribers. */
  readonly changes: boolean
  /** A legacy client can set a log level, or a modern one names it in each request. */
  readonly logging: boolean
}
