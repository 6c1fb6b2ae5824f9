/**
 * What validating one value by interpretation may cost.
 *
 * @module
 */
import type { CheckedSchema } from '../schema/bounds.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from '../protocol/limits.ts'

/**
 * Refuses a document that could cost too much: `a: allOf [b, b]`, `b: allOf [c, c]` … doubles at every step.
 *
 * @param checked a document that passed `checkJsonSchema`
 * @param subject begins the message of an error
 * @throws {TypeError} if it refers to itself in a circle, or applies too many subschemas to one value.
 */
export function checkCost({ inPlace }: CheckedSchema, subject: string): void {
  const state: Measuring = { subject, inPlace, costs: new Map(), open: new Set() }
  for (const schema of inPlace.keys()) measure(state, schema)
}

interface Measuring {
  readonly subject: string
  readonly inPlace: CheckedSchema['inPlace']
  readonly costs: Map<JsonSchema, number>
  readonly open: Set<JsonSchema>
}

function measure(state: Measuring, schema: JsonSchema): number {
  const { subject, inPlace, costs, open } = state
  const known = costs.get(schema)
  if (known !== undefined) return known
  if (open.has(schema)) throw new TypeError(`${subject} refers to itself in a circle`)
  if (open.size >= MAX_SCHEMA_DEPTH) {
    throw new TypeError(`${subject} chains more than ${MAX_SCHEMA_DEPTH} references`)
  }
  open.add(schema)
  let cost = 1
  for (const next of inPlace.get(schema) ?? []) cost += measure(state, next)
  open.delete(schema)
  if (cost > MAX_SUBSCHEMAS) {
    throw new TypeError(`${subject} applies more than ${MAX_SUBSCHEMAS} subschemas to one value`)
  }
  costs.set(schema, cost)
  return cost
}
