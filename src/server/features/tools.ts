/**
 * Tools: listing them and calling them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import { InvalidParamsError, isMcpError, isToolError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import { formatIssues } from '../../schema/issues.ts'
import type { Validation } from '../../schema/standard.ts'
import { runHandler } from '../ask/run-handler.ts'
import type { Call, Delivery } from '../call.ts'
import type { ServerCore } from '../core.ts'
import type { AnyTool } from '../definitions.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'
import { requireScopes } from '../insufficient-scope.ts'
import { checkParamHeaders } from '../param-headers.ts'
import { Registry } from '../registry.ts'
import { report } from '../report.ts'
import { isCancellation } from '../cancelled.ts'
import { compileTool } from './compile-tool.ts'
import type { CompiledTool } from './compile-tool.ts'
import { quoted } from './quoted.ts'
import { errorText, toCallToolResult } from './tool-output.ts'

/** What a call comes to, now or later. */
type Outcome = MethodResult | Promise<MethodResult>

/** The tools of one server. */
export class Tools implements Feature {
  readonly methods: Readonly<Record<string, Method>>
  readonly #core: ServerCore
  readonly #registry: Registry<CompiledTool>

  constructor(core: ServerCore, changed: () => void) {
    this.#core = core
    this.#registry = new Registry(core, { kind: 'tool', member: 'tools', changed })
    this.methods = {
      'tools/list': { capability: 'tools', handle: (call) => this.#registry.list(call) },
      'tools/call': { capability: 'tools', handle: (call) => this.#call(call) },
    }
  }

  /**
   * Adds a tool.
   *
   * @throws {TypeError} if the definition has a mistake or the name is taken
   */
  add(tool: AnyTool): void {
    this.#registry.add(tool.name, compileTool(this.#core, tool))
  }

  /** Removes the tool of that name. */
  remove(name: string): boolean {
    return this.#registry.remove(name)
  }

  capabilities(delivery: Delivery): ServerCapabilities {
    if (this.#registry.size === 0) return {}
    return { tools: delivery.changes ? { listChanged: true } : {} }
  }

  #call(call: Call): Outcome {
    const { name } = call.params
    const tool = typeof name === 'string' ? this.#registry.get(name) : undefined
    if (tool === undefined) throw unknownTool(name)
    const args = call.params['arguments'] ?? {}
    if (!isRecord(args)) throw new InvalidParamsError("'arguments' must be an object")
    if (tool.headers.length > 0 && call.headers !== undefined)
      checkParamHeaders(tool.headers, args, call.headers)
    if (tool.scopes.length > 0) requireScopes(tool.scopes, call.caller.auth)
    const checking = tool.validate(args)
    return checking instanceof Promise
      ? checking.then((checked) => this.#run(call, tool, checked))
      : this.#run(call, tool, checking)
  }

  /** Waits only for what is a promise: an answer that is at hand needs no turn of the event loop. */
  #run(call: Call, tool: CompiledTool, checked: Validation<unknown>): Outcome {
    if (checked.issues !== undefined) {
      return errorText(`Invalid arguments: ${formatIssues(checked.issues)}`)
    }
    try {
      const returned = runHandler(this.#core, call, (ctx) => tool.handler(checked.value, ctx))
      if (returned instanceof Promise) return this.#later(call, tool, returned)
      const result = toCallToolResult(tool, returned, call.caller.revision)
      return result instanceof Promise
        ? result.catch((error: unknown) => this.#failed(call, error))
        : result
    } catch (error) {
      return this.#failed(call, error)
    }
  }

  async #later(call: Call, tool: CompiledTool, returning: Promise<unknown>): Promise<MethodResult> {
    try {
      return await toCallToolResult(tool, await returning, call.caller.revision)
    } catch (error) {
      return this.#failed(call, error)
    }
  }

  /** What a tool throws becomes a result that the model can see; only a ToolError speaks in it. */
  #failed(call: Call, error: unknown): MethodResult {
    if (isToolError(error)) return errorText(error.message, error)
    if (isMcpError(error)) throw error
    if (!isCancellation(call, error)) {
      report(this.#core.onError, error, { request: { method: call.method, id: call.id } })
    }
    return errorText('Internal error', error)
  }
}

function unknownTool(name: unknown): InvalidParamsError {
  return typeof name === 'string'
    ? new InvalidParamsError(`Unknown tool: ${quoted(name)}`)
    : new InvalidParamsError("'name' must be a string")
}
