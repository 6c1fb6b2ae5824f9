/**
 * All that differs between the generations of the protocol, seen from a client. There are two
 * implementations; nothing else asks which era it is in.
 *
 * @module
 */
import type { JSONRPCRequest, Params } from '../../protocol/jsonrpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { MetaObject } from '../../protocol/params.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import type { WaitOptions } from '../../rpc/pending.ts'
import type { Verdict } from '../options.ts'
import type { ChangeSink } from '../listen.ts'

/** A request on its way. */
export interface EraCall extends Omit<WaitOptions, 'onAbandon'> {
  readonly params: Params
  /** Merged into `_meta`. */
  readonly meta?: MetaObject | undefined
  readonly logLevel?: LoggingLevel | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** One negotiated connection. */
export interface EraSession {
  readonly verdict: Verdict
  /** Whether arguments are mirrored into headers here, and tools with invalid annotations are hidden. */
  readonly mirrorsArguments: boolean
  /** Whether the server was told once and for all what the client can do. */
  readonly declaresOnce: boolean
  /** Sends a request and reads what kind of result came. */
  send(call: EraCall): Promise<Params>
  /** Sends a notification. */
  notify(method: string, params?: Params): Promise<void>
  /** Handles a request of the server. */
  request(request: JSONRPCRequest): void
  /** The server no longer wants an answer to its request. */
  cancelled(params: Params | undefined): void
  /** A notification that may be of interest to a legacy listener. */
  changed(method: string, params: Params): void
  /** Sets the lowest level of log messages that are wanted. */
  setLogLevel(level: LoggingLevel): Promise<void>
  /** Tells the server that the roots changed. */
  rootsChanged(): Promise<void>
  /**
   * Listens for changes until the signal fires or the server ends it.
   *
   * @param filter what is wanted
   * @param sink told what is granted and what changes
   * @param signal ends it
   */
  listen(filter: SubscriptionFilter, sink: ChangeSink, signal: AbortSignal): Promise<void>
  /** Opens the stream of unasked messages, if there is such a thing, it is wanted, and not open yet. */
  openStream(): Promise<void>
  /** Ends questions that are being answered. */
  close(): void
}
