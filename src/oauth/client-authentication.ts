/**
 * How a client proves itself at a token endpoint.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @see https://www.rfc-editor.org/rfc/rfc7523
 * @module
 */
import type { AuthorizationServer } from './discovery.ts'
import { OAuthError } from './errors.ts'

/** The ways that are supported. */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'

/** A client as an authorization server knows it. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Chosen from the server's metadata when absent. */
  readonly method?: AuthMethod | undefined
  /** Signs an assertion for `private_key_jwt`. */
  readonly assertion?: ((server: AuthorizationServer) => Promise<string>) | undefined
}

/** A form and the headers that go with it. */
export interface AuthenticatedForm {
  readonly form: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * Adds a client's proof to a token request.
 *
 * @param form the request
 * @param client who asks
 * @param server whom
 * @throws {OAuthError} when the server supports none of the ways this client has.
 */
export async function authenticate(
  form: URLSearchParams,
  client: ClientCredentials,
  server: AuthorizationServer,
): Promise<AuthenticatedForm> {
  const { clientId, clientSecret = '' } = client
  switch (methodFor(client, server)) {
    case 'client_secret_basic': {
      const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`
      return { form, headers: { authorization: `Basic ${btoa(pair)}` } }
    }
    case 'client_secret_post':
      return {
        form: extend(form, { client_id: clientId, client_secret: clientSecret }),
        headers: {},
      }
    case 'private_key_jwt': {
      const assertion = (await client.assertion?.(server)) ?? ''
      const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }
      return { form: extend(form, proof), headers: {} }
    }
    case 'none':
      return { form: extend(form, { client_id: clientId }), headers: {} }
  }
}

/**
 * Picks the way a client proves itself: what it was told, else the first that the server supports of
 * those the client has.
 *
 * @param client who asks
 * @param server whom
 * @throws {OAuthError} when there is none.
 */
export function methodFor(client: ClientCredentials, server: AuthorizationServer): AuthMethod {
  if (client.method !== undefined) return client.method
  const possible = possibleMethods(client)
  // RFC 8414 says what silence means.
  const supported = server.authMethods ?? ['client_secret_basic']
  const method = possible.find((one) => supported.includes(one))
  if (method !== undefined) return method
  if (possible[0] === 'none' && server.authMethods === undefined) return 'none'
  throw new OAuthError(
    'token',
    `token_endpoint_auth_methods_supported of ${server.issuer} has none of ${possible.join(', ')}`,
    { url: server.issuer, field: 'token_endpoint_auth_methods_supported' },
  )
}

function possibleMethods(client: ClientCredentials): readonly AuthMethod[] {
  if (client.assertion !== undefined) return ['private_key_jwt']
  if (client.clientSecret === undefined) return ['none']
  return ['client_secret_basic', 'client_secret_post', 'none']
}

/** RFC 6749 wants both halves form-encoded before they are joined. */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

function extend(form: URLSearchParams, more: Readonly<Record<string, string>>): URLSearchParams {
  const copy = new URLSearchParams(form)
  for (const [name, value] of Object.entries(more)) copy.set(name, value)
  return copy
}
