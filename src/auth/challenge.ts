/**
 * Refusals a client can act on. They say what is needed, never what exactly was wrong with a token.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @module
 */
import { scopeChallenge, type AuthInfo } from '../protocol/auth-info.ts'
import { formatChallenge } from '../protocol/challenge.ts'
import { JSON_TYPE } from '../protocol/constants.ts'
import { errorResponse, InvalidRequestError, McpError, INTERNAL_ERROR } from '../protocol/errors.ts'
import type { JSONRPCErrorResponse, RequestId } from '../protocol/jsonrpc.ts'
import { RETRY_AFTER_SECONDS } from '../protocol/limits.ts'

/** What a challenge tells a client about getting a token. */
export interface ChallengeHints {
  /** Where the protected resource's metadata is. */
  readonly resourceMetadata: string
  /** The scopes every request needs. */
  readonly scopes: readonly string[]
}

/** Why there is no permission. */
export type ChallengeReason = 'missing' | 'invalid_request' | 'invalid_token'

const STATUS = { missing: 401, invalid_request: 400, invalid_token: 401 }
const DESCRIPTION = {
  missing: 'An access token is needed',
  invalid_request: 'The Authorization header is not one bearer token',
  invalid_token: 'The access token is expired, revoked, malformed or not for this server',
}

/**
 * The refusal of a request without a usable token.
 *
 * @param reason why; `missing` names no error, as nothing was wrong yet
 * @param hints how to get a token
 */
export function challengeResponse(reason: ChallengeReason, hints: ChallengeHints): Response {
  const scope = hints.scopes.join(' ')
  const isError = reason !== 'missing'
  const challenge = formatChallenge('Bearer', {
    error: isError ? reason : undefined,
    error_description: isError ? DESCRIPTION[reason] : undefined,
    scope: scope === '' ? undefined : scope,
    resource_metadata: hints.resourceMetadata,
  })
  const body = errorResponse(undefined, new InvalidRequestError(DESCRIPTION[reason]))
  return refuse(STATUS[reason], body, { 'www-authenticate': challenge })
}

/**
 * The refusal of an operation whose caller lacks scopes: 403 with a challenge that names all scopes of
 * the operation.
 *
 * @param auth the caller
 * @param needed all scopes of the operation
 * @param id the request's id, where it is known
 */
export function insufficientScope(
  auth: AuthInfo,
  needed: readonly string[],
  id?: RequestId,
): Response {
  const error = new InvalidRequestError(`Scope required: ${needed.join(' ')}`)
  const headers = { 'www-authenticate': scopeChallenge(auth, needed) }
  return refuse(403, errorResponse(id, error), headers)
}

/** The answer while nobody can tell whether a token is good: no challenge, for a new one would not help. */
export function unavailableResponse(): Response {
  const error = new McpError(INTERNAL_ERROR, 'Tokens cannot be verified now')
  return refuse(503, errorResponse(undefined, error), {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
}

/** The answer to a method that a document does not have. */
export function methodNotAllowed(allow: string): Response {
  return new Response(null, { status: 405, headers: { allow } })
}

function refuse(
  status: number,
  body: JSONRPCErrorResponse,
  headers: Readonly<Record<string, string>>,
): Response {
  const expose = { 'access-control-expose-headers': Object.keys(headers).join(', ') }
  const all = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...expose, ...headers }
  return new Response(JSON.stringify(body), { status, headers: all })
}
