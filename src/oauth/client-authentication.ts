/**
 * How a client proves itself at a token endpoint.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3
 * @see https://www.rfc-editor.org/rfc/rfc7523
 * @module
 */
import type { AuthorizationServer } from './discovery.ts'
import { fieldError } from './errors.ts'

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
  const method = methodFor(client, server)
  if (method === 'client_secret_basic') {
    const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`
    return { form, headers: { authorization: `Basic ${btoa(pair)}` } }
  }
  const proven = new URLSearchParams(form)
  if (method === 'private_key_jwt') {
    proven.set('client_assertion_type', ASSERTION_TYPE)
    proven.set('client_assertion', (await client.assertion?.(server)) ?? '')
  } else proven.set('client_id', clientId)
  if (method === 'client_secret_post') proven.set('client_secret', clientSecret)
  return { form: proven, headers: {} }
}

/**
 * Picks the first of several ways that a server supports.
 *
 * @param possible the ways, best first
 * @param server its metadata
 * @throws {OAuthError} when there is none.
 */
export function chooseMethod(
  possible: readonly AuthMethod[],
  server: AuthorizationServer,
): AuthMethod {
  const field = 'token_endpoint_auth_methods_supported'
  // RFC 8414 says what silence means.
  const supported = server[field] ?? ['client_secret_basic']
  const method = possible.find((one) => supported.includes(one))
  if (method !== undefined) return method
  const fault = { step: 'token', url: server.issuer, field } as const
  throw fieldError(fault, `has none of ${possible.join(', ')}`)
}

function methodFor(client: ClientCredentials, server: AuthorizationServer): AuthMethod {
  const possible = possibleMethods(client)
  const isSilent = server.token_endpoint_auth_methods_supported === undefined
  if (isSilent && possible.length === 1) return possible[0] ?? 'none'
  return client.method ?? chooseMethod(possible, server)
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
