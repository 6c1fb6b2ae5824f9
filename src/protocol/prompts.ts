/**
 * Prompts: messages a user may choose to start from.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @module
 */
import type { ContentBlock, Role } from './content.ts'
import type { Icon } from './implementation.ts'
import type { InputResponseRequestParams, MetaObject } from './params.ts'
import type { CacheableResult, PaginatedResult, Result } from './result.ts'

/** An argument of a prompt; its value is always a string. */
export interface PromptArgument {
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Default false. */
  readonly required?: boolean | undefined
}

/** A prompt as it is listed. */
export interface Prompt {
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
  readonly arguments?: readonly PromptArgument[] | undefined
  readonly _meta?: MetaObject | undefined
}

/** One message of a prompt: one block, not a list. */
export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

/** Result of `prompts/list`. */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  readonly prompts: readonly Prompt[]
}

/** Parameters of `prompts/get`. */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

/** Result of `prompts/get`. */
export interface GetPromptResult extends Result {
  readonly description?: string | undefined
  readonly messages: readonly PromptMessage[]
}
