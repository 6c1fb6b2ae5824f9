/**
 * Sampling: a server asks the client's model. Deprecated since 2026-07-28, still working.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 * @module
 */
import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from './content.ts'
import type { MetaObject, RequestParams } from './params.ts'
import type { Result } from './result.ts'
import type { Tool } from './tools.ts'

/** The model wants a tool called (since 2025-11-25). */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly _meta?: MetaObject | undefined
}

/** What a called tool answered (since 2025-11-25). */
export interface ToolResultContent {
  readonly type: 'tool_result'
  /** The `id` of the `tool_use` that this answers. */
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: MetaObject | undefined
}

/** One piece of what is said to or by a model. */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent

/** One message of the conversation. */
export interface SamplingMessage {
  readonly role: Role
  /** A list since 2025-11-25. */
  readonly content: SamplingMessageContentBlock | readonly SamplingMessageContentBlock[]
  readonly _meta?: MetaObject | undefined
}

/** A hint at a model. */
export interface ModelHint {
  /** Part of a model's name. */
  readonly name?: string | undefined
}

/** What matters in the choice of a model; priorities go from 0 to 1. */
export interface ModelPreferences {
  readonly hints?: readonly ModelHint[] | undefined
  readonly costPriority?: number | undefined
  readonly speedPriority?: number | undefined
  readonly intelligencePriority?: number | undefined
}

/** Whether the model may, must or must not call tools (since 2025-11-25). */
export interface ToolChoice {
  /** Default `auto`. */
  readonly mode?: 'auto' | 'required' | 'none' | undefined
}

/** Parameters of `sampling/createMessage`. */
export interface CreateMessageRequestParams extends RequestParams {
  readonly messages: readonly SamplingMessage[]
  /** The only parameter that binds the client. */
  readonly maxTokens: number
  readonly modelPreferences?: ModelPreferences | undefined
  readonly systemPrompt?: string | undefined
  /** Needs `sampling.context` unless `none`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers' | undefined
  readonly temperature?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Needs `sampling.tools` (since 2025-11-25). */
  readonly tools?: readonly Tool[] | undefined
  /** Needs `sampling.tools` (since 2025-11-25). */
  readonly toolChoice?: ToolChoice | undefined
}

/** Result of `sampling/createMessage`. */
export interface CreateMessageResult extends Result, SamplingMessage {
  readonly _meta?: MetaObject | undefined
  readonly model: string
  readonly stopReason?:
    | 'endTurn'
    | 'stopSequence'
    | 'maxTokens'
    | 'toolUse'
    | (string & {})
    | undefined
}
