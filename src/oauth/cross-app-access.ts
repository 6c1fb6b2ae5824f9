/**
 * Enterprise-managed authorization: the identity provider a user is already signed in to vouches for
 * them at the authorization server of an MCP server, and nobody is asked.
 *
 * @see https://modelcontextprotocol.io/extensions/auth/enterprise-managed-authorization
 * @see https://www.rfc-editor.org/rfc/rfc8693
 * @module
 */
import { platformFetch } from '../shared/remote-json.ts'
import type { ClientCredentials } from './client-authentication.ts'
import { clientGrant } from './client-grant.ts'
import { secureUrl } from './destinations.ts'
import type { OAuthHttp } from './documents.ts'
import type { ProviderOptions } from './provider-core.ts'
import { createProvider, type OAuthProvider } from './provider.ts'
import type { RegisteredClient } from './registration.ts'
import { requestTokens } from './tokens.ts'

/** What an identity assertion has to be good for. */
export interface IdJagTarget extends OAuthHttp {
  /** The issuer of the authorization server that will read it. */
  readonly audience: string
  /** The MCP server. */
  readonly resource: string
  readonly scope?: string | undefined
}

/** A client of both servers. */
export interface CrossAppAccessOptions extends ProviderOptions {
  /** The client as the authorization server of the MCP server knows it. */
  readonly client: RegisteredClient
  /** Gets the assertion, anew for each token; usually by {@link requestIdJag}. */
  readonly idJag: (target: IdJagTarget) => string | Promise<string>
}

/** A user's session at an identity provider, and how to ask it for an assertion. */
export interface IdJagRequest extends Omit<IdJagTarget, 'fetch'> {
  readonly fetch?: IdJagTarget['fetch'] | undefined
  /** The identity provider's token endpoint. */
  readonly tokenEndpoint: string
  /** The client as the identity provider knows it. */
  readonly client: ClientCredentials
  /** The user's ID token, or a SAML assertion. */
  readonly subjectToken: string
  /** What the subject token is; an ID token by default. */
  readonly subjectTokenType?: 'id_token' | 'saml2' | undefined
}

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:'

/**
 * Makes a provider that trades an identity assertion for tokens.
 *
 * @param options the client, and where assertions come from
 */
export function crossAppAccess(options: CrossAppAccessOptions): OAuthProvider {
  const { client, idJag } = options
  const grant = clientGrant(client, async ({ server, resource, scope, fetch, signal }) => {
    const assertion = await idJag({ audience: server.issuer, resource, scope, fetch, signal })
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  })
  return createProvider(grant, options)
}

/**
 * Asks an identity provider for an identity assertion (ID-JAG).
 *
 * @param request the user's session and the assertion's target
 * @throws {OAuthError} when the identity provider refuses or answers with something else.
 */
export async function requestIdJag(request: IdJagRequest): Promise<string> {
  const { tokenEndpoint, client, subjectToken, subjectTokenType = 'id_token' } = request
  const { audience, resource, scope, fetch = platformFetch, signal } = request
  secureUrl(tokenEndpoint, { step: 'token', field: 'tokenEndpoint' })
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: `${TOKEN_TYPE}id-jag`,
    subject_token: subjectToken,
    subject_token_type: `${TOKEN_TYPE}${subjectTokenType}`,
    audience,
    resource,
    scope,
  }
  const server = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint }
  const exchange = { server, client, fetch, signal, now: Date.now }
  const { accessToken } = await requestTokens(form, exchange, 'n_a')
  return accessToken
}
