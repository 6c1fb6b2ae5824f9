/**
 * Checks the answer to a form against the form.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import type {
  EnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  RequestedSchema,
  StringSchema,
} from '../protocol/elicitation.ts'
import type { Issue } from './standard.ts'
import { isSchemaObject } from './json-schema.ts'

/**
 * Finds what is wrong with the content of an accepted form; nothing is wrong when the list is empty. Members that the
 * form does not have are ignored.
 *
 * @param form the form that was shown
 * @param content the answer
 */
export function validateFormContent(form: RequestedSchema, content: unknown): Issue[] {
  if (!isSchemaObject(content)) return [{ message: 'must be an object' }]
  const issues: Issue[] = []
  for (const name of form.required ?? []) {
    if (!Object.hasOwn(content, name)) issues.push({ message: 'is required', path: [name] })
  }
  for (const [name, field] of Object.entries(form.properties)) {
    if (!Object.hasOwn(content, name)) continue
    const message = problemOf(field, content[name])
    if (message !== undefined) issues.push({ message, path: [name] })
  }
  return issues
}

function problemOf(field: PrimitiveSchemaDefinition, value: unknown): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'number':
    case 'integer':
      return problemOfNumber(field, value)
    case 'array':
      return problemOfChoices(field, value)
    case 'string':
      return problemOfString(field, value)
  }
}

function problemOfNumber(field: NumberSchema, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (field.type === 'integer' && !Number.isInteger(value)) return 'must be an integer'
  if (field.minimum !== undefined && value < field.minimum)
    return `must be at least ${field.minimum}`
  if (field.maximum !== undefined && value > field.maximum)
    return `must be at most ${field.maximum}`
  return undefined
}

function problemOfString(
  field: Extract<PrimitiveSchemaDefinition, { type: 'string' }>,
  value: unknown,
): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  const options = optionsOf(field)
  if (options !== undefined) return options.includes(value) ? undefined : notOneOf(options)
  return 'enum' in field || 'oneOf' in field ? undefined : problemOfText(field, value)
}

function problemOfText(field: StringSchema, value: string): string | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(value).length
  if (field.minLength !== undefined && length < field.minLength) {
    return `must have at least ${field.minLength} characters`
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return `must have at most ${field.maxLength} characters`
  }
  if (field.format === undefined || hasFormat(value, field.format)) return undefined
  return `must be of the format ${field.format}`
}

function problemOfChoices(
  field: Extract<PrimitiveSchemaDefinition, { type: 'array' }>,
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return 'must be a list'
  const options = optionsOf(field) ?? []
  if (!value.every((item) => options.includes(item))) return `each ${notOneOf(options)}`
  if (field.minItems !== undefined && value.length < field.minItems) {
    return `must have at least ${field.minItems} items`
  }
  if (field.maxItems !== undefined && value.length > field.maxItems) {
    return `must have at most ${field.maxItems} items`
  }
  return undefined
}

function notOneOf(options: readonly string[]): string {
  return `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`
}

function optionsOf(field: EnumSchema | StringSchema): readonly string[] | undefined {
  if (field.type === 'array') {
    const { items } = field
    return 'anyOf' in items ? items.anyOf.map((option) => option.const) : items.enum
  }
  if ('oneOf' in field) return field.oneOf.map((option) => option.const)
  return 'enum' in field ? field.enum : undefined
}

function hasFormat(value: string, format: NonNullable<StringSchema['format']>): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(value)
    case 'uri':
      return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(value)
    case 'date':
      return isDate(value)
    case 'date-time':
      return isDateTime(value)
  }
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  // Date.parse accepts the 31st of February in some engines and rolls over.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** RFC 3339, section 5.6: a date, a time and an offset; second 60 is a leap second. */
function isDateTime(value: string): boolean {
  const time = /^[01]\d:[0-5]\d:[0-5]\d|2[0-3]:[0-5]\d:[0-5]\d|(?:[01]\d|2[0-3]):[0-5]\d:60/
  const [date = '', rest = ''] = value.split(/[Tt ]/, 2)
  if (value.length !== date.length + 1 + rest.length || !isDate(date)) return false
  const clock = rest.slice(0, 8)
  return (
    time.test(clock) && /^(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.test(rest.slice(8))
  )
}
