/**
 * How a client becomes known to an authorization server: registered beforehand, by a metadata document
 * that is its id, or dynamically. What a server issued is kept under that server's issuer and never
 * shown to another.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import { chooseMethod, type AuthMethod, type ClientCredentials } from './client-authentication.ts'
import { isLoopback } from './destinations.ts'
import type { AuthorizationServer } from './discovery.ts'
import { post, type OAuthHttp } from './documents.ts'
import { fieldError, printable, type OAuthError } from './errors.ts'
import { hasStrings, numberOf, stringOf, stringsOf } from './fields.ts'
import { parseRecord } from './grant-record.ts'
import { accepted } from './tokens.ts'
import type { TokenStorage } from './storage.ts'

/** A client that was registered beforehand. */
export interface RegisteredClient extends ClientCredentials {
  /** The only issuer these credentials are shown to; the first one met when absent. */
  readonly issuer?: string | undefined
}

/** What a client says about itself when it registers dynamically. */
export interface ClientMetadata {
  readonly clientName?: string | undefined
  readonly clientUri?: string | undefined
  readonly logoUri?: string | undefined
  readonly softwareId?: string | undefined
  readonly softwareVersion?: string | undefined
}

/** The ways a client may be known. */
export interface ClientIdentity {
  readonly client?: RegisteredClient | undefined
  readonly clientMetadataUrl?: string | undefined
  readonly metadata: ClientMetadata
  readonly redirectUri: string
  /** Registers for refresh tokens too. */
  readonly offline: boolean
}

/** A public client where the server allows one: a secret that was handed out to anyone proves nothing. */
const METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post']

/** What registration works with. */
export interface RegistrationContext extends OAuthHttp {
  readonly server: AuthorizationServer
  readonly storage: TokenStorage
  readonly now: () => number
}

/**
 * The credentials a client shows to a server: those registered beforehand, else its metadata URL when
 * the server reads such documents, else kept or new dynamic ones.
 *
 * @param identity the ways this client may be known
 * @param context the server and the means
 * @throws {OAuthError} when there is no way, or the server refuses.
 */
export async function clientFor(
  identity: ClientIdentity,
  context: RegistrationContext,
): Promise<ClientCredentials> {
  const { server } = context
  if (identity.client !== undefined) return boundClient(identity.client, context)
  if (
    identity.clientMetadataUrl !== undefined &&
    server.client_id_metadata_document_supported === true
  ) {
    return { clientId: identity.clientMetadataUrl, method: 'none' }
  }
  if (server.registration_endpoint === undefined) {
    const why = 'is missing: register there and pass it as client'
    throw unusable(server.issuer, 'registration_endpoint', why)
  }
  return (await keptClient(identity, context)) ?? register(identity, context)
}

/**
 * Credentials registered beforehand, if they are for this server.
 *
 * @param client the credentials
 * @param context the server, and the storage that remembers the first issuer met
 * @throws {OAuthError} when they belong to another issuer.
 */
export async function boundClient(
  client: RegisteredClient,
  { server, storage }: Pick<RegistrationContext, 'server' | 'storage'>,
): Promise<ClientCredentials> {
  const key = `binding ${client.clientId}`
  const issuer = client.issuer ?? (await storage.get(key))
  if (issuer === undefined) await storage.set(key, server.issuer)
  if (issuer === undefined || issuer === server.issuer) return client
  throw unusable(
    server.issuer,
    'issuer',
    `is not ${printable(issuer)}, where the client is registered`,
  )
}

/**
 * Forgets the dynamic registration with a server, as when it no longer knows the client.
 *
 * @param issuer the server
 * @param storage where it is kept
 */
export function forgetClient(issuer: string, storage: TokenStorage): Promise<void> {
  return storage.delete(clientKey(issuer))
}

async function keptClient(
  { redirectUri }: ClientIdentity,
  { server, storage, now }: RegistrationContext,
): Promise<ClientCredentials | undefined> {
  const kept = parseRecord(await storage.get(clientKey(server.issuer)))
  const isUsable = isKept(kept) && kept.redirectUri === redirectUri
  return isUsable && (kept.expiresAt ?? Number.POSITIVE_INFINITY) > now() ? kept : undefined
}

interface KeptClient extends ClientCredentials {
  readonly redirectUri: string
  readonly expiresAt?: number | undefined
}

function isKept(value: object): value is KeptClient {
  return isRecord(value) && hasStrings(value, ['clientId', 'redirectUri', 'method'])
}

async function register(
  identity: ClientIdentity,
  context: RegistrationContext,
): Promise<ClientCredentials> {
  const { server, storage, now } = context
  const url = server.registration_endpoint ?? ''
  const wanted = chooseMethod(METHODS, server)
  const answer = await post(url, context, {
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(registrationRequest(identity, wanted)),
  })
  const value = accepted(answer, 'registration', url)
  const clientId = stringOf(value, 'client_id')
  if (clientId === undefined) throw unusable(url, 'client_id', 'is missing')
  const clientSecret = stringOf(value, 'client_secret')
  const method = methodOf(stringOf(value, 'token_endpoint_auth_method')) ?? wanted
  if (method.startsWith('client_secret') && clientSecret === undefined) {
    throw unusable(url, 'client_secret', `is missing, which ${method} needs`)
  }
  const registered = stringsOf(value, 'redirect_uris')
  if (registered !== undefined && !registered.includes(identity.redirectUri)) {
    throw unusable(url, 'redirect_uris', 'lacks the one asked for')
  }
  const seconds = numberOf(value, 'client_secret_expires_at') ?? 0
  const expiresAt = seconds === 0 ? undefined : seconds * 1000
  if (expiresAt !== undefined && expiresAt <= now()) {
    throw unusable(url, 'client_secret_expires_at', 'is in the past')
  }
  const { redirectUri } = identity
  const kept: KeptClient = { clientId, clientSecret, method, redirectUri, expiresAt }
  await storage.set(clientKey(server.issuer), JSON.stringify(kept))
  return kept
}

function registrationRequest(
  { metadata, redirectUri, offline }: ClientIdentity,
  method: AuthMethod,
): Record<string, unknown> {
  return {
    client_name: metadata.clientName ?? 'MCP client',
    client_uri: metadata.clientUri,
    logo_uri: metadata.logoUri,
    software_id: metadata.softwareId,
    software_version: metadata.softwareVersion,
    redirect_uris: [redirectUri],
    application_type: applicationType(redirectUri),
    grant_types: offline ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
  }
}

/**
 * What kind of application a redirect URI belongs to: loopback and private schemes are native.
 *
 * @param redirectUri where the user comes back
 */
export function applicationType(redirectUri: string): 'native' | 'web' {
  const url = new URL(redirectUri)
  return url.protocol === 'https:' && !isLoopback(url) ? 'web' : 'native'
}

function methodOf(method: string | undefined): AuthMethod | undefined {
  return METHODS.find((one) => one === method)
}

function clientKey(issuer: string): string {
  return `client ${issuer}`
}

function unusable(url: string, field: string, why: string): OAuthError {
  return fieldError({ step: 'registration', url, field }, why)
}
