/**
 * Getting tokens for MCP servers: providers to pass as `auth` when connecting.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @module
 */
export { authorizationCode } from './authorization-code.ts'
export type { AuthorizationCodeOptions, AuthorizationCodeProvider } from './authorization-code.ts'
export type { CallbackParams } from './callback.ts'
export { clientCredentials, privateKeyJwt } from './client-credentials.ts'
export type { ClientCredentialsOptions, PrivateKeyJwtOptions } from './client-credentials.ts'
export { privateKeyAssertion } from './assertion.ts'
export type { AssertionOptions } from './assertion.ts'
export { crossAppAccess, requestIdJag } from './cross-app-access.ts'
export type { CrossAppAccessOptions, IdJagRequest, IdJagTarget } from './cross-app-access.ts'
export type { OAuthProvider } from './provider.ts'
export type { ProviderOptions } from './provider-core.ts'
export { memoryTokens } from './storage.ts'
export type { TokenStorage } from './storage.ts'
export { AuthorizationRequiredError, OAuthError } from './errors.ts'
export type { OAuthErrorDetails, OAuthStep } from './errors.ts'
export type { AuthMethod, ClientCredentials } from './client-authentication.ts'
export type { AuthorizationServer } from './discovery.ts'
export type { ClientMetadata, RegisteredClient } from './registration.ts'
export type { FetchLike } from '../shared/remote-json.ts'
export type { SingleFlightMode } from '../shared/single-flight.ts'
