/**
 * Tools: functions a model may call.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import type { ContentBlock } from './content.ts'
import type { Icon } from './implementation.ts'
import type { InputResponseRequestParams, MetaObject } from './params.ts'
import type { CacheableResult, PaginatedResult, Result } from './result.ts'

/** The JSON Schema of a tool's arguments: its root is an object in every revision. */
export interface ToolInputSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** The JSON Schema of a tool's structured content: any schema since 2026-07-28, an object before. */
export interface ToolOutputSchema {
  readonly [keyword: string]: unknown
}

/** Hints about a tool's behaviour (since 2025-03-26); not to be trusted from strangers. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  /** The tool changes nothing. Default false. */
  readonly readOnlyHint?: boolean | undefined
  /** The tool may destroy. Default true. */
  readonly destructiveHint?: boolean | undefined
  /** A second call with the same arguments changes nothing more. Default false. */
  readonly idempotentHint?: boolean | undefined
  /** The tool reaches the outside world. Default true. */
  readonly openWorldHint?: boolean | undefined
}

/** A tool as it is listed. */
export interface Tool {
  readonly name: string
  /** Since 2025-06-18. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[] | undefined
  readonly inputSchema: ToolInputSchema
  /** Since 2025-06-18. */
  readonly outputSchema?: ToolOutputSchema | undefined
  /** Since 2025-03-26. */
  readonly annotations?: ToolAnnotations | undefined
  readonly _meta?: MetaObject | undefined
}

/** Result of `tools/list`. */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  readonly tools: readonly Tool[]
}

/** Parameters of `tools/call`. */
export interface CallToolRequestParams extends InputResponseRequestParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Result of `tools/call`. */
export interface CallToolResult extends Result {
  /** May be empty. */
  readonly content: readonly ContentBlock[]
  /** Any JSON value since 2026-07-28, `null` included; an object since 2025-06-18. */
  readonly structuredContent?: unknown
  /** The tool failed, in a way the model should see. */
  readonly isError?: boolean | undefined
}

/**
 * What a tool's definition says about its types, and nothing else: `client.typed<typeof tools>()`
 * reads the definitions of a server through this, without any of the server's code. The `~types`
 * member never exists at run time.
 */
export interface ToolTypes<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}
