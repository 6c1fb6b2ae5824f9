/**
 * What comes back to the redirect URI, checked before any of it is used: the state is one we gave out,
 * and the issuer is the one we sent the user to. Comparison is of plain strings.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9207
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import type { AuthorizationServer } from './discovery.ts'
import { fieldError, printable, refusal, type OAuthError } from './errors.ts'
import { hasStrings } from './fields.ts'
import { parseRecord } from './grant-record.ts'
import type { TokenStorage } from './storage.ts'

/** The parameters of a callback: its whole URL, its query, or the parameters themselves. */
export type CallbackParams = string | URL | URLSearchParams

/** A sign-in that is under way. */
export interface PendingSignIn {
  readonly state: string
  readonly verifier: string
  readonly clientId: string
  readonly redirectUri: string
  readonly serverUrl: string
  readonly server: AuthorizationServer
  readonly resource: string
  readonly scope?: string | undefined
  readonly metadataUrl?: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Keeps a sign-in until its callback.
 *
 * @param storage where
 * @param pending the sign-in
 */
export function savePending(storage: TokenStorage, pending: PendingSignIn): Promise<void> {
  return storage.set(pendingKey(pending.state), JSON.stringify(pending))
}

/**
 * Takes the sign-in that a callback belongs to. It can be taken once.
 *
 * @param params the callback's parameters
 * @param storage where sign-ins are kept
 * @param now milliseconds since 1970
 * @throws {OAuthError} when the state is unknown, was used, or is too old.
 */
export async function takePending(
  params: URLSearchParams,
  storage: TokenStorage,
  now: number,
): Promise<PendingSignIn> {
  const state = single(params, 'state') ?? ''
  const pending = parseRecord(await storage.take(pendingKey(state)))
  if (isPending(pending) && pending.state === state && pending.expiresAt > now) return pending
  throw wrong('state', 'is unknown, was used before or is too old')
}

/**
 * The code of a callback.
 *
 * @param params the callback's parameters
 * @param server the server the user was sent to
 * @throws {OAuthError} when the issuer is not that server, before anything else is looked at; or with
 * the server's error code, when it refused.
 */
export function codeOf(params: URLSearchParams, server: AuthorizationServer): string {
  const issuer = single(params, 'iss')
  if (issuer === undefined && server.authorization_response_iss_parameter_supported === true) {
    throw wrong('iss', `is missing, although ${printable(server.issuer)} promises it`)
  }
  if (issuer !== undefined && issuer !== server.issuer) {
    throw wrong('iss', `is not ${printable(server.issuer)}, where the user was sent`)
  }
  const error = single(params, 'error')
  if (error !== undefined) {
    const from = { step: 'authorization', url: server.issuer } as const
    throw refusal(from, error, single(params, 'error_description'))
  }
  const code = single(params, 'code')
  if (code === undefined) throw wrong('code', 'is missing')
  return code
}

/**
 * The parameters of a callback, however they were given.
 *
 * @param params a URL, a query or parameters
 */
export function callbackParams(params: CallbackParams): URLSearchParams {
  if (params instanceof URLSearchParams) return params
  if (params instanceof URL) return params.searchParams
  return URL.canParse(params) ? new URL(params).searchParams : new URLSearchParams(params)
}

/** A parameter that is there twice says two things, one of which may be an attacker's. */
function single(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name)
  if (values.length > 1) throw wrong(name, 'is there more than once')
  return values[0]
}

/** The storage gives back what was put there; this tells that from nothing, and from damage. */
function isPending(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & PendingSignIn {
  const { server, expiresAt } = value
  const fields = ['state', 'verifier', 'clientId', 'redirectUri', 'serverUrl', 'resource'] as const
  if (!isRecord(server) || typeof expiresAt !== 'number') return false
  return hasStrings(value, fields) && hasStrings(server, ['issuer', 'token_endpoint'])
}

function pendingKey(state: string): string {
  return `sign-in ${state}`
}

function wrong(field: string, why: string): OAuthError {
  return fieldError({ step: 'callback', field: field }, why)
}
