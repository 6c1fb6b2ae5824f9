/**
 * What differs between the generations of the protocol. There are two implementations; everything
 * else in this package is written once.
 *
 * @module
 */
import type { AuthInfo } from '../../protocol/auth-info.ts'
import type { McpError } from '../../protocol/errors.ts'
import type { Params, RequestId } from '../../protocol/jsonrpc.ts'
import type { Era } from '../../protocol/versions.ts'
import type { Asker } from '../ask/question.ts'
import type { CacheHints } from '../cache-hints.ts'
import type { Call, Caller } from '../call.ts'
import type { ResultText } from '../result-text.ts'

/** The body of a response: text, or bytes where they are at hand. */
export type Body = string | Uint8Array<ArrayBuffer>

/** A response, ready for whatever carries it. */
export interface Answer {
  /** The HTTP status, for the transport that has one. */
  readonly status: number
  /** The JSON-RPC response. */
  readonly body: Body
  /** Why there is no result. */
  readonly error?: McpError | undefined
}

/** One generation of the protocol. `Identity` is what it knows a caller by. */
export interface EraRules<Identity> {
  readonly era: Era
  /**
   * Tells who calls.
   *
   * @throws {McpError} if the identity names a revision that is not served
   */
  identify(identity: Identity, auth: AuthInfo | undefined): Caller
  /** How a caller of this era is asked. */
  ask(call: Call): Asker
  /**
   * How a caller is asked whose request continues an earlier one.
   *
   * @throws {McpError} if what it brings was not made for this request
   */
  resume(call: Call): Promise<Asker>
  /** The response that carries a result. */
  finish(call: Call, result: Params | ResultText): Body
  /** Adds to a result's text what this era wants in every result, so that the text can be kept. */
  seal(result: string): string
  /** The response that carries an error. */
  fault(id: RequestId | undefined, error: McpError): Answer
  /** The cache hints a result must or may carry: `own` of the result, else those of the server. */
  hints(server: CacheHints | undefined, own: CacheHints | undefined): CacheHints | undefined
}

/**
 * A response up to its result, as JSON text.
 *
 * @param id the request's id
 */
export function opening(id: RequestId | undefined): string {
  const text = typeof id === 'number' ? String(id) : JSON.stringify(id ?? null)
  return `{"jsonrpc":"2.0","id":${text},"result":`
}
