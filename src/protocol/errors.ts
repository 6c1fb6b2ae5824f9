/**
 * Errors that have a code on the wire, the one function that turns anything thrown into such an
 * error, and the one place that builds the wire's error objects.
 *
 * Three kinds of mistake never mix: a peer's mistake is an {@link McpError}; a programmer's mistake
 * is a `TypeError` at definition time; a mistake of ours, or of a handler, is anything else, and
 * the peer learns no more of it than "Internal error".
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 * @module
 */
import type { JSONRPCErrorResponse, RequestId } from './jsonrpc.ts'

/** The body is not JSON. */
export const PARSE_ERROR = -32700
/** The JSON is not a JSON-RPC message, or not one that may be sent here and now. */
export const INVALID_REQUEST = -32600
/** The method does not exist here. */
export const METHOD_NOT_FOUND = -32601
/** The parameters are wrong. */
export const INVALID_PARAMS = -32602
/** We, or a handler, failed. */
export const INTERNAL_ERROR = -32603
/** The client did not answer a question of ours in time; only sessions and stdio up to 2025-11-25 have such questions. */
export const REQUEST_TIMEOUT = -32001
/** A resource does not exist; only revisions up to 2025-11-25 use this code. */
export const RESOURCE_NOT_FOUND = -32002
/** A URL must be visited first; only 2025-11-25 uses this code. */
export const URL_ELICITATION_REQUIRED = -32042
/** A mirrored header is missing or disagrees with the body. */
export const HEADER_MISMATCH = -32020
/** The request needs a capability that the client did not declare. */
export const MISSING_CLIENT_CAPABILITY = -32021
/** The named protocol revision is not served. */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022
/** The user said no to a request of the server; a client's answer on the legacy wire. */
export const REQUEST_REJECTED = -1

/** What an error may carry besides its message. */
export interface McpErrorOptions {
  /** Sent to the peer as `error.data`. */
  readonly data?: unknown
  /** What led to this error; reported to `onError`, never sent. */
  readonly cause?: unknown
}

/**
 * An error with a code on the wire. Its message and data are sent to the peer, so they hold nothing
 * internal.
 */
export class McpError extends Error {
  /** The JSON-RPC error code. */
  readonly code: number
  /** Free-form details for the peer. */
  readonly data: unknown
  /** Marks the class across copies of this package, where `instanceof` fails. */
  readonly isMcpError = true

  constructor(code: number, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.data = options.data
  }
}

/** The body is not JSON, or nests too deep. */
export class ParseError extends McpError {
  constructor(message: string, options?: McpErrorOptions) {
    super(PARSE_ERROR, message, options)
  }
}

/** The message is not one that may be sent here and now. */
export class InvalidRequestError extends McpError {
  constructor(message: string, options?: McpErrorOptions) {
    super(INVALID_REQUEST, message, options)
  }
}

/** The method does not exist here, or its capability is not declared. */
export class MethodNotFoundError extends McpError {
  constructor(method: string, hint = '') {
    super(METHOD_NOT_FOUND, `Method not found: ${method}${hint}`)
  }
}

/** The parameters of a request are wrong; the message names which. */
export class InvalidParamsError extends McpError {
  constructor(message: string, options?: McpErrorOptions) {
    super(INVALID_PARAMS, message, options)
  }
}

/** We failed; the cause stays with `onError`. */
export class InternalError extends McpError {
  constructor(options?: McpErrorOptions) {
    super(INTERNAL_ERROR, 'Internal error', options)
  }
}

/** There is no such resource. Its code on the wire depends on the era of the client. */
export class ResourceNotFoundError extends McpError {
  constructor(uri: string) {
    super(INVALID_PARAMS, `Resource not found: ${uri}`, { data: { uri } })
  }
}

/** A mirrored header is missing or disagrees with the body; the message names it. */
export class HeaderMismatchError extends McpError {
  constructor(message: string) {
    super(HEADER_MISMATCH, message)
  }
}

/** The request needs capabilities that the client did not declare; `data.requiredCapabilities` names them. */
export class MissingRequiredClientCapabilityError extends McpError {
  constructor(requiredCapabilities: Readonly<Record<string, unknown>>) {
    const names = Object.keys(requiredCapabilities).join(', ')
    super(MISSING_CLIENT_CAPABILITY, `Client capability required: ${names}`, {
      data: { requiredCapabilities },
    })
  }
}

/** The revision that a request names is not served; `data.supported` names those that are. */
export class UnsupportedProtocolVersionError extends McpError {
  constructor(requested: string, supported: readonly string[]) {
    super(UNSUPPORTED_PROTOCOL_VERSION, `Unsupported protocol version: ${requested}`, {
      data: { supported, requested },
    })
  }
}

/** One page the user has to visit before the request can succeed. */
export interface RequiredUrl {
  readonly url: string
  readonly message: string
  readonly elicitationId: string
}

/**
 * The user has to visit pages before the request can succeed. Exists on 2025-11-25 only; modern
 * clients are asked with `ctx.elicitUrl`.
 */
export class UrlElicitationRequiredError extends McpError {
  constructor(urls: readonly RequiredUrl[], message = 'The user has to visit a page first') {
    const elicitations = urls.map((entry) => ({ mode: 'url', ...entry }))
    super(URL_ELICITATION_REQUIRED, message, { data: { elicitations } })
  }
}

/**
 * A tool failed in a way its caller should read: the message becomes the text of a result with
 * `isError`, where the model can see it. Every other error is masked.
 */
export class ToolError extends Error {
  /** Marks the class across copies of this package, where `instanceof` fails. */
  readonly isToolError = true

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ToolError'
  }
}

/**
 * Tells whether `value` is an {@link McpError}, also one of another copy of this package.
 *
 * @param value anything thrown
 */
export function isMcpError(value: unknown): value is McpError {
  return value instanceof Error && 'isMcpError' in value && value.isMcpError === true
}

/**
 * Tells whether `value` is a {@link ToolError}, also one of another copy of this package.
 *
 * @param value anything thrown
 */
export function isToolError(value: unknown): value is ToolError {
  return value instanceof Error && 'isToolError' in value && value.isToolError === true
}

/**
 * Turns anything thrown into an error that may be sent. What is not an {@link McpError} becomes a
 * masked {@link InternalError} with the original as its cause.
 *
 * @param thrown anything, also `undefined`
 */
export function toMcpError(thrown: unknown): McpError {
  return isMcpError(thrown) ? thrown : new InternalError({ cause: thrown })
}

/**
 * Builds the wire's error response: the only place that does.
 *
 * @param id the request's id, or undefined when it could not be read
 * @param error what went wrong
 */
export function errorResponse(id: RequestId | undefined, error: McpError): JSONRPCErrorResponse {
  const { code, message, data } = error
  return { jsonrpc: '2.0', id, error: { code, message, data } }
}
