/**
 * What a protected server says about itself, for clients that have no token yet.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @module
 */
import {
  RESOURCE_METADATA_PATH,
  type ProtectedResourceMetadata,
} from '../protocol/authorization.ts'
import { JSON_TYPE } from '../protocol/constants.ts'
import { methodNotAllowed } from './challenge.ts'
import { resourceReader, type ResourceOptions } from './resource.ts'

/** What is said. The options of `bearerAuth` fit as they are. */
export interface ResourceMetadataOptions extends ResourceOptions {
  /** The authorization servers whose tokens are good here. */
  readonly issuer: string | readonly string[]
  /** The scopes a client should ask for at first. */
  readonly scopes?: readonly string[] | undefined
  /** All scopes, where that is more than `scopes`. */
  readonly scopesSupported?: readonly string[] | undefined
  /** A name for people. */
  readonly name?: string | undefined
  /** A page for developers. */
  readonly documentation?: string | undefined
  /** More members, such as `resource_policy_uri`. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** Answers requests for the metadata; undefined for every other request. */
export type ResourceMetadataHandler = (request: Request) => Response | undefined

/** Seconds that clients and caches may keep the document. */
const MAX_AGE_S = 3600
const METHODS = 'GET, HEAD, OPTIONS'
const CORS = { 'access-control-allow-origin': '*' }

/**
 * Makes the handler of the metadata. It answers at the well-known path with the endpoint's own path
 * behind it, and at the bare one, to GET, HEAD and OPTIONS, for every origin and without a token.
 *
 * @param options what is said
 * @throws {TypeError} for a resource that clients would refuse, or without an issuer.
 */
export function protectedResourceMetadata(
  options: ResourceMetadataOptions,
): ResourceMetadataHandler {
  const resourceOf = resourceReader(options)
  const servers = typeof options.issuer === 'string' ? [options.issuer] : options.issuer
  if (servers.length === 0) throw new TypeError('issuer: has to name an authorization server')
  return (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(RESOURCE_METADATA_PATH)) return undefined
    const resource = resourceOf(request)
    const own = new URL(resource).pathname.replace(/\/$/, '')
    const path = pathname.slice(RESOURCE_METADATA_PATH.length).replace(/\/$/, '')
    if (path !== '' && path !== own) return undefined
    return answer(request, metadataDocument(resource, servers, options))
  }
}

function metadataDocument(
  resource: string,
  servers: readonly string[],
  options: ResourceMetadataOptions,
): ProtectedResourceMetadata {
  const scopes = options.scopesSupported ?? options.scopes
  return {
    ...options.more,
    resource,
    authorization_servers: servers,
    // Refresh tokens are between the client and the authorization server.
    scopes_supported: scopes?.filter((scope) => scope !== 'offline_access'),
    bearer_methods_supported: ['header'],
    resource_name: options.name,
    resource_documentation: options.documentation,
  }
}

function answer(request: Request, document: ProtectedResourceMetadata): Response {
  const { method } = request
  if (method === 'OPTIONS') {
    const allowed = request.headers.get('access-control-request-headers') ?? 'mcp-protocol-version'
    const headers = {
      ...CORS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': allowed,
      'access-control-max-age': '7200',
    }
    return new Response(null, { status: 204, headers })
  }
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(METHODS)
  const headers = {
    ...CORS,
    'content-type': JSON_TYPE,
    'cache-control': `public, max-age=${String(MAX_AGE_S)}`,
  }
  const body = method === 'HEAD' ? null : JSON.stringify(document)
  return new Response(body, { status: 200, headers })
}
