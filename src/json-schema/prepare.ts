/**
 * A private copy of a JSON Schema in the form the interpreting validator understands.
 *
 * @module
 */
import type { Schema } from '@cfworker/json-schema'
import { format as formats } from '@cfworker/json-schema'
import type { CheckedSchema } from '../schema/bounds.ts'
import { MAX_UNIQUE_ITEMS } from '../protocol/limits.ts'
import { subschemasOf } from '../schema/json-schema.ts'

/**
 * Copies a checked document for the validator, which annotates what it is given. In the copy, `$dynamicRef` is `$ref`
 * (within a single resource they mean the same), patterns are known to compile, and `uniqueItems`, whose check is
 * quadratic, comes with a bound on the items.
 *
 * @param checked a document that passed `checkJsonSchema`
 * @param subject begins the message
 * @throws {TypeError} if a pattern is not a regular expression.
 */
export function prepareSchema(checked: CheckedSchema, subject: string): Schema {
  const copy: Schema = JSON.parse(JSON.stringify(checked.schema))
  adapt(copy, subject)
  return copy
}

function adapt(schema: unknown, subject: string): void {
  if (typeof schema !== 'object' || schema === null) return
  const keywords = Object.getOwnPropertyDescriptors(schema)
  checkPatterns(keywords, subject)
  adaptDynamic(schema, keywords)
  boundUnique(schema, keywords)
  dropUnknownFormat(schema, keywords)
  for (const child of subschemasOf(schema)) adapt(child.schema, subject)
}

type Keywords = Record<string, PropertyDescriptor>

function checkPatterns(keywords: Keywords, subject: string): void {
  const keys: unknown = keywords['patternProperties']?.value
  const patterns: unknown[] = [keywords['pattern']?.value]
  if (typeof keys === 'object' && keys !== null) patterns.push(...Object.keys(keys))
  for (const pattern of patterns) {
    if (typeof pattern === 'string') compilePattern(pattern, subject)
  }
}

function compilePattern(pattern: string, subject: string): void {
  try {
    new RegExp(pattern, 'u').test('')
  } catch (cause) {
    throw new TypeError(`${subject} has a pattern that is no regular expression: ${pattern}`, {
      cause,
    })
  }
}

function adaptDynamic(schema: object, keywords: Keywords): void {
  const anchor: unknown = keywords['$dynamicAnchor']?.value
  const target: unknown = keywords['$dynamicRef']?.value
  if (anchor !== undefined && keywords['$anchor'] === undefined) set(schema, '$anchor', anchor)
  if (target === undefined) return
  if (keywords['$ref'] === undefined) {
    set(schema, '$ref', target)
    return
  }
  const all: unknown = keywords['allOf']?.value
  set(schema, 'allOf', [...(Array.isArray(all) ? all : []), { $ref: target }])
}

function boundUnique(schema: object, keywords: Keywords): void {
  if (keywords['uniqueItems']?.value !== true) return
  const declared: unknown = keywords['maxItems']?.value
  const most = typeof declared === 'number' ? declared : Number.POSITIVE_INFINITY
  set(schema, 'maxItems', Math.min(most, MAX_UNIQUE_ITEMS))
}

/** An unknown format is an annotation; the validator would look `__proto__` up and call it. */
function dropUnknownFormat(schema: object, keywords: Keywords): void {
  const format: unknown = keywords['format']?.value
  const known = typeof format === 'string' && Object.hasOwn(formats, format)
  if (format !== undefined && !known) Reflect.deleteProperty(schema, 'format')
}

function set(schema: object, keyword: string, value: unknown): void {
  Object.defineProperty(schema, keyword, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
