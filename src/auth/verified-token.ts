/**
 * What a verifier says of a token, and the ways in which it can have nothing to say.
 *
 * @module
 */

/** A token that is what it claims to be. Whether it is good for this server is checked afterwards. */
export interface VerifiedToken {
  /** Whom the token speaks for. */
  readonly subject: string
  /** What the token is for: the resource, or several. */
  readonly audience: string | readonly string[]
  readonly scopes?: readonly string[] | undefined
  readonly issuer?: string | undefined
  readonly clientId?: string | undefined
  /** Seconds since 1970. */
  readonly expiresAt?: number | undefined
  /** Everything else; handed to tools as `ctx.auth.claims`. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
}

/** Looks at a token; undefined means that it is not valid. */
export type Verify = (token: string, request: Request) => Promise<VerifiedToken | undefined>

/**
 * The token is not valid. The message is for `onRefused`; the client only learns that it needs another
 * token, because the reason would help whoever forges one.
 */
export class InvalidTokenError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'InvalidTokenError'
  }
}

/**
 * Whoever knows about tokens cannot be asked now. Clients get a 503 without a challenge: a new token
 * would not help them, and signing in again even less.
 */
export class VerifierUnavailableError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'VerifierUnavailableError'
  }
}
