/**
 * The `_meta` object: the envelope that every modern request carries in it, trace context, and the
 * grammar of its keys.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 * @module
 */
import type { ClientCapabilities } from './capabilities.ts'
import { isClientCapabilities } from './capabilities.ts'
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
} from './constants.ts'
import { InvalidParamsError } from './errors.ts'
import type { Implementation } from './implementation.ts'
import { isImplementation } from './implementation.ts'
import type { Params, ProgressToken } from './jsonrpc.ts'
import { isRecord } from './jsonrpc.ts'
import type { LoggingLevel } from './logging.ts'
import { isLoggingLevel } from './logging.ts'
import type { MetaObject } from './params.ts'
import { isProgressToken } from './progress.ts'

/** What a modern request says about itself, checked. */
export interface Envelope {
  readonly ok: true
  /** The revision it speaks; not necessarily one we serve. */
  readonly protocolVersion: string
  readonly clientCapabilities: ClientCapabilities
  readonly clientInfo: Implementation | undefined
  readonly logLevel: LoggingLevel | undefined
  readonly progressToken: ProgressToken | undefined
  /** The whole `_meta` object. */
  readonly meta: MetaObject
}

/** An envelope that cannot be read. */
export interface BadEnvelope {
  readonly ok: false
  /** Names the key that is missing or wrong. */
  readonly error: InvalidParamsError
}

/**
 * Reads the envelope of a message that claims to be modern, well-formed or not: such a message is
 * never served as a legacy one.
 *
 * @param params the parameters of a request or notification
 * @returns undefined when they make no such claim
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/lifecycle
 */
export function readEnvelope(params: Params | undefined): Envelope | BadEnvelope | undefined {
  const meta = params?.['_meta']
  if (!isRecord(meta) || meta[META_PROTOCOL_VERSION] === undefined) return undefined
  const protocolVersion = meta[META_PROTOCOL_VERSION]
  const clientCapabilities = meta[META_CLIENT_CAPABILITIES]
  if (typeof protocolVersion !== 'string' || !isClientCapabilities(clientCapabilities))
    return bad(requiredProblem(meta))
  const clientInfo = meta[META_CLIENT_INFO]
  if (clientInfo !== undefined && !isImplementation(clientInfo))
    return wrong(META_CLIENT_INFO, 'an object with a name and a version')
  const logLevel = meta[META_LOG_LEVEL]
  if (logLevel !== undefined && !isLoggingLevel(logLevel))
    return wrong(META_LOG_LEVEL, 'a logging level')
  const progressToken = meta['progressToken']
  if (progressToken !== undefined && !isProgressToken(progressToken))
    return wrong('progressToken', 'a string or an integer')
  return {
    ok: true,
    protocolVersion,
    clientCapabilities,
    clientInfo,
    logLevel,
    progressToken,
    meta,
  }
}

/**
 * What a modern request without an envelope is told.
 *
 * @param params parameters that make no claim to hold one
 */
export function missingEnvelope(params: Params | undefined): InvalidParamsError {
  const meta = params?.['_meta']
  return new InvalidParamsError(
    isRecord(meta)
      ? requiredProblem(meta)
      : 'params._meta must be an object: a request carries its envelope',
  )
}

function requiredProblem(meta: Record<string, unknown>): string {
  const required = [META_PROTOCOL_VERSION, META_CLIENT_CAPABILITIES]
  const missing = required.filter((key) => meta[key] === undefined)
  if (missing.length > 0) return `params._meta lacks ${missing.join(' and ')}`
  if (typeof meta[META_PROTOCOL_VERSION] !== 'string')
    return `params._meta["${META_PROTOCOL_VERSION}"] must be a string`
  return `params._meta["${META_CLIENT_CAPABILITIES}"] must be an object of objects`
}

function wrong(key: string, expected: string): BadEnvelope {
  return bad(`params._meta["${key}"] must be ${expected}`)
}

function bad(message: string): BadEnvelope {
  return { ok: false, error: new InvalidParamsError(message) }
}

/**
 * Where a request stands in a distributed trace, in the W3C formats and under their own names.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}

/**
 * Reads the trace context of a message. Members that are not strings are ignored, never refused.
 *
 * @param meta the `_meta` of a request or notification
 */
export function traceContextOf(meta: MetaObject | undefined): TraceContext | undefined {
  if (meta === undefined) return undefined
  const traceparent = stringIn(meta, 'traceparent')
  const tracestate = stringIn(meta, 'tracestate')
  const baggage = stringIn(meta, 'baggage')
  if (traceparent === undefined && tracestate === undefined && baggage === undefined)
    return undefined
  return { traceparent, tracestate, baggage }
}

function stringIn(meta: MetaObject, key: string): string | undefined {
  const value = meta[key]
  return typeof value === 'string' ? value : undefined
}

const PREFIX = '(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)'
const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?'

/**
 * Tells whether `key` follows the grammar of `_meta` keys: an optional prefix of dot-separated
 * labels and a slash, then a name, which may be empty.
 *
 * @param key a key of a `_meta` object
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function isMetaKey(key: string): boolean {
  return new RegExp(`^(?:${PREFIX}(?:\\.${PREFIX})*/)?(?:${NAME})?$`).test(key)
}

/**
 * Tells whether `key` may be the id of an extension: a `_meta` key with a prefix and a name.
 *
 * @param key a key of `capabilities.extensions`
 */
export function isExtensionKey(key: string): boolean {
  return new RegExp(`^${PREFIX}(?:\\.${PREFIX})*/${NAME}$`).test(key)
}
