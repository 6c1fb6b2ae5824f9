/**
 * Who a client or server says it is.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
 * @module
 */
import { isRecord } from './jsonrpc.ts'

/** A picture to show beside a name (since 2025-11-25). */
export interface Icon {
  /** An `https:` or `data:` URI; anything else is not to be fetched. */
  readonly src: string
  readonly mimeType?: string | undefined
  /** Sizes such as `48x48`, or `any`. */
  readonly sizes?: readonly string[] | undefined
  /** The background that the icon is drawn for. */
  readonly theme?: 'light' | 'dark' | undefined
}

/** A program's name and version, for display only: it authorizes nothing. */
export interface Implementation {
  readonly name: string
  readonly version: string
  /** For people (since 2025-06-18). */
  readonly title?: string | undefined
  /** Since 2025-11-25. */
  readonly description?: string | undefined
  /** Since 2025-11-25. */
  readonly websiteUrl?: string | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
}

/**
 * Tells whether `value` identifies an implementation: its name and version are strings. Members
 * beyond these are for display and are not looked at.
 *
 * @param value `clientInfo` or `serverInfo` from the wire
 */
export function isImplementation(value: unknown): value is Implementation {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  )
}
