/**
 * The providers with which the conformance client gets its tokens, by scenario. Where a user would sign
 * in, a `fetch` follows the one redirect that the suite's authorization server answers with.
 *
 * @module
 */
import type { AuthProvider } from 'mcp-edge/client'
import {
  authorizationCode,
  clientCredentials,
  crossAppAccess,
  privateKeyJwt,
  requestIdJag,
} from 'mcp-edge/oauth'

type Context = Readonly<Record<string, unknown>>

/** Named by the suite: the client id it expects where metadata documents are read. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json'

/**
 * The provider of a scenario.
 *
 * @param scenario the suite's name
 * @param context what the suite tells
 */
export async function authFor(scenario: string, context: Context): Promise<AuthProvider> {
  const text = (name: string): string => {
    const value = context[name]
    if (typeof value !== 'string') throw new Error(`the suite does not tell ${name}`)
    return value
  }
  switch (scenario) {
    case 'auth/client-credentials-jwt':
      return privateKeyJwt({
        clientId: text('client_id'),
        privateKey: text('private_key_pem'),
        algorithm: text('signing_algorithm'),
      })
    case 'auth/client-credentials-basic':
      return clientCredentials({
        clientId: text('client_id'),
        clientSecret: text('client_secret'),
      })
    case 'auth/enterprise-managed-authorization':
      return crossAppAccess({
        client: { clientId: text('client_id'), clientSecret: text('client_secret') },
        idJag: (target) =>
          requestIdJag({
            ...target,
            tokenEndpoint: text('idp_token_endpoint'),
            client: { clientId: text('idp_client_id'), method: 'none' },
            subjectToken: text('idp_id_token'),
          }),
      })
    case 'auth/wif-jwt-bearer':
      return crossAppAccess({
        client: { clientId: text('client_id'), method: 'none' },
        idJag: () => text('valid_jwt'),
      })
    case 'auth/pre-registration':
      return signIn({
        clientId: text('client_id'),
        clientSecret: text('client_secret'),
        issuer: typeof context['issuer'] === 'string' ? context['issuer'] : undefined,
      })
    default:
      return signIn()
  }
}

function signIn(client?: Parameters<typeof authorizationCode>[0]['client']): AuthProvider {
  return authorizationCode({
    redirectUri: 'http://127.0.0.1:3000/callback',
    clientMetadataUrl: METADATA_URL,
    clientMetadata: { clientName: 'mcp-edge conformance' },
    client,
    async authorize(url) {
      const response = await fetch(url, { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
  })
}
