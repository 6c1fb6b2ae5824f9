/**
 * Protecting an MCP server: the bearer guard, the metadata that leads clients to a token, and a bridge
 * for hosts that authenticate themselves.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @module
 */
export { bearerAuth } from './bearer.ts'
export type { BearerAuth, BearerAuthOptions } from './bearer.ts'
export { protectedResourceMetadata } from './metadata.ts'
export type { ResourceMetadataHandler, ResourceMetadataOptions } from './metadata.ts'
export { insufficientScope } from './challenge.ts'
export { fromProps, hostAuth } from './host-auth.ts'
export type { HostAuth, PropsNames } from './host-auth.ts'
export type { IntrospectionEndpoint } from './introspection.ts'
export type { ResourceOptions } from './resource.ts'
export { InvalidTokenError, VerifierUnavailableError } from './verified-token.ts'
export type { VerifiedToken, Verify } from './verified-token.ts'
export { missingScopes, principalOf, scopeChallenge } from '../protocol/auth-info.ts'
export type { Authenticate, AuthInfo } from '../protocol/auth-info.ts'
export type { FetchLike } from '../shared/remote-json.ts'
export type { SingleFlightMode } from '../shared/single-flight.ts'
