/**
 * Tool arguments mirrored into headers: which ones a tool's schema asks for, and how a value
 * travels in a header. Both sides use this, so that both agree.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-headers-from-tool-parameters
 * @module
 */
import { PARAM_HEADER_PREFIX } from './constants.ts'
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'
import { isRecord } from './jsonrpc.ts'
import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from './limits.ts'

/** The keyword that asks for a header. */
export const PARAM_HEADER_KEYWORD = 'x-mcp-header'

/** In JSON, a schema below another lies at most so many levels deeper: the keyword's and its own. */
const LEVELS = 2

/** One argument that is mirrored. */
export interface ParamHeader {
  /** The header's full name, in lower case. */
  readonly header: string
  /** The names that lead from the arguments to the value. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** The mirrored arguments of a tool, or why its schema is invalid. */
export type ParamHeaderScan =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly problem: string }

interface Scan {
  readonly headers: ParamHeader[]
  readonly seen: Set<string>
  parts: number
}

interface Place {
  readonly path: readonly string[]
  /** Where the schema stands, as a JSON pointer. */
  readonly pointer: string
  /** Whether only `properties` lead here from the root. */
  readonly reachable: boolean
  readonly depth: number
}

/**
 * Finds the mirrored arguments of a tool. The whole schema is searched, because an annotation in a
 * place that no plain path leads to makes the whole tool invalid.
 *
 * @param inputSchema the tool's input schema, ours or a stranger's
 */
export function scanParamHeaders(inputSchema: unknown): ParamHeaderScan {
  const scan: Scan = { headers: [], seen: new Set(), parts: 0 }
  const problem = visit(scan, inputSchema, { path: [], pointer: '#', reachable: true, depth: 0 })
  return problem === undefined ? { ok: true, headers: scan.headers } : { ok: false, problem }
}

function visit(scan: Scan, schema: unknown, place: Place): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  scan.parts += 1
  if (place.depth > LEVELS * MAX_SCHEMA_DEPTH)
    return `the schema nests deeper than ${MAX_SCHEMA_DEPTH}`
  if (scan.parts > MAX_SUBSCHEMAS) return `the schema has more than ${MAX_SUBSCHEMAS} parts`
  if (!isRecord(schema)) return visitMap(scan, schema, place)
  const problem = declare(scan, schema, place)
  if (problem !== undefined) return problem
  for (const keyword of Object.keys(schema)) {
    const found = visitKeyword(scan, [keyword, schema[keyword]], place)
    if (found !== undefined) return found
  }
  return undefined
}

function visitKeyword(
  scan: Scan,
  [keyword, value]: readonly [string, unknown],
  place: Place,
): string | undefined {
  const below = { ...step(place, keyword), reachable: false }
  switch (keyword) {
    case 'enum':
    case 'const':
    case 'default':
    case 'examples':
    case PARAM_HEADER_KEYWORD:
      return undefined
    case 'properties':
      return visitProperties(scan, value, place)
    case '$defs':
    case 'definitions':
    case 'patternProperties':
    case 'dependentSchemas':
    case 'dependencies':
      return visitMap(scan, value, below)
    default:
      return visit(scan, value, below)
  }
}

function visitProperties(scan: Scan, properties: unknown, place: Place): string | undefined {
  if (!isRecord(properties)) return undefined
  for (const name of Object.keys(properties)) {
    const at = { ...step(step(place, 'properties'), name), path: [...place.path, name] }
    const found = visit(scan, properties[name], at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Visits the members of a list or map of schemas, whose names are not keywords. */
function visitMap(scan: Scan, schemas: unknown, place: Place): string | undefined {
  if (typeof schemas !== 'object' || schemas === null) return undefined
  for (const [name, schema] of Object.entries(schemas)) {
    const found = visit(scan, schema, step(place, name))
    if (found !== undefined) return found
  }
  return undefined
}

function step(place: Place, name: string): Place {
  return { ...place, pointer: `${place.pointer}/${name}`, depth: place.depth + 1 }
}

function declare(scan: Scan, schema: Record<string, unknown>, place: Place): string | undefined {
  if (!Object.hasOwn(schema, PARAM_HEADER_KEYWORD)) return undefined
  const name = schema[PARAM_HEADER_KEYWORD]
  const where = `${PARAM_HEADER_KEYWORD} at ${place.pointer}`
  if (!place.reachable) return `${where} is not reachable through properties alone`
  if (typeof name !== 'string' || !isToken(name)) return `${where} is not a header name`
  const type = schema['type']
  if (type !== 'string' && type !== 'integer' && type !== 'boolean')
    return `${where} needs the type string, integer or boolean`
  const header = PARAM_HEADER_PREFIX + name.toLowerCase()
  if (scan.seen.has(header)) return `${where} repeats the name ${name}`
  scan.seen.add(header)
  scan.headers.push({ header, path: place.path, type })
  return undefined
}

/** RFC 9110 section 5.6.2. */
function isToken(value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)
}

/**
 * The header value of a mirrored argument.
 *
 * @param declaration which argument
 * @param args the arguments of the call
 * @returns undefined when the argument is absent or null, and so has no header
 * @throws {TypeError} if the value cannot be mirrored: it has the wrong type, or is an integer
 *   beyond what every JSON reader agrees on
 */
export function paramHeaderValue(declaration: ParamHeader, args: unknown): string | undefined {
  const value = argumentAt(declaration.path, args)
  if (value === undefined || value === null) return undefined
  const text = textOf(value)
  if (text === undefined || !hasType(declaration, value))
    throw new TypeError(`${declaration.path.join('.')} must be a ${declaration.type} in ±(2^53-1)`)
  return encodeHeaderValue(text)
}

/**
 * Compares a mirrored argument with its header. A value that cannot be mirrored is left to the
 * validation of the arguments.
 *
 * @param declaration which argument
 * @param args the arguments of the call
 * @param raw the header as it came, or null when there is none
 * @returns what is wrong, naming the header, or undefined
 */
export function paramHeaderProblem(
  declaration: ParamHeader,
  args: unknown,
  raw: string | null,
): string | undefined {
  const value = argumentAt(declaration.path, args)
  const name = declaration.header
  if (value === undefined || value === null)
    return raw === null ? undefined : `Header ${name} has no argument beside it`
  const text = textOf(value)
  if (raw === null) return text === undefined ? undefined : `Header ${name} is missing`
  const decoded = decodeHeaderValue(raw)
  if (decoded === undefined) return `Header ${name} cannot be decoded`
  const same = typeof value === 'number' ? sameInteger(value, decoded) : text === decoded
  return same ? undefined : `Header ${name} differs from its argument`
}

function argumentAt(path: readonly string[], args: unknown): unknown {
  let value = args
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function hasType(declaration: ParamHeader, value: unknown): boolean {
  return declaration.type === 'integer'
    ? Number.isSafeInteger(value)
    : typeof value === declaration.type
}

function sameInteger(value: number, header: string): boolean {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(header)) return false
  return Number.isSafeInteger(value) && Number(header) === value
}
