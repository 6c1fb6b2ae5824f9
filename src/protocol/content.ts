/**
 * Content: what tools, prompts and models say.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { Icon } from './implementation.ts'
import type { MetaObject } from './params.ts'

/** Who speaks, or who is spoken to. */
export type Role = 'user' | 'assistant'

/** Hints about who content is for. */
export interface Annotations {
  readonly audience?: readonly Role[] | undefined
  /** From 0, optional, to 1, required. */
  readonly priority?: number | undefined
  /** ISO 8601 (since 2025-06-18). */
  readonly lastModified?: string | undefined
}

interface Annotated {
  readonly annotations?: Annotations | undefined
  readonly _meta?: MetaObject | undefined
}

/** Text. */
export interface TextContent extends Annotated {
  readonly type: 'text'
  readonly text: string
}

/** An image. */
export interface ImageContent extends Annotated {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A sound (since 2025-03-26). */
export interface AudioContent extends Annotated {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** What a resource holds, whatever form it has. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string | undefined
  readonly _meta?: MetaObject | undefined
}

/** A resource that is text. */
export interface TextResourceContents extends ResourceContents {
  readonly text: string
}

/** A resource that is bytes. */
export interface BlobResourceContents extends ResourceContents {
  /** Base64. */
  readonly blob: string
}

/** A resource carried inside content. */
export interface EmbeddedResource extends Annotated {
  readonly type: 'resource'
  readonly resource: TextResourceContents | BlobResourceContents
}

/** A resource that content points at (since 2025-06-18). */
export interface ResourceLink extends Annotated {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  /** Bytes, before any encoding. */
  readonly size?: number | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
}

/** One piece of content. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource
