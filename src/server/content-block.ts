/**
 * Telling content blocks from everything else that a handler may return by mistake.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { ContentBlock } from '../protocol/content.ts'
import { isRecord } from '../protocol/jsonrpc.ts'

/**
 * Tells whether `value` is a content block with the members that its kind requires.
 *
 * @param value whatever a handler returned
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isRecord(value)) return false
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string'
    case 'image':
    case 'audio':
      return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string'
    case 'resource_link':
      return typeof value['uri'] === 'string' && typeof value['name'] === 'string'
    case 'resource':
      return isContents(value['resource'])
    default:
      return false
  }
}

function isContents(value: unknown): boolean {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return false
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string'
}
