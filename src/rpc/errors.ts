/**
 * Failures that never came over the wire. They have no JSON-RPC code on purpose, so that they can
 * never be mistaken for an answer of the peer.
 *
 * @module
 */

/** A request was not answered in time. The peer may still be working on it. */
export class RequestTimeoutError extends Error {
  /** The method that was asked. */
  readonly method: string
  /** The milliseconds that passed. */
  readonly timeoutMs: number

  constructor(method: string, timeoutMs: number) {
    super(`${method} was not answered within ${timeoutMs} ms`)
    this.name = 'RequestTimeoutError'
    this.method = method
    this.timeoutMs = timeoutMs
  }
}

/** The conversation ended before the answer came. */
export class ConnectionClosedError extends Error {
  constructor(message = 'The connection is closed', options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ConnectionClosedError'
  }
}
