/**
 * Writes references out: hosts drop tools whose schemas use `$ref` where none is needed. Only true recursion keeps
 * a reference, always as `#/$defs/Name` with `$defs` at the root.
 *
 * @module
 */
import type { JsonSchema } from './json-schema.ts'
import { MAX_SUBSCHEMAS } from '../protocol/limits.ts'
import { isSchema, isSchemaObject, resolvePointer, shapeOf, subschemasOf } from './json-schema.ts'

interface Rewrite {
  readonly root: JsonSchema
  readonly recursive: ReadonlySet<string>
  /** References that stay, and the definition each one points at. */
  readonly names: Map<string, string>
  readonly pending: string[]
  readonly counter: { nodes: number }
}

/**
 * Inlines every reference that is not recursive and gathers the recursive ones under `$defs`.
 *
 * @param schema a checked document without embedded resources, as schema libraries generate it
 * @returns a new document; the given one when there is nothing to do or writing it out would exceed the bound on subschemas
 */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  const references = referencesWithin(schema)
  if (references.size === 0) return schema
  const recursive = new Set([...references].filter((ref) => reachesItself(schema, ref)))
  const counter = { nodes: 0 }
  const state: Rewrite = { root: schema, recursive, names: new Map(), pending: [], counter }
  const root = rewrite(state, rootBehindReference(schema))
  const definitions: [string, JsonSchema | boolean][] = []
  for (const ref of state.pending) {
    const definition = rewrite(state, targetOf(schema, ref))
    if (isSchema(definition)) definitions.push([nameOf(state, ref), definition])
    if (counter.nodes > MAX_SUBSCHEMAS) return schema
  }
  if (counter.nodes > MAX_SUBSCHEMAS || !isSchemaObject(root)) return schema
  if (definitions.length === 0) return root
  return { ...root, $defs: Object.fromEntries(definitions) }
}

/** A root that is only a reference would hide its type from hosts. */
function rootBehindReference(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined || schema.$ref === '#') return schema
  const target = targetOf(schema, schema.$ref)
  const { $ref: _, ...rest } = schema
  return isSchemaObject(target) ? { ...target, ...rest } : schema
}

function targetOf(root: JsonSchema, ref: string): unknown {
  return resolvePointer(root, decodeURIComponent(ref.slice(1)))
}

function referencesWithin(schema: unknown): Set<string> {
  const found = new Set<string>()
  walkReferences(schema, (ref) => found.add(ref))
  return found
}

function walkReferences(schema: unknown, found: (ref: string) => void): void {
  if (!isSchemaObject(schema)) return
  if (typeof schema.$ref === 'string') found(schema.$ref)
  for (const child of subschemasOf(schema)) walkReferences(child.schema, found)
}

function reachesItself(root: JsonSchema, start: string): boolean {
  const seen = new Set<string>()
  const open = [start]
  for (const ref of open) {
    const within = ref === '#' ? withoutDefinitions(root) : targetOf(root, ref)
    for (const next of referencesWithin(within)) {
      if (next === start) return true
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  }
  return false
}

/** Definitions are reached through references only; they are no part of what the root itself says. */
function withoutDefinitions(schema: JsonSchema): JsonSchema {
  const { $defs: _, definitions: __, ...rest } = schema
  return rest
}

function rewrite(state: Rewrite, schema: unknown): unknown {
  state.counter.nodes += 1
  if (!isSchemaObject(schema) || state.counter.nodes > MAX_SUBSCHEMAS) return schema
  const { $ref, ...own } = schema
  const members = Object.fromEntries(rewriteMembers(state, own))
  if ($ref === undefined) return members
  if (state.recursive.has($ref)) return { ...members, $ref: `#/$defs/${nameOf(state, $ref)}` }
  const target = rewrite(state, targetOf(state.root, $ref))
  return isSchemaObject(target) ? { ...target, ...members } : target
}

function rewriteMembers(state: Rewrite, schema: JsonSchema): [string, unknown][] {
  const members: [string, unknown][] = []
  for (const [keyword, value] of Object.entries(withoutDefinitions(schema))) {
    members.push([keyword, rewriteValue(state, keyword, value)])
  }
  return members
}

function rewriteValue(state: Rewrite, keyword: string, value: unknown): unknown {
  const shape = shapeOf(keyword)
  if (shape === undefined) return value
  if (Array.isArray(value)) return value.map((item) => rewrite(state, item))
  if (shape === 'schema' || shape === 'schema-or-list' || !isSchemaObject(value)) {
    return rewrite(state, value)
  }
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, item]) => [name, rewrite(state, item)]))
}

function nameOf(state: Rewrite, ref: string): string {
  const known = state.names.get(ref)
  if (known !== undefined) return known
  const wanted =
    ref
      .split('/')
      .at(-1)
      ?.replaceAll(/[^A-Za-z0-9_.-]/g, '_') ?? ''
  const base = ref === '#' || wanted === '' ? 'Root' : wanted
  const taken = new Set(state.names.values())
  let name = base
  for (let suffix = 2; taken.has(name); suffix += 1) name = `${base}${suffix}`
  state.names.set(ref, name)
  state.pending.push(ref)
  return name
}
