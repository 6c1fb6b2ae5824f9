/**
 * Elicitation forms: the flat subset of JSON Schema that a client can show, made from any schema.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import type { PrimitiveSchemaDefinition, RequestedSchema } from '../protocol/elicitation.ts'
import type { ToJsonSchema } from './convert.ts'
import type { JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard.ts'
import { checkJsonSchema } from './bounds.ts'
import { toJsonSchemaDocument } from './convert.ts'
import { projectField } from './form-field.ts'
import { isSchemaObject } from './json-schema.ts'
import { isStandardSchema } from './standard.ts'

/** What projection needs to know. */
export interface FormOptions {
  /** Begins every message, as in `question 'confirm': schema`. */
  readonly subject: string
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/**
 * Projects a schema to a form. Of a library's schema, constraints that a form cannot show (`pattern`, exclusive bounds,
 * other formats) are left out, because the schema itself validates the answer; in a raw form they are a mistake.
 *
 * @param schema a Standard Schema, or the form itself
 * @throws {TypeError} if a property is not a string, number, boolean or choice; the message names it.
 */
export function toFormSchema(
  schema: StandardSchema | RequestedSchema,
  options: FormOptions,
): RequestedSchema {
  const { subject } = options
  const raw = !isStandardSchema(schema)
  const document = raw
    ? checkJsonSchema(schema, subject).schema
    : toJsonSchemaDocument(schema, { ...options, side: 'input' })
  if (document.type !== 'object') throw new TypeError(`${subject} must be an object of fields`)
  const fields: [string, PrimitiveSchemaDefinition][] = []
  for (const [name, field] of Object.entries(document.properties ?? {})) {
    fields.push([name, projectField(field, { raw, subject: `${subject}, property '${name}',` })])
  }
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...requiredOf(document, subject),
    ...(raw && document.$schema !== undefined && { $schema: document.$schema }),
  }
}

function requiredOf(document: JsonSchema, subject: string): { required?: readonly string[] } {
  const { required, properties = {} } = document
  if (required === undefined || required.length === 0) return {}
  const stray = required.find((name) => !Object.hasOwn(properties, name))
  if (stray === undefined) return { required }
  throw new TypeError(`${subject} requires '${stray}', which is no property of it`)
}

/** What the client at the other end can show. */
export interface FormFeatures {
  /** `default` on strings, numbers and choices. */
  readonly defaults: boolean
  /** Choices with titles, as `oneOf`. */
  readonly titledEnums: boolean
  /** Choices of several, as arrays. */
  readonly multiSelect: boolean
  /** `$schema` at the root. */
  readonly dialect: boolean
}

/** A form for an older client. */
export interface DowngradedForm {
  readonly form: RequestedSchema
  /** Required properties that this client cannot be asked for. */
  readonly lost: readonly string[]
}

/**
 * Rewrites a form for a client that knows less: titles of choices become `enumNames`, defaults go, and choices of
 * several are not asked.
 *
 * @param form a projected form
 * @param features what the client can show
 */
export function downgradeForm(form: RequestedSchema, features: FormFeatures): DowngradedForm {
  const kept: [string, PrimitiveSchemaDefinition][] = []
  const dropped = new Set<string>()
  for (const [name, field] of Object.entries(form.properties)) {
    if (field.type === 'array' && !features.multiSelect) dropped.add(name)
    else kept.push([name, downgradeField(field, features)])
  }
  const required = (form.required ?? []).filter((name) => !dropped.has(name))
  const { $schema, ...rest } = form
  const result: RequestedSchema = {
    ...rest,
    properties: Object.fromEntries(kept),
    ...(form.required !== undefined && { required }),
    ...(features.dialect && $schema !== undefined && { $schema }),
  }
  return { form: result, lost: (form.required ?? []).filter((name) => dropped.has(name)) }
}

function downgradeField(
  field: PrimitiveSchemaDefinition,
  features: FormFeatures,
): PrimitiveSchemaDefinition {
  const known = features.defaults ? field : withoutDefault(field)
  if (features.titledEnums || !('oneOf' in known)) return known
  const { oneOf, ...rest } = known
  return {
    ...rest,
    enum: oneOf.map((option) => option.const),
    enumNames: oneOf.map((option) => option.title),
  }
}

/** Booleans had a default from the beginning. */
function withoutDefault(field: PrimitiveSchemaDefinition): PrimitiveSchemaDefinition {
  if (field.type === 'boolean') return field
  const { default: _, ...rest } = field
  return rest
}

/**
 * Tells whether something is a form as a peer sends it: an object schema with properties.
 *
 * @param value anything
 */
export function isFormSchema(value: unknown): value is RequestedSchema {
  return isSchemaObject(value) && value.type === 'object' && isSchemaObject(value.properties)
}
