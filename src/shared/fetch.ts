/**
 * The shapes of a Web-standard server.
 *
 * @module
 */

/** What platforms hand over besides the request: a way to outlive the response. */
export interface ExecutionLike {
  waitUntil?(promise: Promise<unknown>): void
}

/** A value now, or later. */
export type Awaitable<T> = T | Promise<T>
