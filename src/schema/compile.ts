/**
 * A definition's schema, compiled once: what is listed, and what validates.
 *
 * @module
 */
import type { ConvertOptions } from './convert.ts'
import type { JsonSchema, ObjectJsonSchema } from './json-schema.ts'
import type { StandardSchema, Validation } from './standard.ts'
import { checkObjectRoot } from './bounds.ts'
import { toJsonSchemaDocument } from './convert.ts'

/** A schema ready to list and to validate with. */
export interface CompiledSchema<Output = unknown> {
  /** The JSON Schema of the side that was asked for. */
  readonly json: JsonSchema
  /** Validates with the library itself: as fast as it is, and synchronous whenever it is. */
  readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>
}

/**
 * Compiles a schema. Conversion is eager, so that a mistake shows where the definition stands.
 *
 * @param schema what the definition gave; an input may be absent
 * @param options the side, how to begin messages, and the converter for libraries that need one
 * @throws {TypeError} if the schema cannot be used; an input must be an object at the root.
 */
export function compileSchema<Output>(
  schema: StandardSchema<unknown, Output> | undefined,
  options: ConvertOptions,
): CompiledSchema<Output | object> {
  const { side, subject } = options
  if (schema === undefined && side === 'input') return emptyInput()
  if (schema === undefined) throw new TypeError(`${subject} is missing`)
  const json = toJsonSchemaDocument(schema, options)
  if (side === 'input') checkObjectRoot(json, subject)
  const standard = schema['~standard']
  return { json, validate: (value) => standard.validate(value) }
}

/** The input of a tool that takes none, in the form that every client accepts. */
function emptyInput(): CompiledSchema<object> {
  const json: ObjectJsonSchema = { type: 'object', properties: {}, additionalProperties: false }
  return { json, validate: () => ({ value: {} }) }
}
