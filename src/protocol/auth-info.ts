/**
 * Who a request comes from, as the guard that checked its credentials says.
 *
 * @module
 */
import { formatChallenge } from './challenge.ts'

/** A checked identity. The credentials themselves are not part of it, so that none is passed on. */
export interface AuthInfo {
  /** Whom the credentials speak for. */
  readonly subject: string
  /** Who vouches for the subject; two issuers may use the same subject for two people. */
  readonly issuer?: string | undefined
  /** The program the subject uses. */
  readonly clientId?: string | undefined
  /** What the credentials allow. */
  readonly scopes: readonly string[]
  /** Seconds since 1970 after which the credentials are void. */
  readonly expiresAt?: number | undefined
  /** Where the metadata of the protected resource is; a challenge for more scopes points there. */
  readonly resourceMetadata?: string | undefined
  /** Everything else that was checked. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The stable name of whoever a request comes from: the same for every token of the same subject at
 * the same issuer through the same client, so that a refreshed token keeps its session. Sessions,
 * sealed states and private caches are bound to it.
 *
 * @param auth a checked identity
 */
export function principalOf(auth: AuthInfo): string {
  return JSON.stringify([auth.issuer ?? '', auth.subject, auth.clientId ?? ''])
}

/**
 * The scopes an operation needs that its caller lacks. Whoever checked the credentials has already
 * added what broader scopes imply, so plain membership decides.
 *
 * @param auth a checked identity; undefined lacks everything
 * @param needed the scopes of the operation
 */
export function missingScopes(
  auth: AuthInfo | undefined,
  needed: readonly string[],
): readonly string[] {
  return needed.filter((scope) => auth?.scopes.includes(scope) !== true)
}

/**
 * Checks the credentials of a request: who it is, a refusal, or the word that it may stay without a
 * name. A forgotten return is no answer, and so never counts as permission.
 */
export type Authenticate = (
  request: Request,
) => AuthInfo | Response | 'anonymous' | Promise<AuthInfo | Response | 'anonymous'>

/**
 * The `WWW-Authenticate` header of a 403 that asks for more scopes: the answer to an operation whose
 * {@link missingScopes} are not empty. It names every scope of the operation, because a client asks for
 * what the challenge names.
 *
 * @param auth a checked identity, or undefined
 * @param needed all scopes of the operation
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export function scopeChallenge(auth: AuthInfo | undefined, needed: readonly string[]): string {
  return formatChallenge('Bearer', {
    error: 'insufficient_scope',
    error_description: 'The access token lacks a scope that this operation needs',
    scope: needed.join(' '),
    resource_metadata: auth?.resourceMetadata,
  })
}
