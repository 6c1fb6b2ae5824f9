/**
 * Grants without a user: the client itself is who signs in.
 *
 * @see https://modelcontextprotocol.io/extensions/auth/oauth-client-credentials
 * @module
 */
import { privateKeyAssertion, type AssertionOptions } from './assertion.ts'
import type { AuthMethod } from './client-authentication.ts'
import { clientGrant } from './client-grant.ts'
import type { ProviderOptions } from './provider-core.ts'
import { createProvider, type OAuthProvider } from './provider.ts'

/** A client with a secret. */
export interface ClientCredentialsOptions extends ProviderOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** How the secret is shown; the first of basic and post that the server supports by default. */
  readonly method?: Extract<AuthMethod, 'client_secret_basic' | 'client_secret_post'> | undefined
  /** The only issuer the credentials are shown to; by default the first one met, ever after. */
  readonly issuer?: string | undefined
}

/** A client with a private key. */
export interface PrivateKeyJwtOptions extends ProviderOptions, AssertionOptions {
  /** The only issuer the credentials are shown to; by default the first one met, ever after. */
  readonly issuer?: string | undefined
}

/**
 * Makes a provider that gets tokens with a client secret.
 *
 * @param options the client
 */
export function clientCredentials(options: ClientCredentialsOptions): OAuthProvider {
  const { clientId, clientSecret, method, issuer } = options
  return createProvider(
    clientGrant({ clientId, clientSecret, method, issuer }, credentialsForm),
    options,
  )
}

/**
 * Makes a provider that gets tokens with a signed assertion; no secret leaves the client.
 *
 * @param options the client and its key
 * @see https://www.rfc-editor.org/rfc/rfc7523
 */
export function privateKeyJwt(options: PrivateKeyJwtOptions): OAuthProvider {
  const { clientId, issuer } = options
  const assertion = privateKeyAssertion(options)
  return createProvider(clientGrant({ clientId, assertion, issuer }, credentialsForm), options)
}

async function credentialsForm(): Promise<{ readonly grant_type: string }> {
  return { grant_type: 'client_credentials' }
}
