/**
 * The JSON Schema of a library's schema, tidied for hosts, or a `TypeError` that says what to do instead.
 *
 * @module
 */
import type { JsonSchema } from './json-schema.ts'
import type { SchemaSide, StandardSchema } from './standard.ts'
import { checkJsonSchema } from './bounds.ts'
import { inlineReferences } from './inline-refs.ts'
import { isSchemaObject } from './json-schema.ts'
import { isStandardSchema, RAW_VENDOR } from './standard.ts'

/**
 * Makes JSON Schema (2020-12) of schemas whose library does not bring it: zod/mini, plain valibot.
 *
 * @param schema the schema as the definition gave it
 * @param side which side of it
 */
export type ToJsonSchema = (schema: StandardSchema, side: SchemaSide) => object

/** What conversion needs to know. */
export interface ConvertOptions {
  /** Begins every message, as in `tool 'x': input schema`. */
  readonly subject: string
  readonly side: SchemaSide
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/**
 * Converts a schema to JSON Schema 2020-12. What a library generated loses its `$schema` (2020-12 is the default, and
 * older clients choke on it) and its needless references; what `jsonSchema()` was given stays word for word.
 *
 * @param schema what the definition gave
 * @throws {TypeError} if it is no schema, cannot be converted, or the result breaks the bounds of `bounds.ts`.
 */
export function toJsonSchemaDocument(schema: unknown, options: ConvertOptions): JsonSchema {
  const { subject } = options
  if (!isStandardSchema(schema)) throw new TypeError(`${subject} ${explainNoSchema(schema)}`)
  const generated = generate(schema, options)
  // What `jsonSchema()` was given has been checked there.
  if (schema['~standard'].vendor === RAW_VENDOR && isSchemaObject(generated)) return generated
  const { $schema: _, ...document } = inlineReferences(checkJsonSchema(generated, subject).schema)
  return options.side === 'input' ? tidyInput(document) : document
}

function generate(schema: StandardSchema, options: ConvertOptions): object {
  const { subject, side, toJsonSchema } = options
  const own = schema['~standard'].jsonSchema
  if (own === undefined && toJsonSchema === undefined) {
    throw new TypeError(`${subject} ${explainNoConverter(schema)}`)
  }
  try {
    if (own !== undefined) return own[side]({ target: 'draft-2020-12' })
  } catch (error) {
    // The injected converter may know what the library's own refuses, dates for instance.
    if (toJsonSchema === undefined) throw inexpressible(subject, error)
  }
  try {
    return toJsonSchema?.(schema, side) ?? {}
  } catch (error) {
    throw inexpressible(subject, error)
  }
}

function inexpressible(subject: string, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new TypeError(`${subject} cannot be expressed as JSON Schema: ${reason}`, { cause })
}

const OLD_ZOD = 'is a zod v3 schema; use zod >= 4.2'

function explainNoConverter(schema: StandardSchema): string {
  const { vendor } = schema['~standard']
  if (vendor === 'zod' && !('_zod' in schema)) return OLD_ZOD
  if (vendor === 'zod') {
    return "is a zod schema without JSON Schema (zod/mini, or zod before 4.2); import it from 'zod' >= 4.2, or pass the option toJsonSchema: (schema, side) => z.toJSONSchema(schema, { io: side })"
  }
  if (vendor === 'valibot') {
    return "is a valibot schema without JSON Schema; wrap it in toStandardJsonSchema() of '@valibot/to-json-schema', or pass the option toJsonSchema"
  }
  return `is a schema of "${vendor}", which brings no JSON Schema; pass the option toJsonSchema`
}

function explainNoSchema(value: unknown): string {
  if (isSchemaObject(value)) {
    if ('_def' in value && 'safeParse' in value) return OLD_ZOD
    if (Object.values(value).some(looksLikeSchema)) {
      return 'is a raw shape; wrap it: z.object({ … })'
    }
    if (['type', 'properties', '$ref', '$schema', 'oneOf', 'anyOf'].some((key) => key in value)) {
      return "is plain JSON Schema; wrap it: jsonSchema({ … }) from 'mcp-edge/json-schema'"
    }
  }
  return 'must be a Standard Schema, such as z.object({ … })'
}

function looksLikeSchema(value: unknown): boolean {
  return isStandardSchema(value) || (isSchemaObject(value) && '_def' in value)
}

/** Hosts want `type: "object"` even on a union of objects, and a closed form where there is nothing to fill in. */
function tidyInput(document: JsonSchema): JsonSchema {
  if (document.type === undefined && isObjectLike(document)) return { type: 'object', ...document }
  return isEmptyObject(document) ? { ...document, additionalProperties: false } : document
}

function isObjectLike(schema: unknown): boolean {
  if (!isSchemaObject(schema)) return false
  if (schema.type !== undefined) return schema.type === 'object'
  const { oneOf, anyOf, allOf } = schema
  if (Array.isArray(allOf) && allOf.some(isObjectLike)) return true
  const branches = oneOf ?? anyOf
  return Array.isArray(branches) && branches.length > 0 && branches.every(isObjectLike)
}

function isEmptyObject(document: JsonSchema): boolean {
  const { type, properties, title: _, description: __, ...rest } = document
  if (type !== 'object' || properties === undefined) return false
  return Object.keys(properties).length === 0 && Object.keys(rest).length === 0
}
