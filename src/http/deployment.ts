/**
 * A server where it is served: what every exchange at one endpoint shares.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { Notifier } from '../server/notifier.ts'
import type { McpServer } from '../server/server.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import type { Exchange, Forms } from './exchange.ts'
import type { Settings } from './options.ts'
import type { ExtraHeaders } from './responses.ts'

/** What every exchange at one endpoint shares. */
export interface Deployment {
  readonly server: McpServer
  readonly settings: Settings
  /** Exchanges in progress. */
  readonly live: Set<Exchange>
  /** Publishes changes to whoever subscribed here. */
  readonly notifier: Notifier
}

/** What is known of an HTTP request once the gates before its body are passed. */
export interface Visit {
  readonly request: Request
  readonly env: unknown
  readonly execution: ExecutionLike | undefined
  /** Headers of every response to this request. */
  readonly extra: ExtraHeaders
  readonly auth: AuthInfo | undefined
  readonly forms: Forms
}
