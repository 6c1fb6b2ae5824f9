/**
 * Documents of OAuth that MCP relies on, and where they are found.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @module
 */

/**
 * What a protected resource says about itself.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-2
 */
export interface ProtectedResourceMetadata {
  /** The resource's canonical URI. */
  readonly resource: string
  /** Issuers whose tokens it takes; MCP requires at least one. */
  readonly authorization_servers?: readonly string[] | undefined
  readonly jwks_uri?: string | undefined
  readonly scopes_supported?: readonly string[] | undefined
  readonly bearer_methods_supported?: readonly string[] | undefined
  readonly resource_name?: string | undefined
  readonly resource_documentation?: string | undefined
  readonly resource_policy_uri?: string | undefined
  readonly resource_tos_uri?: string | undefined
  readonly [member: string]: unknown
}

/**
 * What an authorization server says about itself, with the members of OpenID Connect discovery that
 * matter here.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-2
 */
export interface AuthorizationServerMetadata {
  readonly issuer: string
  readonly authorization_endpoint?: string | undefined
  readonly token_endpoint?: string | undefined
  readonly jwks_uri?: string | undefined
  readonly registration_endpoint?: string | undefined
  readonly revocation_endpoint?: string | undefined
  readonly introspection_endpoint?: string | undefined
  readonly scopes_supported?: readonly string[] | undefined
  readonly response_types_supported?: readonly string[] | undefined
  readonly grant_types_supported?: readonly string[] | undefined
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined
  readonly token_endpoint_auth_signing_alg_values_supported?: readonly string[] | undefined
  readonly code_challenge_methods_supported?: readonly string[] | undefined
  /** RFC 9207: callbacks name their issuer. */
  readonly authorization_response_iss_parameter_supported?: boolean | undefined
  /** The client's id may be the URL of its metadata document. */
  readonly client_id_metadata_document_supported?: boolean | undefined
  readonly [member: string]: unknown
}

/** Path under which a protected resource describes itself. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
/** Path under which an authorization server describes itself. */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'
/** Path under which an OpenID provider describes itself. */
export const OPENID_CONFIGURATION_PATH = '/.well-known/openid-configuration'

/**
 * Where the metadata of a protected resource is: its own path follows the well-known one.
 *
 * @param resource the resource's URI
 * @throws {TypeError} if the URI is not an absolute URL
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3.1
 */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  const path = pathname === '/' ? '' : pathname
  return `${origin}${RESOURCE_METADATA_PATH}${path}${search}`
}

/**
 * Where a client looks for the metadata of a protected resource when it was not told, in order.
 *
 * @param resource the URL of the MCP endpoint
 * @throws {TypeError} if it is not an absolute URL
 */
export function resourceMetadataUrls(resource: string): readonly string[] {
  const first = resourceMetadataUrl(resource)
  const root = `${new URL(resource).origin}${RESOURCE_METADATA_PATH}`
  return first === root ? [root] : [first, root]
}

/**
 * Where a client looks for the metadata of an authorization server, in order.
 *
 * @param issuer the server's issuer
 * @throws {TypeError} if it is not an absolute URL
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3.1
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const urls = [
    `${origin}${SERVER_METADATA_PATH}${path}`,
    `${origin}${OPENID_CONFIGURATION_PATH}${path}`,
  ]
  if (path !== '') urls.push(`${origin}${path}${OPENID_CONFIGURATION_PATH}`)
  return urls
}
