/**
 * The authorization code grant: a user signs in, in a browser, and comes back with a code.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @see https://www.rfc-editor.org/rfc/rfc7636
 * @module
 */
import { AUTHORIZATION_TTL_MS } from '../protocol/limits.ts'
import {
  callbackParams,
  codeOf,
  savePending,
  takePending,
  type CallbackParams,
  type PendingSignIn,
} from './callback.ts'
import type { ClientCredentials } from './client-authentication.ts'
import { isLoopback } from './destinations.ts'
import type { AuthorizationServer } from './discovery.ts'
import { AuthorizationRequiredError, fieldError } from './errors.ts'
import { setAll } from './fields.ts'
import { createPkce, randomToken } from './pkce.ts'
import { createCore, type ProviderOptions } from './provider-core.ts'
import { createProvider, type OAuthProvider } from './provider.ts'
import {
  clientFor,
  forgetClient,
  type ClientIdentity,
  type ClientMetadata,
  type RegisteredClient,
} from './registration.ts'
import { isUnknownClient, saveGranted, type Grant, type GrantRequest } from './renewal.ts'
import { requestTokens, type TokenSet } from './tokens.ts'

/** How a user signs in, and how this client is known. */
export interface AuthorizationCodeOptions extends ProviderOptions {
  /**
   * Where the user comes back: https, http on loopback, or a private scheme of a native application
   * with a dot in it, such as `com.example.app:/callback`.
   */
  readonly redirectUri: string
  /**
   * Shows the page to the user. Returns what came back to the redirect URI, where that can be waited
   * for; nothing, where the user leaves (a browser tab, a web server): then the request fails with
   * `AuthorizationRequiredError`, and `finish` takes what comes back later.
   */
  readonly authorize: (
    url: URL,
  ) => CallbackParams | undefined | void | Promise<CallbackParams | undefined | void>
  /** A client registered beforehand. */
  readonly client?: RegisteredClient | undefined
  /** The https URL of this client's metadata document, for servers that read those. */
  readonly clientMetadataUrl?: string | undefined
  /** What this client says about itself when it registers dynamically. */
  readonly clientMetadata?: ClientMetadata | undefined
  /** Asks for refresh tokens; true by default, so that the user signs in once. */
  readonly offline?: boolean | undefined
  /**
   * Issuers that support PKCE and do not say so. Others are refused, because without the promise a
   * stolen code could be redeemed. S256 is sent to these too.
   */
  readonly allowUnstatedPkce?: readonly string[] | undefined
}

/** A provider whose user signs in. */
export interface AuthorizationCodeProvider extends OAuthProvider {
  /**
   * Takes what came back to the redirect URI and gets the tokens; then connect again. The sign-in may
   * have been started by another instance that shares the storage.
   *
   * @throws {OAuthError} when the callback is not the answer to a sign-in of this storage, or the user
   * or the server refused.
   */
  finish(params: CallbackParams): Promise<void>
}

/**
 * Makes a provider that signs a user in: discovery, PKCE, registration, refresh and step-up included.
 *
 * @param options how the user signs in, and how this client is known
 * @throws {TypeError} for a redirect URI or metadata URL that no server may accept.
 */
export function authorizationCode(options: AuthorizationCodeOptions): AuthorizationCodeProvider {
  checkRedirectUri(options.redirectUri)
  if (options.clientMetadataUrl !== undefined) checkMetadataUrl(options.clientMetadataUrl)
  const grant = codeGrant(options)
  const core = createCore(grant, options)
  async function finish(given: CallbackParams): Promise<void> {
    const params = callbackParams(given)
    const pending = await takePending(params, core.storage, (options.now ?? Date.now)())
    const serverUrl = core.pin(pending.serverUrl)
    await core.locked(async () => {
      const request = { ...core.renewal(undefined), ...pending, serverUrl }
      await saveGranted(request, await redeem(params, pending, { grant, request }))
    })
  }
  return { ...createProvider(grant, options, core), finish }
}

function codeGrant(options: AuthorizationCodeOptions): Grant {
  const { client, clientMetadataUrl, redirectUri, offline = true, allowUnstatedPkce } = options
  const metadata = options.clientMetadata ?? {}
  const identity: ClientIdentity = { client, clientMetadataUrl, metadata, redirectUri, offline }
  const grant: Grant = {
    silent: false,
    offline,
    issuer: client?.issuer,
    client: (request) => clientFor(identity, request),
    async acquire(request) {
      const endpoint = authorizationEndpoint(request.server, allowUnstatedPkce ?? [])
      const { clientId } = await grant.client(request)
      const pending = await startSignIn(request, { clientId, redirectUri })
      const url = await authorizationUrl(endpoint, pending)
      const answer = await options.authorize(url)
      if (answer === undefined) throw new AuthorizationRequiredError(url.href)
      const params = callbackParams(answer)
      const taken = await takePending(params, request.storage, request.now())
      if (taken.state === pending.state) return redeem(params, taken, { grant, request })
      throw fieldError({ step: 'callback', field: 'state' }, 'belongs to another sign-in')
    },
  }
  return grant
}

/** Refuses a server before anything is sent to it: without S256 a stolen code is a stolen token. */
function authorizationEndpoint(server: AuthorizationServer, allowed: readonly string[]): string {
  const { issuer: url, authorization_endpoint: endpoint } = server
  const step = 'server-metadata'
  if (endpoint === undefined) {
    throw fieldError({ step, url, field: 'authorization_endpoint' }, 'is missing')
  }
  const field = 'code_challenge_methods_supported'
  const methods = server[field]
  if (methods === undefined && !allowed.includes(url)) {
    throw fieldError({ step, url, field }, 'is missing (see allowUnstatedPkce)')
  }
  if (methods?.includes('S256') === false) throw fieldError({ step, url, field }, 'lacks S256')
  return endpoint
}

async function startSignIn(
  request: GrantRequest,
  client: Pick<PendingSignIn, 'clientId' | 'redirectUri'>,
): Promise<PendingSignIn & { readonly challenge: string }> {
  const { server, resource, scope, metadataUrl, storage, now } = request
  const { verifier, challenge } = await createPkce()
  const state = randomToken()
  const expiresAt = now() + AUTHORIZATION_TTL_MS
  const serverUrl = request.serverUrl.href
  const target = { server, resource, scope, metadataUrl, serverUrl }
  const pending: PendingSignIn = { ...client, ...target, state, verifier, expiresAt }
  await savePending(storage, pending)
  return { ...pending, challenge }
}

async function authorizationUrl(
  endpoint: string,
  pending: PendingSignIn & { readonly challenge: string },
): Promise<URL> {
  const url = new URL(endpoint)
  setAll(url.searchParams, {
    response_type: 'code',
    client_id: pending.clientId,
    redirect_uri: pending.redirectUri,
    scope: pending.scope,
    state: pending.state,
    code_challenge: pending.challenge,
    code_challenge_method: 'S256',
    resource: pending.resource,
    // OpenID Connect grants offline access only with consent.
    prompt: pending.scope?.split(' ').includes('offline_access') === true ? 'consent' : undefined,
  })
  return url
}

async function redeem(
  params: URLSearchParams,
  pending: PendingSignIn,
  { grant, request }: { readonly grant: Grant; readonly request: GrantRequest },
): Promise<TokenSet> {
  const code = codeOf(params, pending.server)
  const client = await grant.client(request)
  if (client.clientId !== pending.clientId) {
    const fault = { step: 'callback', field: 'client_id' } as const
    throw fieldError(fault, 'changed during the sign-in')
  }
  return exchangeCode(code, pending, { client, request })
}

async function exchangeCode(
  code: string,
  { redirectUri, verifier, resource }: PendingSignIn,
  { client, request }: { readonly client: ClientCredentials; readonly request: GrantRequest },
): Promise<TokenSet> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource,
  }
  try {
    return await requestTokens(form, { ...request, client })
  } catch (error) {
    // The next attempt registers anew.
    if (isUnknownClient(error)) await forgetClient(request.server.issuer, request.storage)
    throw error
  }
}

function checkRedirectUri(redirectUri: string): void {
  const url = parseUrl(redirectUri)
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  const isNative = /^[a-z][\w+-]*\.[\w.+-]+:/i.test(redirectUri)
  if (url !== undefined && (isWeb || isNative) && !redirectUri.includes('#')) return
  throw new TypeError('redirectUri: has to be https, loopback or a private scheme with a dot')
}

function checkMetadataUrl(value: string): void {
  const { href, pathname, username } = parseUrl(value) ?? {}
  // What parsing changes is no plain URL: dot segments, capitals, default ports.
  const isPlain = href === value && pathname !== '/' && username === ''
  if (isPlain && /^https:[^?#@]+$/.test(value)) return
  throw new TypeError('clientMetadataUrl: has to be a plain https URL with a path')
}

function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}
