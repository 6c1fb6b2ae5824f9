/**
 * How a conversation begins: the handshake of the legacy revisions and the discovery of the modern
 * one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts'
import type { Implementation } from './implementation.ts'
import type { RequestId } from './jsonrpc.ts'
import type { NotificationParams, RequestParams } from './params.ts'
import type { CacheableResult, Result } from './result.ts'

/** Parameters of `initialize` (until 2025-11-25). */
export interface InitializeRequestParams extends RequestParams {
  /** The revision the client wants; the newest it speaks. */
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation
}

/** Result of `initialize` (until 2025-11-25). */
export interface InitializeResult extends Result {
  /** The revision both will speak. */
  readonly protocolVersion: string
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
}

/** Result of `server/discover` (since 2026-07-28). */
export interface DiscoverResult extends CacheableResult {
  /** The self-contained revisions the server speaks. */
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
}

/** Parameters of `notifications/cancelled`. */
export interface CancelledNotificationParams extends NotificationParams {
  /** The request that is no longer wanted; optional in 2025-11-25 only. */
  readonly requestId?: RequestId | undefined
  readonly reason?: string | undefined
}
