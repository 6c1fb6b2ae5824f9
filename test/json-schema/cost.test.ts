import { describe, expect, it } from 'vitest'
import { checkCost } from '../../src/json-schema/cost.ts'
import { checkJsonSchema } from '../../src/schema/bounds.ts'

function doubling(levels: number): object {
  const $defs: Record<string, object> = { [`d${levels}`]: { type: 'string' } }
  for (let level = 0; level < levels; level += 1) {
    const $ref = `#/$defs/d${level + 1}`
    $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] }
  }
  return { type: 'object', $ref: '#/$defs/d0', $defs }
}

function chain(links: number): object {
  const $defs: Record<string, object> = { [`d${links}`]: {} }
  for (let link = 0; link < links; link += 1) $defs[`d${link}`] = { $ref: `#/$defs/d${link + 1}` }
  return { $defs }
}

function check(schema: object): void {
  checkCost(checkJsonSchema(schema, 'x'), 'x')
}

describe('checkCost', () => {
  it.each([
    ['F75 doubling references', doubling(20), 'to one value'],
    ['a long chain of references', chain(65), 'chains more than 64 references'],
    ['a circle', { $ref: '#' }, 'in a circle'],
    [
      'a longer circle',
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#/$defs/a' } } } },
      'in a circle',
    ],
  ])('refuses %s', (_, schema, message) => {
    expect(() => check(schema)).toThrow(TypeError)
    expect(() => check(schema)).toThrow(message)
  })

  it.each([
    ['a few doublings', doubling(10)],
    ['recursion through an instance', { properties: { next: { $ref: '#' } } }],
  ])('accepts %s', (_, schema) => {
    expect(() => check(schema)).not.toThrow()
  })
})
