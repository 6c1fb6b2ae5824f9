/**
 * From a refused request to the authorization server that can help: protected-resource metadata, then
 * the server's own metadata, each looked for in the specified order and checked before it is believed.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @see https://www.rfc-editor.org/rfc/rfc8414
 * @module
 */
import {
  resourceMetadataUrls,
  SERVER_METADATA_PATH,
  serverMetadataUrls,
} from '../protocol/authorization.ts'
import { PROTOCOL_VERSION_HEADER } from '../protocol/constants.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { ASSUMED_REVISION } from '../protocol/versions.ts'
import { discoveredUrl } from './destinations.ts'
import { fetchDocument, type DocumentAnswer, type OAuthHttp } from './documents.ts'
import { OAuthError, printable, withoutQuery } from './errors.ts'
import { stringOf, stringsOf } from './fields.ts'

/** What we use of an authorization server's metadata, checked. */
export interface AuthorizationServer {
  /** Exactly as the protected resource and the server itself name it. */
  readonly issuer: string
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint: string
  readonly registrationEndpoint?: string | undefined
  readonly scopesSupported?: readonly string[] | undefined
  readonly authMethods?: readonly string[] | undefined
  readonly signingAlgorithms?: readonly string[] | undefined
  /** Undefined when the document does not say. */
  readonly challengeMethods?: readonly string[] | undefined
  /** The server promises `iss` in its redirects. */
  readonly sendsIssuer: boolean
  readonly clientIdMetadata: boolean
  /** There was no metadata at all: the endpoints are the defaults of 2025-03-26. */
  readonly assumed: boolean
}

/** Everything found out about where to get a token. */
export interface Discovery {
  /** The value of `resource` parameters, exactly as the metadata states it. */
  readonly resource: string
  readonly scopesSupported?: readonly string[] | undefined
  readonly server: AuthorizationServer
}

/** What steers discovery. */
export interface DiscoveryOptions extends OAuthHttp {
  /** The configured MCP server. */
  readonly serverUrl: URL
  /** The `resource_metadata` of the challenge. */
  readonly metadataUrl?: string | undefined
  /** Picks one of several authorization servers. */
  readonly choose: (issuers: readonly string[]) => string | undefined
}

interface ResourceDocument {
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopesSupported?: readonly string[] | undefined
}

/**
 * Finds the authorization server of an MCP server.
 *
 * @param options the server, the challenge and the means
 * @throws {OAuthError} that names every document that was tried and what was wrong with it.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const document = await findResourceMetadata(options)
  if (document === undefined) return fallback(options)
  const issuer = options.choose(document.issuers) ?? document.issuers[0] ?? ''
  const server = await findServerMetadata(issuer, options)
  const { resource, scopesSupported } = document
  return { resource, scopesSupported, server }
}

/**
 * The canonical URI of an MCP server, for a server that does not state one.
 *
 * @param serverUrl the configured URL
 */
export function canonicalResource(serverUrl: URL): string {
  const { protocol, host, pathname, search } = serverUrl
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}${search}`
}

/**
 * Tells whether a protected resource covers a URL: the same origin, and its path or a parent of it,
 * compared segment by segment. A trailing slash makes no difference.
 *
 * @param resource the `resource` of the metadata
 * @param serverUrl the configured URL
 */
export function covers(resource: string, serverUrl: URL): boolean {
  if (!URL.canParse(resource)) return false
  const url = new URL(resource)
  if (url.origin !== serverUrl.origin || url.hash !== '') return false
  if (url.search !== '' && url.search !== serverUrl.search) return false
  const parent = url.pathname.replace(/\/+$/, '')
  return `${serverUrl.pathname}/`.startsWith(`${parent}/`)
}

async function findResourceMetadata(
  options: DiscoveryOptions,
): Promise<ResourceDocument | undefined> {
  const attempts: string[] = []
  let absent = true
  for (const url of candidates(options)) {
    const answer = await fetchDocument(url, options)
    const document = isRecord(answer.value) ? resourceDocument(answer.value, url, options) : answer
    if (typeof document === 'object' && 'resource' in document) return document
    attempts.push(describe(url, document))
    absent &&= typeof document === 'object' && isAbsent(document)
  }
  if (absent && options.metadataUrl === undefined) return undefined
  throw new OAuthError('resource-metadata', `No protected-resource metadata: ${list(attempts)}`, {
    url: options.metadataUrl ?? options.serverUrl.href,
  })
}

function candidates({ metadataUrl, serverUrl }: DiscoveryOptions): readonly string[] {
  if (metadataUrl !== undefined) return [sameOrigin(metadataUrl, serverUrl)]
  return resourceMetadataUrls(`${serverUrl.origin}${serverUrl.pathname.replace(/\/+$/, '')}`)
}

/** A challenge may point anywhere; only its own origin is as trustworthy as the server itself. */
function sameOrigin(metadataUrl: string, serverUrl: URL): string {
  const origin = { step: 'resource-metadata', field: 'resource_metadata' } as const
  const url = discoveredUrl(metadataUrl, origin, serverUrl)
  if (url.origin === serverUrl.origin) return url.href
  throw new OAuthError(
    'resource-metadata',
    `resource_metadata ${withoutQuery(metadataUrl)} is not on the origin of ${withoutQuery(serverUrl.href)}`,
    { url: metadataUrl, field: 'resource_metadata' },
  )
}

function resourceDocument(
  value: Record<string, unknown>,
  url: string,
  { serverUrl }: DiscoveryOptions,
): ResourceDocument | string {
  const resource = stringOf(value, 'resource')
  if (resource === undefined) return 'has no resource'
  if (!covers(resource, serverUrl)) {
    throw new OAuthError(
      'resource-metadata',
      `resource in ${withoutQuery(url)} is ${printable(resource)}, which does not cover ${withoutQuery(serverUrl.href)}`,
      { url, field: 'resource' },
    )
  }
  const issuers = stringsOf(value, 'authorization_servers') ?? []
  if (issuers.length === 0) return 'has no authorization_servers'
  return { resource, issuers, scopesSupported: stringsOf(value, 'scopes_supported') }
}

async function findServerMetadata(
  issuer: string,
  options: DiscoveryOptions,
): Promise<AuthorizationServer> {
  const origin = { step: 'server-metadata', field: 'authorization_servers' } as const
  discoveredUrl(issuer, origin, options.serverUrl)
  const attempts: string[] = []
  for (const url of serverMetadataUrls(issuer)) {
    const answer = await fetchDocument(url, options)
    const server = isRecord(answer.value)
      ? serverDocument(answer.value, url, { issuers: [issuer], serverUrl: options.serverUrl })
      : answer
    if (typeof server === 'object' && 'tokenEndpoint' in server) return server
    attempts.push(describe(url, server))
  }
  throw new OAuthError(
    'server-metadata',
    `No usable metadata of ${printable(issuer)}: ${list(attempts)}`,
    { url: issuer },
  )
}

interface Expected {
  readonly issuers: readonly string[]
  readonly serverUrl: URL
}

function serverDocument(
  value: Record<string, unknown>,
  url: string,
  expected: Expected,
): AuthorizationServer | string {
  const issuer = stringOf(value, 'issuer')
  if (issuer === undefined) return 'has no issuer'
  if (!expected.issuers.includes(issuer)) {
    return `names the issuer ${printable(issuer)} instead of ${printable(expected.issuers[0] ?? '')}`
  }
  const endpoint = (field: string): string | undefined => {
    const found = stringOf(value, field)
    const origin = { step: 'server-metadata', field, document: url } as const
    return found === undefined ? undefined : discoveredUrl(found, origin, expected.serverUrl).href
  }
  const tokenEndpoint = endpoint('token_endpoint')
  if (tokenEndpoint === undefined) return 'has no token_endpoint'
  return {
    issuer,
    tokenEndpoint,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    scopesSupported: stringsOf(value, 'scopes_supported'),
    authMethods: stringsOf(value, 'token_endpoint_auth_methods_supported'),
    signingAlgorithms: stringsOf(value, 'token_endpoint_auth_signing_alg_values_supported'),
    challengeMethods: stringsOf(value, 'code_challenge_methods_supported'),
    sendsIssuer: value['authorization_response_iss_parameter_supported'] === true,
    clientIdMetadata: value['client_id_metadata_document_supported'] === true,
    assumed: false,
  }
}

/** A server of 2025-03-26 has no protected-resource metadata: it is its own authorization server. */
async function fallback(options: DiscoveryOptions): Promise<Discovery> {
  const { serverUrl } = options
  const { origin } = serverUrl
  const url = `${origin}${SERVER_METADATA_PATH}`
  const headers = { [PROTOCOL_VERSION_HEADER]: ASSUMED_REVISION }
  const answer = await fetchDocument(url, options, headers)
  const resource = canonicalResource(serverUrl)
  if (isRecord(answer.value)) {
    const issuers = [origin, `${origin}/`]
    const server = serverDocument(answer.value, url, { issuers, serverUrl })
    if (typeof server === 'object') return { resource, server }
    throw new OAuthError('server-metadata', describe(url, server), { url })
  }
  if (!isAbsent(answer)) throw new OAuthError('server-metadata', describe(url, answer), { url })
  return { resource, server: assumedServer(origin) }
}

function assumedServer(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    authMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    challengeMethods: ['S256'],
    sendsIssuer: false,
    clientIdMetadata: false,
    assumed: true,
  }
}

/** A page that is not there: refused, or a site that answers everything with its start page. */
function isAbsent({ status }: DocumentAnswer): boolean {
  return (status >= 400 && status < 500) || status === 200
}

function describe(url: string, problem: DocumentAnswer | string): string {
  if (typeof problem === 'string') return `${withoutQuery(url)} ${problem}`
  return `${withoutQuery(url)} ${problem.problem ?? `answered ${problem.status}`}`
}

function list(attempts: readonly string[]): string {
  return attempts.join('; ')
}
