/**
 * Who a request comes from, as the guard that checked its credentials says.
 *
 * @module
 */

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
