/**
 * The token endpoint: one request, its answer read leniently, its refusals told without secrets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import type { RemoteJson } from '../shared/remote-json.ts'
import { authenticate, type ClientCredentials } from './client-authentication.ts'
import type { AuthorizationServer } from './discovery.ts'
import { post, type OAuthHttp } from './documents.ts'
import {
  fieldError,
  OAuthError,
  printable,
  refusal,
  withoutQuery,
  type OAuthStep,
} from './errors.ts'
import { numberOf, setAll, stringOf } from './fields.ts'

/** Tokens as they are kept. */
export interface TokenSet {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** Milliseconds since 1970; undefined when the server does not say. */
  readonly expiresAt?: number | undefined
  /** What was granted, when the server says so. */
  readonly scope?: string | undefined
}

/** Who asks whom, and how. */
export interface TokenExchange extends OAuthHttp {
  readonly server: AuthorizationServer
  readonly client: ClientCredentials
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The token type of an answer; an ID-JAG is no access token, and says so. */
export type TokenType = 'bearer' | 'n_a'

/**
 * Asks for tokens.
 *
 * @param form the grant
 * @param exchange who asks whom
 * @param type the token type that must come back
 * @throws {OAuthError} with the server's error code when it refuses.
 */
export async function requestTokens(
  form: Readonly<Record<string, string | undefined>>,
  exchange: TokenExchange,
  type: TokenType = 'bearer',
): Promise<TokenSet> {
  const { server, client } = exchange
  const params = new URLSearchParams()
  setAll(params, form)
  const request = await authenticate(params, client, server)
  const answer = await post(server.token_endpoint, exchange, {
    headers: {
      ...request.headers,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: request.form.toString(),
  })
  const value = accepted(answer, 'token', server.token_endpoint)
  return tokenSet(value, { url: server.token_endpoint, type, now: exchange.now() })
}

/**
 * The answer of an endpoint, when it is a success: an object without `error`.
 *
 * @param answer what came back
 * @param step the step this is
 * @param url the endpoint
 * @throws {OAuthError} for every other answer, also an error sent with status 200.
 */
export function accepted(
  answer: RemoteJson,
  step: OAuthStep,
  url: string,
): Readonly<Record<string, unknown>> {
  const { value, problem = 'is no object' } = answer
  if (isRecord(value)) {
    const error = stringOf(value, 'error')
    if (error !== undefined)
      throw refusal({ step, url }, error, stringOf(value, 'error_description'))
    if (answer.problem === undefined) return value
  }
  throw new OAuthError(step, `${withoutQuery(url)} ${problem}`, { url })
}

interface Reading {
  readonly url: string
  readonly type: TokenType
  readonly now: number
}

function tokenSet(value: Readonly<Record<string, unknown>>, { url, type, now }: Reading): TokenSet {
  const accessToken = stringOf(value, 'access_token') ?? ''
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw fieldError({ step: 'token', url, field: 'access_token' }, 'is not a token')
  }
  const given = stringOf(value, 'token_type') ?? type
  if (given.toLowerCase() !== type) {
    throw fieldError({ step: 'token', url, field: 'token_type' }, `is ${printable(given)}`)
  }
  const seconds = numberOf(value, 'expires_in')
  return {
    accessToken,
    refreshToken: stringOf(value, 'refresh_token'),
    // A time that JSON can carry, however far away.
    expiresAt:
      seconds === undefined ? undefined : Math.min(now + seconds * 1000, Number.MAX_SAFE_INTEGER),
    scope: stringOf(value, 'scope'),
  }
}
