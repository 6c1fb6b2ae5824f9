/**
 * Definition-time checks of a JSON Schema document: bounded, self-contained, of a dialect we honour.
 * They run once, so that nothing a schema says can surprise a request later.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 * @module
 */
import type { Dialect, JsonSchema } from './json-schema.ts'
import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from '../protocol/limits.ts'
import {
  dialectOf,
  IN_PLACE_KEYWORDS,
  isSchema,
  isSchemaObject,
  resolvePointer,
  shapeOf,
  subschemasOf,
} from './json-schema.ts'

/** A document that passed. */
export interface CheckedSchema {
  readonly schema: JsonSchema
  readonly dialect: Dialect
  /** A `$dynamicRef` occurs somewhere. */
  readonly dynamic: boolean
  /** Every schema object in it, with the schemas that look at the same instance. */
  readonly inPlace: ReadonlyMap<JsonSchema, readonly JsonSchema[]>
}

/** One document or embedded resource: what `#…` in it refers to. */
interface Resource {
  readonly root: JsonSchema
  readonly anchors: Map<string, JsonSchema>
}

interface Reference {
  readonly from: JsonSchema
  readonly target: string
  readonly at: string
  readonly resource: Resource
}

interface Place {
  readonly schema: unknown
  readonly at: string
  readonly depth: number
  readonly resource: Resource
}

interface Walk {
  readonly subject: string
  readonly dialect: Dialect
  readonly inPlace: Map<JsonSchema, JsonSchema[]>
  readonly references: Reference[]
  readonly counters: { nodes: number; resources: number; dynamic: number }
}

/**
 * Checks a JSON Schema document.
 *
 * @param schema the document's root
 * @param subject what it belongs to; begins the message, as in `tool 'x': input schema`
 * @throws {TypeError} if it is not a schema, is deeper than 64 levels or larger than 10 000 subschemas, declares a
 *   dialect other than 2020-12 and draft-07, or refers outside itself or to nothing.
 */
export function checkJsonSchema(schema: unknown, subject: string): CheckedSchema {
  if (!isSchemaObject(schema)) throw new TypeError(`${subject} must be a JSON Schema object`)
  const dialect = dialectOf(schema.$schema)
  if (dialect === undefined) {
    const declared = JSON.stringify(schema.$schema)
    throw new TypeError(`${subject} declares $schema ${declared}; use 2020-12 or draft-07`)
  }
  const counters = { nodes: 0, resources: 0, dynamic: 0 }
  const walk: Walk = { subject, dialect, inPlace: new Map(), references: [], counters }
  visit(walk, { schema, at: '#', depth: 1, resource: { root: schema, anchors: new Map() } })
  resolveReferences(walk)
  if (counters.dynamic > 0 && counters.resources > 0) {
    throw new TypeError(`${subject} uses $dynamicRef across embedded $id; put it in one resource`)
  }
  return { schema, dialect, dynamic: counters.dynamic > 0, inPlace: walk.inPlace }
}

/**
 * Checks that the root of an input schema is an object, which every revision demands.
 *
 * @param schema the document's root
 * @param subject what it belongs to
 * @throws {TypeError} if `type` is anything but `"object"`.
 */
export function checkObjectRoot(schema: JsonSchema, subject: string): void {
  if (schema.type === 'object') return
  throw new TypeError(`${subject} must have the root type "object", not ${describeType(schema)}`)
}

function describeType(schema: JsonSchema): string {
  return schema.type === undefined ? 'an untyped one' : JSON.stringify(schema.type)
}

function visit(walk: Walk, place: Place): void {
  const { schema, at, depth } = place
  if (!isSchema(schema)) throw new TypeError(`${walk.subject} has no schema at ${at}`)
  countNode(walk, depth)
  if (typeof schema === 'boolean') return
  // zod marks the root of what it generates; further down the mark means a schema that nobody converted.
  if (at !== '#' && '~standard' in schema) {
    throw new TypeError(
      `${walk.subject} holds a schema object of a library at ${at}; JSON is wanted`,
    )
  }
  const resource = resourceAt(walk, place, schema)
  const inPlace: JsonSchema[] = []
  walk.inPlace.set(schema, inPlace)
  noteReferences(walk, { from: schema, at, resource, target: '' })
  for (const child of subschemasOf(schema)) {
    if (isSchemaObject(child.schema) && IN_PLACE_KEYWORDS.includes(child.keyword)) {
      inPlace.push(child.schema)
    }
    const path = child.path.map((key) => `/${key}`).join('')
    visit(walk, { schema: child.schema, at: at + path, depth: depth + 1, resource })
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (shapeOf(keyword) === undefined) visitData(walk, value, depth)
  }
}

function countNode(walk: Walk, depth: number): void {
  walk.counters.nodes += 1
  if (depth > MAX_SCHEMA_DEPTH) {
    throw new TypeError(`${walk.subject} nests more than ${MAX_SCHEMA_DEPTH} levels`)
  }
  if (walk.counters.nodes > MAX_SUBSCHEMAS) {
    throw new TypeError(`${walk.subject} has more than ${MAX_SUBSCHEMAS} subschemas`)
  }
}

function visitData(walk: Walk, value: unknown, depth: number): void {
  if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol') {
    throw new TypeError(`${walk.subject} holds a ${typeof value}, which is not JSON`)
  }
  if (typeof value !== 'object' || value === null) return
  countNode(walk, depth)
  for (const member of Object.values(value)) visitData(walk, member, depth + 1)
}

function resourceAt(walk: Walk, place: Place, schema: JsonSchema): Resource {
  const nested = place.at !== '#' && typeof schema.$id === 'string' && !schema.$id.startsWith('#')
  if (nested) walk.counters.resources += 1
  if (nested && schema.$schema !== undefined && dialectOf(schema.$schema) !== walk.dialect) {
    throw new TypeError(`${walk.subject} changes its dialect at ${place.at}`)
  }
  const resource = nested ? { root: schema, anchors: new Map() } : place.resource
  for (const anchor of [schema['$anchor'], schema['$dynamicAnchor'], anchorInId(schema)]) {
    if (typeof anchor === 'string') resource.anchors.set(anchor, schema)
  }
  return resource
}

/** Draft-07 has no `$anchor`; an `$id` that is a fragment names the place. */
function anchorInId(schema: JsonSchema): string | undefined {
  return schema.$id?.startsWith('#') === true ? schema.$id.slice(1) : undefined
}

function noteReferences(walk: Walk, place: Reference): void {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const target = place.from[keyword]
    if (target === undefined) continue
    if (keyword === '$recursiveRef') {
      throw new TypeError(`${walk.subject} uses $recursiveRef at ${place.at}; use $dynamicRef`)
    }
    if (typeof target !== 'string' || !target.startsWith('#')) {
      const shown = JSON.stringify(target)
      throw new TypeError(
        `${walk.subject} refers to ${shown} at ${place.at}; only references within the same document ("#…") are followed`,
      )
    }
    if (keyword === '$dynamicRef') walk.counters.dynamic += 1
    walk.references.push({ ...place, target })
  }
}

function resolveReferences(walk: Walk): void {
  // Visiting a target in an unknown keyword may add references, so the list grows while we walk it.
  for (const reference of walk.references) {
    const target = resolveReference(reference)
    if (!isSchema(target)) {
      throw new TypeError(
        `${walk.subject} refers to "${reference.target}" at ${reference.at}, which does not exist`,
      )
    }
    if (typeof target === 'boolean') continue
    if (!walk.inPlace.has(target)) {
      visit(walk, { schema: target, at: reference.target, depth: 1, resource: reference.resource })
    }
    walk.inPlace.get(reference.from)?.push(target)
  }
}

function resolveReference({ target, resource }: Reference): unknown {
  const fragment = decodeFragment(target.slice(1))
  if (fragment === undefined) return undefined
  if (fragment === '' || fragment.startsWith('/')) return resolvePointer(resource.root, fragment)
  return resource.anchors.get(fragment)
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Bad percent-encoding cannot name anything, so it counts as unresolved.
    return undefined
  }
}
