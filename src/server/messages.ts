/**
 * Builders of messages, for prompts and for sampling.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#promptmessage
 * @module
 */
import type { ContentBlock, TextContent } from '../protocol/content.ts'

/** A message of the user. */
export interface UserMessage<Content extends ContentBlock = ContentBlock> {
  readonly role: 'user'
  readonly content: Content
}

/** A message of the assistant. */
export interface AssistantMessage<Content extends ContentBlock = ContentBlock> {
  readonly role: 'assistant'
  readonly content: Content
}

/** The block that some content becomes: a string is text. */
export type BlockOf<Content extends string | ContentBlock> = Content extends ContentBlock
  ? Content
  : TextContent

/**
 * Builds a message of the user.
 *
 * @param content a text, or one content block
 */
export function userMessage<const Content extends string | ContentBlock>(
  content: Content,
): UserMessage<BlockOf<Content>>
export function userMessage(content: string | ContentBlock): UserMessage {
  return { role: 'user', content: toBlock(content) }
}

/**
 * Builds a message of the assistant.
 *
 * @param content a text, or one content block
 */
export function assistantMessage<const Content extends string | ContentBlock>(
  content: Content,
): AssistantMessage<BlockOf<Content>>
export function assistantMessage(content: string | ContentBlock): AssistantMessage {
  return { role: 'assistant', content: toBlock(content) }
}

function toBlock(content: string | ContentBlock): ContentBlock {
  return typeof content === 'string' ? { type: 'text', text: content } : content
}
