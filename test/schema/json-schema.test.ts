import { describe, expect, it } from 'vitest'
import {
  dialectOf,
  isSchema,
  resolvePointer,
  shapeOf,
  subschemasOf,
} from '../../src/schema/json-schema.ts'

describe('JSON Schema documents', () => {
  it('FT-16 knows two dialects', () => {
    expect(dialectOf(undefined)).toBe('2020-12')
    expect(dialectOf('http://json-schema.org/draft-07/schema#')).toBe('draft-07')
    expect(dialectOf('http://json-schema.org/draft-04/schema#')).toBeUndefined()
  })

  it('finds the subschemas of every kind of keyword', () => {
    const found = subschemasOf({
      properties: { a: true },
      items: [{}, {}],
      anyOf: [{}],
      not: {},
      dependencies: { b: ['c'], d: {} },
      default: { properties: {} },
      if: 5,
    })
    expect(found.map(({ path }) => path.join('/'))).toEqual([
      'properties/a',
      'items/0',
      'items/1',
      'anyOf/0',
      'not',
      'dependencies/d',
      'if',
    ])
    expect(isSchema(found.at(-1)?.schema)).toBe(false)
  })

  it('SC-07 has no keywords from prototypes', () => {
    expect(shapeOf('constructor')).toBeUndefined()
    expect(shapeOf('__proto__')).toBeUndefined()
  })

  it('follows pointers by own properties', () => {
    const document = { 'a/b': [{ 'c~d': 1 }] }
    expect(resolvePointer(document, '')).toBe(document)
    expect(resolvePointer(document, '/a~1b/0/c~0d')).toBe(1)
    expect(resolvePointer(document, '/constructor')).toBeUndefined()
    expect(resolvePointer(document, '/a~1b/0/c~0d/e')).toBeUndefined()
    expect(resolvePointer(document, 'a')).toBeUndefined()
  })
})
