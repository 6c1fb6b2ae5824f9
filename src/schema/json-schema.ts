/**
 * JSON Schema documents as data: the keywords we read are typed, everything else passes through unchanged.
 *
 * @see https://json-schema.org/draft/2020-12
 * @module
 */

/** A JSON Schema object. Unknown keywords are kept. */
export interface JsonSchema {
  readonly $schema?: string | undefined
  readonly $id?: string | undefined
  readonly $ref?: string | undefined
  readonly $defs?: JsonSchemaMap | undefined
  readonly type?: string | readonly string[] | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly properties?: JsonSchemaMap | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: JsonSchema | boolean | undefined
  readonly [keyword: string]: unknown
}

/** Schemas by name; a name such as `__proto__` is data like any other. */
export interface JsonSchemaMap {
  readonly [name: string]: JsonSchema | boolean
}

/** A JSON Schema whose root is an object, as inputs need. */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object'
}

/** How the value of a keyword holds subschemas. */
export type KeywordShape = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

/** The dialect of documents that do not say. */
const DIALECT_2020_12 = 'https://json-schema.org/draft/2020-12/schema'

/** The older dialect that is honoured as well. */
const DIALECT_DRAFT_07 = 'http://json-schema.org/draft-07/schema'

/** A dialect we honour. */
export type Dialect = '2020-12' | 'draft-07'

/**
 * The dialect a document declares.
 *
 * @param declared the root's `$schema`
 * @returns undefined when it is one we do not honour
 */
export function dialectOf(declared: unknown): Dialect | undefined {
  if (declared === undefined) return '2020-12'
  if (typeof declared !== 'string') return undefined
  const uri = declared.replace(/#$/, '').replace(/^https:/, 'http:')
  if (uri === DIALECT_2020_12.replace(/^https:/, 'http:')) return '2020-12'
  return uri === DIALECT_DRAFT_07 ? 'draft-07' : undefined
}

const MAP_KEYWORDS: readonly string[] = [
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
]
const LIST_KEYWORDS: readonly string[] = ['prefixItems', 'allOf', 'anyOf', 'oneOf']
const SINGLE_KEYWORDS: readonly string[] = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/**
 * Where the value of a keyword holds subschemas.
 *
 * @param keyword a keyword of either dialect
 * @returns undefined for keywords that hold none, unknown ones included
 */
export function shapeOf(keyword: string): KeywordShape | undefined {
  if (keyword === 'items') return 'schema-or-list'
  if (keyword === 'dependencies') return 'map-or-names'
  if (MAP_KEYWORDS.includes(keyword)) return 'map'
  if (LIST_KEYWORDS.includes(keyword)) return 'list'
  return SINGLE_KEYWORDS.includes(keyword) ? 'schema' : undefined
}

/** Keywords whose subschemas look at the same instance as the schema that holds them. */
export const IN_PLACE_KEYWORDS: readonly string[] = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]

/** A subschema and the path of keys that leads to it from its parent. */
export interface Subschema {
  readonly keyword: string
  readonly path: readonly string[]
  readonly schema: unknown
}

/**
 * The direct subschemas of a schema object, by own properties only.
 *
 * @param schema a schema object
 */
export function subschemasOf(schema: object): Subschema[] {
  const found: Subschema[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapeOf(keyword)
    if (shape !== undefined) collect({ keyword, shape, value }, found)
  }
  return found
}

interface Held {
  readonly keyword: string
  readonly shape: KeywordShape
  readonly value: unknown
}

function collect({ keyword, shape, value }: Held, found: Subschema[]): void {
  const single = shape === 'schema' || (shape === 'schema-or-list' && !Array.isArray(value))
  if (single) {
    found.push({ keyword, path: [keyword], schema: value })
    return
  }
  if (typeof value !== 'object' || value === null) {
    found.push({ keyword, path: [keyword], schema: undefined })
    return
  }
  for (const [name, schema] of Object.entries(value)) {
    if (shape === 'map-or-names' && Array.isArray(schema)) continue
    found.push({ keyword, path: [keyword, name], schema })
  }
}

/**
 * Tells whether a value can stand where a schema is wanted: an object or a boolean.
 *
 * @param value anything
 */
export function isSchema(value: unknown): value is JsonSchema | boolean {
  return typeof value === 'boolean' || isSchemaObject(value)
}

/**
 * Tells whether a value is a schema object, the only form with keywords.
 *
 * @param value anything
 */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Follows a JSON Pointer by own properties.
 *
 * @param document where to start
 * @param pointer the pointer, percent-decoded, empty or with a leading slash
 * @returns undefined when nothing is there
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) return undefined
  let current = document
  for (const token of pointer.slice(1).split('/')) {
    if (typeof current !== 'object' || current === null) return undefined
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    current = Object.getOwnPropertyDescriptor(current, key)?.value
  }
  return current
}
