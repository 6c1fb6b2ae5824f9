/**
 * What can go wrong on our side of the wire. An error that the server sent is an `McpError` with the
 * server's code; everything here never was a JSON-RPC error, has no code, and names the request.
 *
 * @module
 */
import { MAX_ERROR_CHARS } from '../protocol/limits.ts'

/** Base of the client's own errors. */
export class ClientError extends Error {
  /** The method of the request that failed, where there was one. */
  readonly method: string | undefined

  constructor(
    message: string,
    options: { readonly method?: string | undefined; readonly cause?: unknown } = {},
  ) {
    const text = message.slice(0, MAX_ERROR_CHARS)
    super(text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.method = options.method
  }
}

/** The server could not be reached; `cause` says why. */
export class NetworkError extends ClientError {
  constructor(method: string, cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    super(`${method} could not be sent${why}`, { method, cause })
  }
}

/** The server answered with a status, or a body, that is no answer to the request. */
export class HttpError extends ClientError {
  /** The HTTP status. */
  readonly status: number
  /** Milliseconds the server asked to wait (`Retry-After`). */
  readonly retryAfterMs: number | undefined

  constructor(
    method: string,
    status: number,
    options: { readonly detail?: string; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`${method} was answered with HTTP ${status}${quoted(options.detail)}`, { method })
    this.status = status
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The server wants authorization that the client could not give. */
export class UnauthorizedError extends HttpError {
  /** The `WWW-Authenticate` header. */
  readonly wwwAuthenticate: string | null

  constructor(method: string, status: number, wwwAuthenticate: string | null) {
    super(method, status, wwwAuthenticate === null ? {} : { detail: wwwAuthenticate })
    this.wwwAuthenticate = wwwAuthenticate
  }
}

/** The server no longer knows the session. */
export class SessionLostError extends HttpError {
  constructor(method: string) {
    super(method, 404, { detail: 'the session is gone' })
  }
}

/** The server's answer is not what the protocol allows; the message says why. */
export class InvalidResponseError extends ClientError {
  constructor(method: string, why: string, options: { readonly cause?: unknown } = {}) {
    super(`The answer to ${method} is invalid: ${why}`, { method, ...options })
  }
}

/** A message of the server is larger than `maxMessageBytes`. */
export class MessageTooLargeError extends ClientError {
  constructor(method: string, maxBytes: number) {
    super(`The answer to ${method} is larger than ${maxBytes} bytes`, { method })
  }
}

/** The stream or the connection broke before the answer came; the server may have done the work. */
export class StreamBrokenError extends ClientError {
  constructor(method: string, why: string, options: { readonly cause?: unknown } = {}) {
    super(`The stream of ${method} ended before its answer: ${why}`, { method, ...options })
  }
}

/** Client and server have no revision in common, or the one they were pinned to is not served. */
export class NegotiationError extends ClientError {
  /** What the server said it serves, where it did. */
  readonly supported: readonly string[]

  constructor(
    message: string,
    options: { readonly supported?: readonly string[]; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.supported = options.supported ?? []
  }
}

/** Structured output that does not match the tool's listed schema. */
export class OutputValidationError extends ClientError {
  /** The tool that sent it. */
  readonly toolName: string

  constructor(toolName: string, problems: string) {
    super(`The structured output of ${toolName} does not match its schema: ${problems}`, {
      method: 'tools/call',
    })
    this.toolName = toolName
  }
}

/**
 * The server wants input that the client was not allowed, or not able, to give. Carries the raw
 * result, so that the call can go on by hand with `inputResponses` and `requestState`.
 */
export class InputRequiredError extends ClientError {
  /** The last `input_required` result, as it came. */
  readonly result: Readonly<Record<string, unknown>>

  constructor(
    method: string,
    why: string,
    detail: { readonly result: Readonly<Record<string, unknown>>; readonly cause?: unknown },
  ) {
    super(`${method} needs input: ${why}`, { method, cause: detail.cause })
    this.result = detail.result
  }
}

/** Thrown by a handler of a server's question: the user said no. A legacy server receives code -1. */
export class RequestRejected extends Error {
  constructor(message = 'The user rejected the request') {
    super(message)
    this.name = 'RequestRejected'
  }
}

function quoted(detail: string | undefined): string {
  return detail === undefined || detail === '' ? '' : `: ${detail}`
}
