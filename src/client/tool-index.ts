/**
 * What a client remembers of the tools it has listed: which arguments are mirrored into headers, and
 * how to check structured output.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-headers-from-tool-parameters
 * @module
 */
import type { JsonValidator } from '../json-schema/validator.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { MAX_LEARNED_TOOLS } from '../protocol/limits.ts'
import { paramHeaderValue, scanParamHeaders } from '../protocol/param-headers.ts'
import type { ParamHeader } from '../protocol/param-headers.ts'
import type { CallToolResult, Tool } from '../protocol/tools.ts'
import { formatIssues } from '../schema/issues.ts'
import { setBounded } from '../shared/bounded.ts'
import { ClientError, OutputValidationError } from './errors.ts'

interface Learned {
  readonly headers: readonly ParamHeader[]
  readonly outputSchema: unknown
  /** Compiled at the first result; null when the schema cannot be used. */
  validate?: JsonValidator | null
}

/** The tools of one server. */
export class ToolIndex {
  readonly #tools = new Map<string, Learned>()
  readonly #warn: (error: Error) => void

  constructor(warn: (error: Error) => void) {
    this.#warn = warn
  }

  /**
   * Learns a page of a listing.
   *
   * @param tools what the server listed
   * @param mirrors whether arguments are mirrored here; then tools that ask for it wrongly are left out
   * @returns the tools that may be called
   */
  learn(tools: readonly unknown[], mirrors: boolean): readonly Tool[] {
    const named = tools.filter(isTool)
    if (named.length < tools.length)
      this.#warn(
        new ClientError('A listed tool has no name or no input schema', { method: 'tools/list' }),
      )
    return named.filter((tool) => {
      const scan = mirrors ? scanParamHeaders(tool.inputSchema) : NOTHING
      if (scan.ok) this.#remember(tool, scan.headers)
      else this.#exclude(tool.name, scan.problem)
      return scan.ok
    })
  }

  /**
   * The headers that mirror the arguments of a call; none for a tool that was never listed.
   *
   * @param name the tool
   * @param args the arguments of the call
   * @throws {TypeError} for an argument that cannot be mirrored
   */
  headersOf(name: string, args: unknown): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    for (const declaration of this.#tools.get(name)?.headers ?? []) {
      const value = paramHeaderValue(declaration, args)
      if (value !== undefined) headers[declaration.header] = value
    }
    return headers
  }

  /**
   * Checks the structured output of a tool whose schema was listed. Results that are errors are
   * exempt.
   *
   * @param name the tool
   * @param result its complete result
   * @throws {OutputValidationError} when it does not match, or is missing
   */
  async check(name: string, result: CallToolResult): Promise<void> {
    const learned = this.#tools.get(name)
    if (learned?.outputSchema === undefined || result.isError === true) return
    learned.validate ??= await this.#compile(name, learned.outputSchema)
    const issues = learned.validate?.(result.structuredContent) ?? []
    if (issues.length > 0) throw new OutputValidationError(name, formatIssues(issues))
  }

  #remember(tool: Tool, headers: readonly ParamHeader[]): void {
    const { name, outputSchema } = tool
    setBounded(this.#tools, [name, { headers, outputSchema }], MAX_LEARNED_TOOLS)
  }

  #exclude(name: string, problem: string): void {
    this.#tools.delete(name)
    const why = `The tool ${JSON.stringify(name)} is left out: ${problem}`
    this.#warn(new ClientError(why, { method: 'tools/list' }))
  }

  async #compile(name: string, schema: unknown): Promise<JsonValidator | null> {
    try {
      // The validator is a third of the client, and most servers list no output schemas.
      const { compileValidator } = await import('../json-schema/validator.ts')
      return compileValidator(schema, `The output schema of ${name}`)
    } catch (cause) {
      const why = `The output of ${name} is not checked: ${cause instanceof Error ? cause.message : ''}`
      this.#warn(new ClientError(why, { method: 'tools/list', cause }))
      return null
    }
  }
}

const NOTHING: { readonly ok: true; readonly headers: readonly ParamHeader[] } = {
  ok: true,
  headers: [],
}

function isTool(value: unknown): value is Tool {
  return isRecord(value) && typeof value['name'] === 'string' && isRecord(value['inputSchema'])
}
