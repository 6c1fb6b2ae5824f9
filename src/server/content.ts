/**
 * Builders of content blocks.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type {
  Annotations,
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from '../protocol/content.ts'
import type { MetaObject } from '../protocol/params.ts'
import { toBase64 } from '../shared/bytes.ts'

/** What every content block may carry. */
export interface ContentOptions {
  readonly annotations?: Annotations | undefined
  /** Becomes `_meta` of the block. */
  readonly meta?: MetaObject | undefined
}

/**
 * Builds a text block.
 *
 * @param value the text
 */
export function text(value: string, options?: ContentOptions): TextContent {
  return { type: 'text', text: value, ...shared(options) }
}

/**
 * Builds an image block.
 *
 * @param data bytes, or base64 that is already encoded
 * @param mimeType such as `image/png`
 */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  options?: ContentOptions,
): ImageContent {
  return { type: 'image', data: encoded(data), mimeType, ...shared(options) }
}

/**
 * Builds an audio block.
 *
 * @param data bytes, or base64 that is already encoded
 * @param mimeType such as `audio/wav`
 */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  options?: ContentOptions,
): AudioContent {
  return { type: 'audio', data: encoded(data), mimeType, ...shared(options) }
}

/** What an embedded resource holds. */
export interface EmbeddedInit {
  readonly uri: string
  readonly mimeType?: string | undefined
  /** Becomes `_meta` of the resource inside the block. */
  readonly meta?: MetaObject | undefined
  /** Text stays text; bytes become a base64 blob. */
  readonly data: string | Uint8Array
}

/**
 * Builds a block that carries a resource.
 *
 * @param resource the resource: its URI and its text or bytes
 */
export function embedded(resource: EmbeddedInit, options?: ContentOptions): EmbeddedResource {
  const { uri, mimeType, meta, data } = resource
  const head = {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(meta !== undefined && { _meta: meta }),
  }
  const contents =
    typeof data === 'string' ? { ...head, text: data } : { ...head, blob: toBase64(data) }
  return { type: 'resource', resource: contents, ...shared(options) }
}

/** What a link says about its resource. */
export type ResourceLinkInit = Omit<ResourceLink, 'type' | 'annotations' | '_meta'>

/**
 * Builds a block that points at a resource.
 *
 * @param resource the resource as it would be listed
 */
export function resourceLink(resource: ResourceLinkInit, options?: ContentOptions): ResourceLink {
  return { type: 'resource_link', ...resource, ...shared(options) }
}

function encoded(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : toBase64(data)
}

function shared({ annotations, meta }: ContentOptions = {}): {
  annotations?: Annotations
  _meta?: MetaObject
} {
  return {
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
  }
}
