/**
 * What the client asks of whoever holds its credentials. `mcp-edge/oauth` implements it; a static
 * token is three lines.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @module
 */

/** A request that is about to be sent. */
export interface AuthRequest {
  /** Where it goes; always the origin of the server the client was connected to. */
  readonly url: string
  /** Fires when nobody waits for the request any more. */
  readonly signal: AbortSignal
}

/** A request that the server refused for want of authorization. */
export interface AuthChallenge extends AuthRequest {
  /** 401: who are you? 403: you may not. */
  readonly status: 401 | 403
  /** The `WWW-Authenticate` header of the refusal. */
  readonly wwwAuthenticate: string | null
  /** The headers that {@link AuthProvider.headers} had given, so that a token renewed meanwhile is recognised. */
  readonly sent: Readonly<Record<string, string>>
  /** How often this request has been refused, from 1. */
  readonly attempt: number
}

/** Gives each request its credentials and answers refusals. */
export interface AuthProvider {
  /**
   * The headers that authorize a request; an empty object while there is nothing to send. Called
   * before every POST, GET and DELETE.
   */
  headers(request: AuthRequest): Promise<Readonly<Record<string, string>>>
  /**
   * Called when the server answers 401 or 403. `retry` repeats the request with new
   * {@link headers}; `fail` lets it fail with `UnauthorizedError`; what it throws becomes the failure.
   */
  challenge(challenge: AuthChallenge): Promise<'retry' | 'fail'>
}

/**
 * A provider that sends one fixed bearer token and gives up when it is refused.
 *
 * @param token the token itself, or a function that reads it before each request
 */
export function bearerToken(token: string | (() => string | Promise<string>)): AuthProvider {
  return {
    headers: async () => ({
      authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
    }),
    challenge: async () => 'fail',
  }
}
