/**
 * From what a tool returns to the result on the wire.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { ContentBlock } from '../../protocol/content.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { featuresOf } from '../../protocol/versions.ts'
import type { Revision } from '../../protocol/versions.ts'
import { formatIssues } from '../../schema/issues.ts'
import { Asked } from '../ask/question.ts'
import type { MethodResult } from '../feature.ts'
import { isContentBlock } from '../content-block.ts'
import { ResultText } from '../result-text.ts'
import { isToolResult } from '../tool-result.ts'
import type { ToolResult } from '../tool-result.ts'
import type { CompiledOutput, CompiledTool } from './compile-tool.ts'
import { downgraded } from './downgrade.ts'

/**
 * A result that tells the model what went wrong.
 *
 * @param text what the model should read
 * @param failure what was thrown, for hooks
 */
export function errorText(text: string, failure?: unknown): ResultText {
  return new ResultText(
    `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`,
    false,
    failure,
  )
}

/**
 * The result of a tool on the wire.
 *
 * @param tool the tool
 * @param returned what its handler returned
 * @param revision what the caller speaks
 * @throws {TypeError} if the handler returned what it may not, or output that its schema refuses
 */
export function toCallToolResult(
  tool: CompiledTool,
  returned: unknown,
  revision: Revision,
): MethodResult | Promise<MethodResult> {
  if (typeof returned === 'string' && tool.output === undefined) {
    return new ResultText(`{"content":[{"type":"text","text":${JSON.stringify(returned)}}]}`)
  }
  if (returned instanceof Asked) return returned.result
  if (isToolResult(returned)) return fromToolResult(tool, returned, revision)
  if (tool.output !== undefined) return fromOutput(tool, tool.output, { returned, revision })
  return { content: downgraded(toBlocks(tool, returned), revision) }
}

function toBlocks(tool: CompiledTool, returned: unknown): readonly ContentBlock[] {
  const blocks: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  if (blocks.every(isContentBlock)) return blocks
  throw new TypeError(
    `tool '${tool.name}' returned neither text nor content; declare 'output' to return a value`,
  )
}

async function fromToolResult(
  tool: CompiledTool,
  result: ToolResult,
  revision: Revision,
): Promise<MethodResult> {
  const { content = [], isError, meta, structuredContent } = result
  if (!Array.isArray(content) || !content.every(isContentBlock)) {
    throw new TypeError(`tool '${tool.name}' returned content that is no list of content blocks`)
  }
  const rest = { isError, _meta: meta }
  if (structuredContent !== undefined) {
    const value = await checkedContent(tool, result)
    return { ...structuredMembers(tool, { value, content: result.content }, revision), ...rest }
  }
  if (tool.output !== undefined && isError !== true) {
    throw new TypeError(`tool '${tool.name}' declares output but returned no structuredContent`)
  }
  return { content: downgraded(content, revision), ...rest }
}

/** An error may carry anything; everything else has to be what the tool declares. */
function checkedContent(tool: CompiledTool, { structuredContent, isError }: ToolResult): unknown {
  return tool.output === undefined || isError === true
    ? structuredContent
    : validated(tool, tool.output, structuredContent)
}

interface StructuredValue {
  readonly value: unknown
  readonly content: readonly ContentBlock[] | undefined
}

function structuredMembers(
  tool: CompiledTool,
  { value, content }: StructuredValue,
  revision: Revision,
): Params {
  const text = JSON.stringify(value)
  const blocks = content ?? [{ type: 'text' as const, text }]
  const shown = structured(tool.output?.wrapped ?? !isRecord(value), text, revision)
  return {
    content: downgraded(blocks, revision),
    structuredContent: shown === undefined ? undefined : JSON.parse(shown),
  }
}

interface Returned {
  readonly returned: unknown
  readonly revision: Revision
}

function fromOutput(
  tool: CompiledTool,
  output: CompiledOutput,
  { returned, revision }: Returned,
): ResultText | Promise<ResultText> {
  const value = validated(tool, output, returned)
  return value instanceof Promise
    ? value.then((settled) => mirrored(output, settled, revision))
    : mirrored(output, value, revision)
}

/** The value is stringified once, for the text block and for `structuredContent`. */
function mirrored(output: CompiledOutput, value: unknown, revision: Revision): ResultText {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('a tool returned a value that is not JSON')
  const shown = structured(output.wrapped, text, revision)
  const content = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]`
  return new ResultText(
    shown === undefined ? `${content}}` : `${content},"structuredContent":${shown}}`,
  )
}

/** Structured content in the form that readers of a revision know, or nothing where they know none. */
function structured(wrapped: boolean, text: string, revision: Revision): string | undefined {
  const features = featuresOf(revision)
  if (features.anyStructured) return text
  if (!features.structured) return undefined
  return wrapped ? `{"result":${text}}` : text
}

function validated(tool: CompiledTool, output: CompiledOutput, value: unknown): unknown {
  if (output.validate === undefined) return value
  const checking = output.validate(value)
  return checking instanceof Promise
    ? checking.then((checked) => valueOf(tool, checked))
    : valueOf(tool, checking)
}

function valueOf(
  tool: CompiledTool,
  checked: Awaited<ReturnType<CompiledTool['validate']>>,
): unknown {
  if (checked.issues === undefined) return checked.value
  throw new TypeError(`tool '${tool.name}' returned wrong output: ${formatIssues(checked.issues)}`)
}
