/**
 * From what a reader returns to the contents on the wire.
 *
 * @module
 */
import type { BlobResourceContents, TextResourceContents } from '../../protocol/content.ts'
import { ResourceNotFoundError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { toBase64 } from '../../shared/bytes.ts'
import { checkHints } from '../cache-hints.ts'
import type { CacheHints } from '../cache-hints.ts'

/** The contents of a resource: text, or bytes as base64. */
export type Contents = TextResourceContents | BlobResourceContents

/** What a reader may return. Text and bytes take the URI and media type of the resource. */
export type ReadReturn =
  | string
  | Uint8Array
  | ReadContents
  | readonly ReadContents[]
  | CachedContents

/** Contents as a reader writes them: bytes are encoded for it, and the URI defaults to the one read. */
export interface ReadContents {
  readonly uri?: string | undefined
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly blob?: Uint8Array | string | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

/** Contents with their own cache hints. */
export interface CachedContents {
  readonly contents: string | Uint8Array | ReadContents | readonly ReadContents[]
  /** Milliseconds the contents stay fresh. */
  readonly ttlMs?: number | undefined
  /** With whom they may be shared. */
  readonly cacheScope?: 'public' | 'private' | undefined
}

/** What is being read. */
export interface ReadTarget {
  readonly uri: string
  readonly mimeType: string | undefined
}

/** The contents of a resource and its own cache hints, where it has some. */
export interface ReadOutcome {
  readonly contents: readonly Contents[]
  readonly hints: CacheHints | undefined
}

/**
 * The contents on the wire.
 *
 * @param target what is being read
 * @param returned what its reader returned
 * @throws {ResourceNotFoundError} if the reader returned nothing
 * @throws {TypeError} if the reader returned what it may not
 */
export function toReadResult(target: ReadTarget, returned: unknown): ReadOutcome {
  if (!isRecord(returned) || !('contents' in returned)) {
    return { contents: toContents(target, returned), hints: undefined }
  }
  const { contents, ttlMs, cacheScope } = returned
  const hinted = ttlMs !== undefined || cacheScope !== undefined
  return {
    contents: toContents(target, contents),
    hints: hinted ? checkHints(ttlMs ?? 0, cacheScope ?? 'private') : undefined,
  }
}

function toContents(target: ReadTarget, value: unknown): readonly Contents[] {
  if (value === undefined || value === null) throw new ResourceNotFoundError(target.uri)
  if (Array.isArray(value)) {
    if (value.length === 0) throw new ResourceNotFoundError(target.uri)
    return value.map((entry) => toContent(target, entry))
  }
  return [toContent(target, value)]
}

function toContent(target: ReadTarget, value: unknown): Contents {
  // What else a reader left in the object is not sent.
  const { uri, mimeType, text, blob, _meta: meta } = membersOf(value)
  const own = {
    uri: typeof uri === 'string' ? uri : target.uri,
    mimeType: typeof mimeType === 'string' ? mimeType : target.mimeType,
    _meta: isRecord(meta) ? meta : undefined,
  }
  if (typeof text === 'string') return { ...own, text }
  if (typeof blob === 'string') return { ...own, blob }
  if (blob instanceof Uint8Array) return { ...own, blob: toBase64(blob) }
  throw new TypeError(`the reader of '${target.uri}' returned neither text, bytes nor contents`)
}

function membersOf(value: unknown): Params {
  if (typeof value === 'string') return { text: value }
  if (value instanceof Uint8Array) return { blob: value }
  return isRecord(value) ? value : {}
}
