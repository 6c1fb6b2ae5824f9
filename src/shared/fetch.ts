/**
 * The shapes of a Web-standard server.
 *
 * @module
 */

/** What platforms hand over besides the request: a way to outlive the response. */
export interface ExecutionLike {
  waitUntil?(promise: Promise<unknown>): void
}

/**
 * A server, whole or in part. `env` is the platform's environment; it is read only by handlers whose
 * options are a function of it.
 */
export type FetchHandler = (
  request: Request,
  env?: unknown,
  execution?: ExecutionLike,
) => Promise<Response>

/** Looks at a request before anyone else does, and answers it to refuse it. */
export type Guard = (request: Request) => Response | undefined | Promise<Response | undefined>

/** A value now, or later. */
export type Awaitable<T> = T | Promise<T>
