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
    required: requiredOf(document, subject),
    $schema: raw ? document.$schema : undefined,
  }
}

function requiredOf(
  { required = [], properties = {} }: JsonSchema,
  subject: string,
): readonly string[] | undefined {
  const stray = required.find((name) => !Object.hasOwn(properties, name))
  if (stray === undefined) return required.length === 0 ? undefined : required
  throw new TypeError(`${subject} requires '${stray}', which is no property of it`)
}

/** A form for an older client. */
export interface DowngradedForm {
  readonly form: RequestedSchema
  /** Required properties that this client cannot be asked for. */
  readonly lost: readonly string[]
}

/**
 * Rewrites a form for clients of 2025-06-18: titles of choices become `enumNames`, defaults and the dialect go, and
 * choices of several are not asked.
 *
 * @param form a projected form
 */
export function downgradeForm(form: RequestedSchema): DowngradedForm {
  const properties = Object.fromEntries(
    Object.entries(form.properties)
      .filter(([, field]) => field.type !== 'array')
      .map(([name, field]) => [name, downgradeField(field)]),
  )
  const isKept = (name: string): boolean => Object.hasOwn(properties, name)
  return {
    form: { type: 'object', properties, required: form.required?.filter(isKept) },
    lost: (form.required ?? []).filter((name) => !isKept(name)),
  }
}

function downgradeField(field: PrimitiveSchemaDefinition): PrimitiveSchemaDefinition {
  // Booleans had a default from the beginning.
  if (field.type === 'boolean') return field
  const { default: _, ...known } = field
  if (!('oneOf' in known)) return known
  const { oneOf, ...rest } = known
  return {
    ...rest,
    enum: oneOf.map((option) => option.const),
    enumNames: oneOf.map((option) => option.title),
  }
}

/**
 * Tells whether something is a form as a peer sends it: an object schema with properties.
 *
 * @param value anything
 */
export function isFormSchema(value: unknown): value is RequestedSchema {
  return isSchemaObject(value) && value.type === 'object' && isSchemaObject(value.properties)
}
