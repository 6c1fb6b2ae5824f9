/**
 * Completion: suggestions for an argument while it is typed.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @module
 */
import type { RequestParams } from './params.ts'
import type { Result } from './result.ts'

/** Names the prompt whose argument is typed. */
export interface PromptReference {
  readonly type: 'ref/prompt'
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
}

/** Names the resource template whose variable is typed. */
export interface ResourceTemplateReference {
  readonly type: 'ref/resource'
  /** A URI or a URI template. */
  readonly uri: string
}

/** The argument that is typed. */
export interface CompletionArgument {
  readonly name: string
  /** What has been typed so far. */
  readonly value: string
}

/** What else is known. */
export interface CompletionContext {
  /** The other arguments, as far as they are known. */
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

/** Parameters of `completion/complete`. */
export interface CompleteRequestParams extends RequestParams {
  readonly ref: PromptReference | ResourceTemplateReference
  readonly argument: CompletionArgument
  /** Since 2025-06-18. */
  readonly context?: CompletionContext | undefined
}

/** Suggestions for an argument. */
export interface Completion {
  /** At most `MAX_COMPLETION_VALUES`. */
  readonly values: readonly string[]
  /** How many there are in all. */
  readonly total?: number | undefined
  readonly hasMore?: boolean | undefined
}

/** Result of `completion/complete`. */
export interface CompleteResult extends Result {
  readonly completion: Completion
}
