/**
 * The official JSON Schemas of each revision, as the conformance package carries them.
 *
 * The package publishes them only inside its one-file bundle, so they are cut out of it: its version is pinned, and a
 * bundle laid out differently fails here with a clear message.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { isRecord } from './events.ts'

/** A revision whose schema is at hand. */
export type SchemaRevision = '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** A schema document. */
export type SchemaDocument = Readonly<Record<string, unknown>>

/**
 * Reads the schemas out of `@modelcontextprotocol/conformance`.
 *
 * @throws Error when one is missing.
 */
export function officialSchemas(): ReadonlyMap<SchemaRevision, SchemaDocument> {
  const bundle = readFileSync(
    fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js')),
    'utf8',
  )
  const found = new Map<SchemaRevision, SchemaDocument>()
  for (const start of bundle.matchAll(/=(\{\$schema:`https?:[^`]+`,(?:definitions|\$defs):\{)/g)) {
    const document = evaluate(literalAt(bundle, start.index + 1))
    const revision = isRecord(document) ? revisionOf(document) : undefined
    if (isRecord(document) && revision !== undefined) found.set(revision, document)
  }
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const) {
    if (!found.has(revision))
      throw new Error(`no ${revision} schema in @modelcontextprotocol/conformance`)
  }
  return found
}

/**
 * Names the container of definitions in a schema document: it changed with the dialect.
 *
 * @param document An official schema.
 */
export function containerOf(document: SchemaDocument): '$defs' | 'definitions' {
  return '$defs' in document ? '$defs' : 'definitions'
}

function revisionOf(document: SchemaDocument): SchemaRevision | undefined {
  const definitions = document[containerOf(document)]
  if (!isRecord(definitions) || !('CallToolResult' in definitions)) return undefined
  if ('DiscoverResult' in definitions) return '2026-07-28'
  if ('$defs' in document) return '2025-11-25'
  return 'ElicitResult' in definitions ? '2025-06-18' : '2025-03-26'
}

/** Returns the object literal that starts at an index; braces inside strings do not count. */
function literalAt(source: string, start: number): string {
  const tokens = /`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]/gs
  tokens.lastIndex = start
  let depth = 0
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    if (token[0] === '{') depth += 1
    if (token[0] === '}') depth -= 1
    if (depth === 0) return source.slice(start, tokens.lastIndex)
  }
  throw new Error('unbalanced object literal in the conformance bundle')
}

function evaluate(literal: string): unknown {
  const value: unknown = runInNewContext(`(${literal})`)
  return JSON.parse(JSON.stringify(value))
}
