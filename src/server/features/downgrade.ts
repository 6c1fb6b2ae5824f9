/**
 * Content for clients whose revision does not know every kind of it.
 *
 * @module
 */
import type { ContentBlock } from '../../protocol/content.ts'
import { featuresOf } from '../../protocol/versions.ts'
import type { Revision } from '../../protocol/versions.ts'

/**
 * Replaces content that a revision does not know by text that says the same.
 *
 * @param blocks the content
 * @param revision what the client speaks
 */
export function downgraded(
  blocks: readonly ContentBlock[],
  revision: Revision,
): readonly ContentBlock[] {
  const { audio, structured } = featuresOf(revision)
  return audio && structured ? blocks : blocks.map((block) => downgradedBlock(block, audio))
}

function downgradedBlock(block: ContentBlock, audio: boolean): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` }
  }
  if (block.type === 'audio' && !audio) return { type: 'text', text: `[${block.mimeType} audio]` }
  return block
}
