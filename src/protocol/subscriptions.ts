/**
 * Subscriptions: one request that stays open and carries changes (since 2026-07-28).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @module
 */
import type { RequestId } from './jsonrpc.ts'
import type { NotificationParams, RequestParams } from './params.ts'
import type { Result, ResultMetaObject } from './result.ts'

/** Which changes are wanted, or granted. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean | undefined
  readonly promptsListChanged?: boolean | undefined
  readonly resourcesListChanged?: boolean | undefined
  /** URIs of resources. */
  readonly resourceSubscriptions?: readonly string[] | undefined
  /** Ids of tasks; only with the tasks extension. */
  readonly taskIds?: readonly string[] | undefined
}

/** Parameters of `subscriptions/listen`. */
export interface SubscriptionsListenRequestParams extends RequestParams {
  readonly notifications: SubscriptionFilter
}

/** Parameters of `notifications/subscriptions/acknowledged`. */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  /** What is granted of what was wanted. */
  readonly notifications: SubscriptionFilter
}

/** The `_meta` of a listen result. */
export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  /** The id of the listen request. */
  readonly 'io.modelcontextprotocol/subscriptionId': RequestId
}

/** Result of `subscriptions/listen`: the server ended it. */
export interface SubscriptionsListenResult extends Result {
  readonly _meta: SubscriptionsListenResultMetaObject
}
