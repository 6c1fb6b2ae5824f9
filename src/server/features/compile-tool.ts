/**
 * A tool, compiled once when it is added: what validates, what is listed, what is mirrored.
 *
 * @module
 */
import { scanParamHeaders } from '../../protocol/param-headers.ts'
import type { ParamHeader } from '../../protocol/param-headers.ts'
import { featuresOf } from '../../protocol/versions.ts'
import type { Revision } from '../../protocol/versions.ts'
import { compileSchema } from '../../schema/compile.ts'
import type { CompiledSchema } from '../../schema/compile.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { SchemaSide } from '../../schema/standard.ts'
import type { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { toHandler } from '../definitions.ts'
import { warn } from '../report.ts'
import type { AnyTool, AnyToolConfig } from '../definitions.ts'
import { checkHandler, checkName, commonMembers, isRecommendedName } from './list-entry.ts'

/** A tool ready to be listed and called. */
export interface CompiledTool {
  readonly name: string
  readonly validate: CompiledSchema['validate']
  readonly output: CompiledOutput | undefined
  readonly headers: readonly ParamHeader[]
  readonly scopes: readonly string[]
  readonly handler: (input: unknown, ctx: Context) => unknown
  /** The listed entry as JSON text, in the form that readers of a revision know. */
  readonly listed: (revision: Revision) => string
}

/** The output side of a tool that declares one. */
export interface CompiledOutput {
  /** Absent where validation is switched off. */
  readonly validate: CompiledSchema['validate'] | undefined
  /** Whether revisions that know objects only get the value inside `{ result }`. */
  readonly wrapped: boolean
}

/**
 * Compiles a tool.
 *
 * @throws {TypeError} if the definition has a mistake; the message names the tool
 */
export function compileTool(core: ServerCore, tool: AnyTool): CompiledTool {
  const { name, config } = tool
  checkName('tool', name)
  checkHandler(`tool '${name}'`, tool.handler)
  const compile = (side: SchemaSide): CompiledSchema =>
    compileSchema(config[side], {
      subject: `tool '${name}': ${side} schema`,
      side,
      toJsonSchema: core.toJsonSchema,
    })
  const input = compile('input')
  const output = config.output && compile('output')
  const scan = scanParamHeaders(input.json)
  if (!scan.ok) throw new TypeError(`tool '${name}': input schema: ${scan.problem}`)
  advise(core, name, scan.headers)
  return {
    name,
    validate: input.validate,
    output: output && toOutput(core, config, output),
    headers: scan.headers,
    scopes: config.scopes ?? [],
    handler: toHandler(tool.handler),
    listed: listedForms(tool, input.json, output?.json),
  }
}

/** Says what is legal but unwise, once, where the definition stands. */
function advise(core: ServerCore, name: string, headers: readonly ParamHeader[]): void {
  const say = (advice: string): void => warn(core.onWarning, `tool '${name}': ${advice}`)
  if (!isRecommendedName(name)) say('some clients only take names of 1 to 128 A-Z a-z 0-9 _ - .')
  for (const { path, header } of headers) {
    const argument = path.join('.')
    if (!SENSITIVE.test(argument)) continue
    say(
      `argument '${argument}' looks like a secret, but ${header} shows it to every proxy on the way`,
    )
  }
}

/** Words in the names of arguments that nobody should read on the way. */
const SENSITIVE =
  /pass(?:word|phrase|wd)|secret|token|credential|api[-_]?key|private[-_]?key|\bssn\b/i

function toOutput(core: ServerCore, config: AnyToolConfig, output: CompiledSchema): CompiledOutput {
  const validates = config.validateOutput ?? core.validateOutput
  return {
    validate: validates ? output.validate : undefined,
    wrapped: output.json.type !== 'object',
  }
}

/** The entry in its three forms, each made when it is first wanted. */
function listedForms(
  tool: AnyTool,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): (revision: Revision) => string {
  const { name, config } = tool
  const entry = (shown: JsonSchema | undefined): string =>
    JSON.stringify({
      name,
      ...commonMembers(config),
      inputSchema,
      outputSchema: shown,
      annotations: config.annotations,
    })
  const wrapped =
    outputSchema === undefined || outputSchema.type === 'object' ? outputSchema : wrap(outputSchema)
  return (revision) => {
    const { structured, anyStructured } = featuresOf(revision)
    if (anyStructured) return entry(outputSchema)
    return entry(structured ? wrapped : undefined)
  }
}

/** An object with the schema under `result`; definitions stay at the root, where references point. */
function wrap(schema: JsonSchema): JsonSchema {
  const { $defs, definitions, $schema, ...result } = schema
  return {
    $schema,
    type: 'object',
    properties: { result },
    required: ['result'],
    $defs,
    definitions,
  }
}
