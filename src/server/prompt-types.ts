/**
 * What a prompt's handler may return.
 *
 * @module
 */
import type { PromptMessage } from '../protocol/prompts.ts'
import type { InputRequired } from './input-required/result.ts'

/** The messages of a prompt with what else its result may say. */
export interface PromptMessages {
  readonly messages: readonly PromptMessage[]
  readonly description?: string | undefined
  /** Becomes `_meta` of the result. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** What a prompt's handler may return. */
export type PromptReturn = readonly PromptMessage[] | PromptMessages | InputRequired
