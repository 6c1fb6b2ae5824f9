/**
 * The one error of this entry: which step failed, and which document, field and URL were at fault.
 * Nothing secret goes into a message: no token, code, verifier or client secret, and no query of a URL.
 *
 * @module
 */

/** The step of getting a token that failed. */
export type OAuthStep =
  | 'server'
  | 'resource-metadata'
  | 'server-metadata'
  | 'registration'
  | 'authorization'
  | 'callback'
  | 'token'
  | 'storage'

/** What an {@link OAuthError} knows besides its message. */
export interface OAuthErrorDetails {
  /** The document or endpoint at fault, without its query. */
  readonly url?: string | undefined
  /** The field of the document or response that is wrong. */
  readonly field?: string | undefined
  /** The OAuth error code with which the authorization server refused, such as `invalid_grant`. */
  readonly error?: string | undefined
  readonly cause?: unknown
}

/** Getting a token failed. */
export class OAuthError extends Error {
  /** The step that failed. */
  readonly step: OAuthStep
  /** The document or endpoint at fault, without its query. */
  readonly url: string | undefined
  /** The field that is wrong. */
  readonly field: string | undefined
  /** The OAuth error code the authorization server gave. */
  readonly error: string | undefined

  constructor(step: OAuthStep, message: string, details: OAuthErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.step = step
    this.url = details.url === undefined ? undefined : withoutQuery(details.url)
    this.field = details.field
    this.error = details.error
  }
}

/**
 * The user has to sign in, and the application has sent them away to do so: nothing is wrong yet.
 * Call `finish` of the provider with what comes back to the redirect URI, then connect again.
 */
export class AuthorizationRequiredError extends OAuthError {
  /** The page the user was sent to. Holds no secret, but is meant for this user only. */
  readonly authorizationUrl: string

  constructor(authorizationUrl: string) {
    super('authorization', 'Sign-in needed: call finish() with what comes back')
    this.authorizationUrl = authorizationUrl
  }
}

/** A field that is wrong, and the document or endpoint it was found in. */
export interface Fault {
  readonly step: OAuthStep
  readonly field: string
  readonly url?: string | undefined
}

/**
 * The error for a field that is wrong; its message names the field and where it was found.
 *
 * @param fault the field
 * @param why what is wrong with it, as a phrase that follows
 */
export function fieldError(fault: Fault, why: string): OAuthError {
  const { step, field, url } = fault
  const place = url === undefined ? '' : ` in ${withoutQuery(url)}`
  return new OAuthError(step, `${field}${place} ${why}`, fault)
}

/**
 * The error for a refusal by an authorization server, with the words it gave.
 *
 * @param fault the step, and who refused
 * @param error the OAuth error code
 * @param description what the server says about it
 */
export function refusal(
  { step, url }: Pick<Fault, 'step'> & { readonly url: string },
  error: string,
  description?: string,
): OAuthError {
  const why = description === undefined ? '' : `: ${printable(description)}`
  const message = `${withoutQuery(url)} refused: ${printable(error)}${why}`
  return new OAuthError(step, message, { url, error })
}

/**
 * A URL as it may stand in a message: without userinfo, query and fragment, which may hold secrets.
 *
 * @param url anything that was meant as a URL
 */
export function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return printable(url)
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * Text of another party as it may stand in a message: one line of bounded length.
 *
 * @param text what the other party wrote
 */
export function printable(text: string): string {
  return text
    .replace(/[^ -~\u00a0-\ufffd]+/g, ' ')
    .trim()
    .slice(0, 200)
}
