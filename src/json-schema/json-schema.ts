/**
 * Plain JSON Schema as a Standard Schema.
 *
 * @module
 */
import type { JsonSchema } from '../schema/json-schema.ts'
import type { StandardJsonSchema } from '../schema/standard.ts'
import { checkJsonSchema } from '../schema/bounds.ts'
import { RAW_VENDOR } from '../schema/standard.ts'
import { validatorOf } from './validator.ts'

/** What an untyped schema accepts: a record when its root says object, anything otherwise. */
export type JsonSchemaValue<S> = S extends { readonly type: 'object' }
  ? Record<string, unknown>
  : unknown

/** The type the caller declared or, without one, what the root says. */
type Declared<Value, S> = [Value] extends [never] ? JsonSchemaValue<S> : Value

/**
 * Makes a Standard Schema of a JSON Schema document: published word for word (`$schema`, `$defs` and unknown keywords
 * included) and enforced without `eval`. Draft-07 and 2020-12 are honoured as `$schema` declares. Values pass
 * unchanged: `default` is an annotation.
 *
 * @param schema the document; it is copied
 * @throws {TypeError} if the document is deeper than 64 levels or larger than 10 000 subschemas, declares another
 *   dialect, refers outside itself or to nothing, or has an invalid pattern.
 * @example
 * ```ts
 * const input = jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 * const typed = jsonSchema<{ city: string }>({ type: 'object' })
 * ```
 */
export function jsonSchema<Value = never, const S extends JsonSchema = JsonSchema>(
  schema: S,
): StandardJsonSchema<Declared<Value, S>> {
  const checked = checkJsonSchema(schema, 'jsonSchema()')
  const copy: object = JSON.parse(JSON.stringify(checked.schema))
  const findIssues = validatorOf(checked, 'jsonSchema()')
  // The document vouches for the type that the caller declared for it.
  const accepts = (value: unknown): value is Declared<Value, S> => findIssues(value).length === 0
  return {
    '~standard': {
      version: 1,
      vendor: RAW_VENDOR,
      jsonSchema: { input: () => copy, output: () => copy },
      validate: (value) => (accepts(value) ? { value } : { issues: findIssues(value) }),
    },
  }
}
