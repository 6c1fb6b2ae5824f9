/**
 * One field of an elicitation form, projected from JSON Schema.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import type {
  BooleanSchema,
  EnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  StringSchema,
  TitledOption,
} from '../protocol/elicitation.ts'
import type { JsonSchema } from './json-schema.ts'
import { isSchemaObject } from './json-schema.ts'

/** Where a field stands. */
export interface FieldPlace {
  /** Begins every message and names the property. */
  readonly subject: string
  /** The form was written by hand, so what it says beyond the subset would be lost without a trace. */
  readonly raw: boolean
}

/** Constraints the subset has no words for. */
const UNSUPPORTED: readonly string[] = [
  '$ref',
  'allOf',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'if',
  'multipleOf',
  'not',
  'pattern',
  'properties',
]

/**
 * Projects one property to the field a client can show.
 *
 * @param schema the property's schema
 * @throws {TypeError} if it is none of string, number, integer, boolean and the five kinds of choice.
 */
export function projectField(schema: unknown, place: FieldPlace): PrimitiveSchemaDefinition {
  if (!isSchemaObject(schema)) throw unfit(place)
  if (place.raw) refuseUnsupported(schema, place)
  const choice = projectChoice(schema, place)
  if (choice !== undefined) return choice
  switch (schema.type) {
    case 'string':
      return projectString(schema, place)
    case 'number':
    case 'integer':
      return projectNumber(schema, schema.type, place)
    case 'boolean':
      return projectBoolean(schema, place)
    case undefined:
    default:
      throw unfit(place)
  }
}

function unfit({ subject }: FieldPlace): TypeError {
  return new TypeError(
    `${subject} must be a string, number, boolean or choice; forms are flat and hold nothing else`,
  )
}

function refuseUnsupported(schema: JsonSchema, { subject }: FieldPlace): void {
  const keyword = UNSUPPORTED.find((name) => Object.hasOwn(schema, name))
  if (keyword !== undefined) throw new TypeError(`${subject} uses ${keyword}, which forms lack`)
}

function projectString(schema: JsonSchema, place: FieldPlace): StringSchema {
  const format = schema['format']
  const known = isFormat(format)
  if (place.raw && format !== undefined && !known) {
    throw new TypeError(
      `${place.subject} has the format ${JSON.stringify(format)}; forms know email, uri, date and date-time`,
    )
  }
  return {
    type: 'string',
    ...labelsOf(schema),
    minLength: memberOf(schema, 'minLength', isNumber),
    maxLength: memberOf(schema, 'maxLength', isNumber),
    format: known ? format : undefined,
    default: defaultOf(schema, isString, place),
  }
}

function isFormat(value: unknown): value is NonNullable<StringSchema['format']> {
  return value === 'email' || value === 'uri' || value === 'date' || value === 'date-time'
}

function projectNumber(
  schema: JsonSchema,
  type: 'number' | 'integer',
  place: FieldPlace,
): NumberSchema {
  const minimum = memberOf(schema, 'minimum', isNumber)
  const maximum = memberOf(schema, 'maximum', isNumber)
  return {
    type,
    ...labelsOf(schema),
    // Libraries write the safe-integer range out; to a person it is noise.
    minimum: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    default: defaultOf(schema, isNumber, place),
  }
}

function projectBoolean(schema: JsonSchema, place: FieldPlace): BooleanSchema {
  return { type: 'boolean', ...labelsOf(schema), default: defaultOf(schema, isBoolean, place) }
}

function projectChoice(schema: JsonSchema, place: FieldPlace): EnumSchema | undefined {
  if (schema.type === 'array') return projectMultiSelect(schema, place)
  const choice = optionsOf(schema)
  if (choice === undefined) return undefined
  const shared = { ...labelsOf(schema), default: defaultOf(schema, isString, place) }
  if (choice.titled !== undefined) return { type: 'string', oneOf: choice.titled, ...shared }
  const enumNames = memberOf(schema, 'enumNames', isStrings)
  return { type: 'string', enum: choice.values, enumNames, ...shared }
}

function projectMultiSelect(schema: JsonSchema, place: FieldPlace): EnumSchema {
  const choice = optionsOf(schema['items'])
  if (choice === undefined) throw unfit(place)
  const shared = {
    ...labelsOf(schema),
    minItems: memberOf(schema, 'minItems', isNumber),
    maxItems: memberOf(schema, 'maxItems', isNumber),
    default: defaultOf(schema, isStrings, place),
  }
  if (choice.titled !== undefined) {
    return { type: 'array', items: { anyOf: choice.titled }, ...shared }
  }
  return { type: 'array', items: { type: 'string', enum: choice.values }, ...shared }
}

interface Choice {
  readonly values: readonly string[]
  readonly titled?: readonly TitledOption[] | undefined
}

/** Reads every way to write a choice of strings: `enum`, `const`, and constants under `oneOf` or `anyOf`. */
function optionsOf(schema: unknown): Choice | undefined {
  if (!isSchemaObject(schema)) return undefined
  if (schema.type !== undefined && schema.type !== 'string') return undefined
  if (isStrings(schema['enum'])) return { values: schema['enum'] }
  if (isString(schema['const'])) return { values: [schema['const']] }
  const branches = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const options = branches.flatMap(optionOf)
  if (options.length !== branches.length) return undefined
  const values = options.map((option) => option.const)
  if (options.every((option) => option.title === undefined)) return { values }
  return { values, titled: options.map((each) => ({ ...each, title: each.title ?? each.const })) }
}

function optionOf(branch: unknown): { const: string; title: string | undefined }[] {
  if (!isSchemaObject(branch)) return []
  const value = memberOf(branch, 'const', isString)
  return value === undefined ? [] : [{ const: value, title: memberOf(branch, 'title', isString) }]
}

function labelsOf(schema: JsonSchema): Pick<StringSchema, 'title' | 'description'> {
  return {
    title: memberOf(schema, 'title', isString),
    description: memberOf(schema, 'description', isString),
  }
}

function memberOf<Value>(
  schema: JsonSchema,
  name: string,
  fits: (value: unknown) => value is Value,
): Value | undefined {
  const value = schema[name]
  return fits(value) ? value : undefined
}

function defaultOf<Value>(
  schema: JsonSchema,
  fits: (value: unknown) => value is Value,
  { subject }: FieldPlace,
): Value | undefined {
  const value = schema['default']
  if (value === undefined || fits(value)) return value
  throw new TypeError(`${subject} has a default of the wrong type`)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString)
}
