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
  type AuthorizationServerMetadata,
} from '../protocol/authorization.ts'
import { PROTOCOL_VERSION_HEADER } from '../protocol/constants.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { ASSUMED_REVISION } from '../protocol/versions.ts'
import { discoveredUrl } from './destinations.ts'
import { fetchDocument, type OAuthHttp } from './documents.ts'
import { fieldError, OAuthError, printable, withoutQuery } from './errors.ts'
import { stringOf, stringsOf } from './fields.ts'

/**
 * An authorization server's metadata, as far as it is used: endpoints are checked, and what has the
 * wrong type is left out.
 */
export interface AuthorizationServer extends AuthorizationServerMetadata {
  readonly token_endpoint: string
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
  /** The authorization server that is taken when it is one of several. */
  readonly preferred?: string | undefined
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']
const LISTS = [
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'code_challenge_methods_supported',
]
const FLAGS = [
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
]

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
  const { issuers } = document
  const issuer = issuers.find((one) => one === options.preferred) ?? issuers[0] ?? ''
  const server = await findServerMetadata(issuer, options)
  const { resource, scopesSupported } = document
  return { resource, scopesSupported, server }
}

/**
 * The canonical URI of an MCP server, for a server that does not state one.
 *
 * @param serverUrl the configured URL, without a fragment
 */
function canonicalResource({ origin, pathname, search, href }: URL): string {
  return `${pathname}${search}` === '/' ? origin : href
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
  const parent = withoutEnd(url.pathname)
  return `${serverUrl.pathname}/`.startsWith(`${parent}/`)
}

/** Without the slashes at its end. Starts at the first of a run only, so that no path takes long. */
function withoutEnd(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '')
}

async function findResourceMetadata(
  options: DiscoveryOptions,
): Promise<ResourceDocument | undefined> {
  const { metadataUrl, serverUrl } = options
  const search = await firstUsable(candidates(options), options, (value, url) =>
    resourceDocument(value, url, options),
  )
  if (search.found !== undefined || (search.absent && metadataUrl === undefined))
    return search.found
  const message = `No protected-resource metadata: ${search.attempts}`
  throw new OAuthError('resource-metadata', message, { url: metadataUrl ?? serverUrl.href })
}

interface Search<T> {
  readonly found?: T | undefined
  /** What was wrong with each document. */
  readonly attempts: string
  /** None of them exists, so that nothing was wrong with any. */
  readonly absent: boolean
}

/** Asks for documents until one can be used; `read` says what is wrong with one that cannot. */
async function firstUsable<T>(
  urls: readonly string[],
  http: OAuthHttp,
  read: (value: Record<string, unknown>, url: string) => T | string,
): Promise<Search<T>> {
  const attempts: string[] = []
  let absent = true
  for (const url of urls) {
    const { status, value, problem } = await fetchDocument(url, http)
    const document = problem === undefined && isRecord(value) ? value : undefined
    const found = document === undefined ? (problem ?? 'is no object') : read(document, url)
    if (typeof found !== 'string') return { found, attempts: '', absent: false }
    attempts.push(`${withoutQuery(url)} ${found}`)
    // Refused, or a site that answers everything with its start page.
    absent &&= document === undefined && (status === 200 || (status >= 400 && status < 500))
  }
  return { attempts: attempts.join('; '), absent }
}

function candidates({ metadataUrl, serverUrl }: DiscoveryOptions): readonly string[] {
  if (metadataUrl !== undefined) return [sameOrigin(metadataUrl, serverUrl)]
  return resourceMetadataUrls(`${serverUrl.origin}${withoutEnd(serverUrl.pathname)}`)
}

/** A challenge may point anywhere; only its own origin is as trustworthy as the server itself. */
function sameOrigin(metadataUrl: string, serverUrl: URL): string {
  const fault = { step: 'resource-metadata', field: 'resource_metadata' } as const
  const { origin, href } = discoveredUrl(metadataUrl, fault, serverUrl)
  if (origin === serverUrl.origin) return href
  throw fieldError(fault, `is not on the origin of the server: ${withoutQuery(href)}`)
}

function resourceDocument(
  value: Record<string, unknown>,
  url: string,
  { serverUrl }: DiscoveryOptions,
): ResourceDocument | string {
  const resource = stringOf(value, 'resource')
  if (resource === undefined) return 'has no resource'
  if (!covers(resource, serverUrl)) {
    const why = `does not cover ${withoutQuery(serverUrl.href)}: ${printable(resource)}`
    throw fieldError({ step: 'resource-metadata', field: 'resource', url }, why)
  }
  const issuers = stringsOf(value, 'authorization_servers') ?? []
  if (issuers.length === 0) return 'has no authorization_servers'
  return { resource, issuers, scopesSupported: stringsOf(value, 'scopes_supported') }
}

async function findServerMetadata(
  issuer: string,
  options: DiscoveryOptions,
): Promise<AuthorizationServer> {
  const { serverUrl } = options
  discoveredUrl(issuer, { step: 'server-metadata', field: 'authorization_servers' }, serverUrl)
  const { found, attempts } = await firstUsable(serverMetadataUrls(issuer), options, (value, url) =>
    serverDocument(value, url, { issuers: [issuer], serverUrl }),
  )
  if (found !== undefined) return found
  const message = `No usable metadata of ${printable(issuer)}: ${attempts}`
  throw new OAuthError('server-metadata', message, { url: issuer })
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
  const server: Record<string, unknown> = { issuer }
  for (const field of ENDPOINTS) {
    const found = stringOf(value, field)
    if (found === undefined) continue
    const origin = { step: 'server-metadata', field, url } as const
    server[field] = discoveredUrl(found, origin, expected.serverUrl).href
  }
  for (const field of LISTS) server[field] = stringsOf(value, field)
  for (const field of FLAGS) server[field] = value[field] === true
  return isServer(server) ? server : 'has no token_endpoint'
}

function isServer(value: Record<string, unknown>): value is AuthorizationServer & typeof value {
  return typeof value['token_endpoint'] === 'string'
}

/** A server of 2025-03-26 has no protected-resource metadata: it is its own authorization server. */
async function fallback(options: DiscoveryOptions): Promise<Discovery> {
  const { serverUrl } = options
  const { origin } = serverUrl
  const url = `${origin}${SERVER_METADATA_PATH}`
  const headers = { [PROTOCOL_VERSION_HEADER]: ASSUMED_REVISION }
  const issuers = [origin, `${origin}/`]
  const search = await firstUsable([url], { ...options, headers }, (value) =>
    serverDocument(value, url, { issuers, serverUrl }),
  )
  const server = search.found ?? (search.absent ? assumedServer(origin) : undefined)
  if (server !== undefined) return { resource: canonicalResource(serverUrl), server }
  throw new OAuthError('server-metadata', search.attempts, { url })
}

function assumedServer(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  }
}
