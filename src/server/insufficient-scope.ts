/**
 * A caller whose token does not allow what it asks for.
 *
 * @module
 */
import { INVALID_REQUEST, McpError } from '../protocol/errors.ts'
import { missingScopes } from '../protocol/auth-info.ts'
import type { AuthInfo } from '../protocol/auth-info.ts'

/** A tool needs scopes that the caller's token does not have; HTTP answers 403 with a challenge. */
export class InsufficientScopeError extends McpError {
  /** Every scope the operation needs. */
  readonly scopes: readonly string[]

  constructor(scopes: readonly string[]) {
    super(INVALID_REQUEST, `Insufficient scope: this needs ${scopes.join(' ')}`)
    this.scopes = scopes
  }
}

/**
 * Refuses a caller that lacks scopes.
 *
 * @param scopes every scope the operation needs
 * @param auth who is authenticated
 * @throws {InsufficientScopeError} if one is missing
 */
export function requireScopes(scopes: readonly string[], auth: AuthInfo | undefined): void {
  if (missingScopes(auth, scopes).length > 0) throw new InsufficientScopeError(scopes)
}
