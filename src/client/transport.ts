/**
 * How a client reaches its server. HTTP and stdio implement it here; anything that can carry a
 * message there and an answer back can.
 *
 * @module
 */
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from '../protocol/jsonrpc.ts'

/** The circumstances of one request. */
export interface Exchange {
  /**
   * Fires when nobody waits for the answer any more. The transport then tells the server the way of
   * its kind and revision — `notifications/cancelled`, or by closing the response stream — except
   * for `initialize`, which is never cancelled, and rejects with the signal's reason.
   */
  readonly signal: AbortSignal
  /** Called with every message that comes before the answer: notifications, and a legacy server's requests. */
  readonly onMessage: (message: JSONRPCRequest | JSONRPCNotification) => void
  /** Headers for this request alone; a transport without headers ignores them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called with the HTTP status before the answer; a transport without one never calls it. */
  readonly onStatus?: ((status: number) => void) | undefined
}

/** Carries messages to one server. */
export interface Transport {
  /**
   * Sends a request and resolves with its answer, an error of the server included. Rejects when there
   * is no answer: refused, broken, too large, or no longer wanted.
   */
  exchange(request: JSONRPCRequest, exchange: Exchange): Promise<JSONRPCResponse>
  /** Sends what is not answered: a notification, or the answer to a legacy server's request. */
  notify(message: JSONRPCNotification | JSONRPCResponse): Promise<void>
  /** Ends the connection; a session is told. Never throws, may be called twice. */
  close(): Promise<void>
  /**
   * `http` has headers, and its silence is a failure; `channel` (the default) has none, and a server
   * that is silent to a probe counts as legacy.
   */
  readonly kind?: 'http' | 'channel' | undefined
  /**
   * Opens the stream on which a legacy HTTP server speaks unasked. Resolves when it is open or known
   * not to be offered; never rejects.
   */
  listen?(): Promise<void>
}

/** What a transport tells its client. */
export interface TransportHost {
  /** A message that belongs to no exchange. */
  receive(message: JSONRPCRequest | JSONRPCNotification): void
  /** Something was wrong and has been dealt with; reported to `onWarning`. */
  warn(error: Error): void
  /** The connection ended without being asked to. */
  closed(error: Error): void
}

/** Makes a transport. Called again when a client has to start over with a new process. */
export type Connector = (host: TransportHost) => Transport | Promise<Transport>

/** A server in the same process, or anything with its shape. */
export interface FetchTarget {
  /** Answers a request, such as `createHandler(server)`. */
  fetch(request: Request): Response | Promise<Response>
}

/** What a client can be connected to: the URL of a server, a handler in the same process, or a connector. */
export type Target = string | URL | FetchTarget | Connector

/**
 * Tells whether a target is a handler in the same process.
 *
 * @param target what the client was given
 */
export function isFetchTarget(target: Target): target is FetchTarget {
  return typeof target === 'object' && 'fetch' in target && typeof target.fetch === 'function'
}
