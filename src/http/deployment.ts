/**
 * A server where it is served: what every exchange at one endpoint shares.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { Delivery } from '../server/call.ts'
import type { Notifier, Publish } from '../server/notifier.ts'
import type { RequestStates } from '../server/input-required/request-states.ts'
import type { McpServer } from '../server/server.ts'
import type { ExecutionLike } from '../shared/fetch.ts'
import type { Exchange, Forms } from './exchange.ts'
import type { Listeners } from './listeners.ts'
import type { Settings } from './options.ts'
import type { ExtraHeaders } from './responses.ts'
import type { Sessions } from './sessions.ts'
import type { Watched } from './watched.ts'

/** What every exchange at one endpoint shares. */
export interface Deployment {
  readonly server: McpServer
  readonly settings: Settings
  /** Seals what calls remember between their rounds. */
  readonly states: RequestStates
  /** Exchanges in progress. */
  readonly live: Set<Exchange>
  /** Open listen streams. */
  readonly listeners: Listeners
  /** Who watches which resource, by any kind of subscription. */
  readonly watched: Watched
  /** Undefined where the legacy era has none. */
  readonly sessions: Sessions | undefined
  /** What reaches modern clients besides answers. */
  readonly delivery: Delivery
  /** Takes a change to whoever subscribed here; never rejects. */
  readonly publish: Publish
  /** Publishes changes to whoever subscribed here. */
  readonly notifier: Notifier
}

/** An endpoint with sessions. */
export interface SessionDeployment extends Deployment {
  readonly sessions: Sessions
}

/**
 * Tells whether the legacy era has sessions at an endpoint.
 *
 * @param deployment the endpoint
 */
export function hasSessions(deployment: Deployment): deployment is SessionDeployment {
  return deployment.sessions !== undefined
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
