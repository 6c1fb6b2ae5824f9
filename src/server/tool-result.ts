/**
 * A tool's whole result, for when the value alone does not say enough.
 *
 * @module
 */
import type { ContentBlock } from '../protocol/content.ts'
import type { MetaObject } from '../protocol/params.ts'

/**
 * Marks a result as built by {@link toolResult}. A symbol, so that no JSON from elsewhere can pass for one; a shared
 * one, so that two copies of this package agree.
 */
const TOOL_RESULT: unique symbol = Symbol.for('mcp-edge.toolResult')

/** What {@link toolResult} takes. */
export interface ToolResultInit<Structured = unknown> {
  /** What the model reads. Default: a text mirror of `structuredContent`, or nothing. */
  readonly content?: readonly ContentBlock[] | undefined
  /** What programs read; it has to fit the tool's `output`. */
  readonly structuredContent?: Structured | undefined
  /** The tool failed, in a way the model should see. */
  readonly isError?: boolean | undefined
  /** Becomes `_meta` of the result. */
  readonly meta?: MetaObject | undefined
}

/** A result built by {@link toolResult}. */
export interface ToolResultValue<Structured = unknown> extends ToolResultInit<Structured> {
  readonly [TOOL_RESULT]: true
}

/** Any result built by {@link toolResult}. */
export type ToolResult = ToolResultValue

/**
 * Builds a tool's result with content, structured content, an error flag and `_meta` as its author wants them.
 *
 * @param init the members of the result
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export function toolResult<const Structured = never>(
  init: ToolResultInit<Structured>,
): ToolResultValue<Structured> {
  return { ...init, [TOOL_RESULT]: true }
}

/**
 * Tells whether a value was built by {@link toolResult}.
 *
 * @param value whatever a handler returned
 */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && TOOL_RESULT in value
}
