/**
 * Resources: what a server lets clients read.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @module
 */
import type { Annotations, BlobResourceContents, TextResourceContents } from './content.ts'
import type { Icon } from './implementation.ts'
import type {
  InputResponseRequestParams,
  MetaObject,
  NotificationParams,
  RequestParams,
} from './params.ts'
import type { CacheableResult, PaginatedResult } from './result.ts'

/** A resource as it is listed. */
export interface Resource {
  readonly uri: string
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  /** Bytes, before any encoding. */
  readonly size?: number | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
  readonly annotations?: Annotations | undefined
  readonly _meta?: MetaObject | undefined
}

/** A family of resources as it is listed. */
export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Of every resource of the family. */
  readonly mimeType?: string | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
  readonly annotations?: Annotations | undefined
  readonly _meta?: MetaObject | undefined
}

/** Result of `resources/list`. */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  readonly resources: readonly Resource[]
}

/** Result of `resources/templates/list`. */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  readonly resourceTemplates: readonly ResourceTemplate[]
}

/** Parameters of `resources/read`. */
export interface ReadResourceRequestParams extends InputResponseRequestParams {
  readonly uri: string
}

/** Result of `resources/read`. */
export interface ReadResourceResult extends CacheableResult {
  readonly contents: readonly (TextResourceContents | BlobResourceContents)[]
}

/** Parameters of `resources/subscribe` (until 2025-11-25). */
export interface SubscribeRequestParams extends RequestParams {
  readonly uri: string
}

/** Parameters of `resources/unsubscribe` (until 2025-11-25). */
export interface UnsubscribeRequestParams extends RequestParams {
  readonly uri: string
}

/** Parameters of `notifications/resources/updated`. */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /** The resource that changed, which may lie below the one subscribed to. */
  readonly uri: string
}
