/**
 * Validation of plain JSON Schema by interpretation: no `eval`, so it runs on every edge.
 *
 * @module
 */
import type { OutputUnit, Schema } from '@cfworker/json-schema'
import type { CheckedSchema } from '../schema/bounds.ts'
import type { Issue } from '../schema/standard.ts'
import { dereference, validate } from '@cfworker/json-schema'
import { checkJsonSchema } from '../schema/bounds.ts'
import { subschemasOf } from '../schema/json-schema.ts'
import { checkCost } from './cost.ts'
import { prepareSchema } from './prepare.ts'

/**
 * Finds what is wrong with a value; nothing is wrong when the list is empty.
 *
 * @param value a JSON value
 */
export type JsonValidator = (value: unknown) => readonly Issue[]

/**
 * Compiles a validator of JSON values. The dialect is the one that `$schema` declares, 2020-12 without; nothing is
 * ever fetched.
 *
 * @param schema a JSON Schema document
 * @param subject begins the message of an error
 * @throws {TypeError} if the document breaks the bounds of definitions, see `checkJsonSchema`.
 */
export function compileValidator(schema: unknown, subject = 'JSON Schema'): JsonValidator {
  return validatorOf(checkJsonSchema(schema, subject), subject)
}

/**
 * Compiles a validator of a document that has been checked.
 *
 * @param checked the document
 * @param subject begins the message of an error
 * @throws {TypeError} if a pattern or an identifier in it is invalid, or one value could cost too much.
 */
export function validatorOf(checked: CheckedSchema, subject: string): JsonValidator {
  checkCost(checked, subject)
  const schema = prepareSchema(checked, subject)
  const draft = checked.dialect === 'draft-07' ? '7' : '2020-12'
  const lookup = lookupOf(schema, subject)
  assertResolved(schema, lookup, subject)
  return (value) => {
    if (value === undefined) return [{ message: 'is missing' }]
    try {
      const { valid, errors } = validate(value, schema, draft, lookup, false)
      return valid ? [] : toIssues(errors)
    } catch {
      // A key with a lone surrogate, or a value too deep for the stack: what cannot be checked does not pass.
      return [{ message: 'cannot be checked' }]
    }
  }
}

type Lookup = Readonly<Record<string, Schema | boolean>>

function lookupOf(schema: Schema, subject: string): Record<string, Schema | boolean> {
  try {
    return dereference(schema)
  } catch (cause) {
    throw new TypeError(`${subject} has an invalid or doubled $id`, { cause })
  }
}

/** The validator resolves by URI where our check resolves by pointer; where they differ we refuse here, not per call. */
function assertResolved(schema: unknown, lookup: Lookup, subject: string): void {
  if (typeof schema !== 'object' || schema === null) return
  const target: unknown = Object.getOwnPropertyDescriptor(schema, '$ref')?.value
  const resolved: unknown = Object.getOwnPropertyDescriptor(schema, '__absolute_ref__')?.value
  if (target !== undefined && (typeof resolved !== 'string' || lookup[resolved] === undefined)) {
    throw new TypeError(`${subject} refers to ${JSON.stringify(target)}, which is not a schema`)
  }
  for (const child of subschemasOf(schema)) assertResolved(child.schema, lookup, subject)
}

/** Keywords whose error only says that a deeper one follows. */
const WRAPPERS: readonly string[] = [
  '$ref',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'dependencies',
  'dependentSchemas',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'unevaluatedItems',
  'unevaluatedProperties',
]

function toIssues(errors: readonly OutputUnit[]): Issue[] {
  const leaves = errors.filter(({ keyword }) => !WRAPPERS.includes(keyword))
  return (leaves.length > 0 ? leaves : errors).map(toIssue)
}

function toIssue({ keyword, error, instanceLocation }: OutputUnit): Issue {
  const message = keyword === 'false' ? 'is not allowed' : error
  return { message, path: pathOf(instanceLocation) }
}

/** Turns `#/a/0/b~1c` into keys; the validator writes `~` and `/` escaped, and percent-encodes. */
function pathOf(location: string): (string | number)[] {
  if (location === '#') return []
  return location.slice(2).split('/').map(keyOf)
}

function keyOf(token: string): string | number {
  const key = decodeSafely(token).replaceAll('~1', '/').replaceAll('~0', '~')
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key
}

function decodeSafely(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    // A lone surrogate in a key; the raw token names it well enough.
    return token
  }
}
