import { describe, expect, it } from 'vitest'
import { checkJsonSchema, checkObjectRoot } from '../../src/schema/bounds.ts'

const subject = "tool 'x': input schema"

function nested(levels: number): object {
  let schema: object = { type: 'string' }
  for (let level = 1; level < levels; level += 1) schema = { properties: { a: schema } }
  return schema
}

describe('checkJsonSchema', () => {
  it.each([
    ['no schema', null, 'must be a JSON Schema object'],
    ['a list', [], 'must be a JSON Schema object'],
    ['FT-15 depth 65', nested(65), 'nests more than 64 levels'],
    ['SC-09 F75 anyOf nested 2000 deep', nested(2_000), 'nests more than 64 levels'],
    ['FT-15 10 001 subschemas', { anyOf: Array.from({ length: 10_001 }, () => ({})) }, 'more than'],
    [
      'FT-13 SC-09 F76 a network reference',
      { properties: { a: { $ref: 'http://169.254.169.254/' } } },
      'refers to "http://169.254.169.254/" at #/properties/a',
    ],
    ['SC-09 a file reference', { $ref: 'file:///etc/passwd' }, 'within the same document'],
    ['FT-14 a relative reference', { $ref: 'other.json' }, 'within the same document'],
    ['FT-14 a dangling pointer', { $ref: '#/$defs/nope' }, 'does not exist'],
    ['FT-14 a dangling anchor', { $ref: '#nope' }, 'does not exist'],
    ['FT-14 a reference to a prototype member', { $ref: '#/constructor' }, 'does not exist'],
    ['a reference with a bad encoding', { $ref: '#/%zz' }, 'does not exist'],
    ['a reference that is no string', { $ref: 5 }, 'refers to 5'],
    ['a reference to data', { $ref: '#/title', title: 'x' }, 'does not exist'],
    [
      'SC-09 FT-16 a foreign dialect',
      { $schema: 'https://example.com/custom' },
      'declares $schema',
    ],
    [
      'FT-16 draft 2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema' },
      'use 2020',
    ],
    ['FT-16 a dialect that is no string', { $schema: 7 }, 'declares $schema 7'],
    ['$recursiveRef', { items: { $recursiveRef: '#' } }, 'use $dynamicRef'],
    ['a keyword that holds no schema', { properties: { a: 5 } }, 'no schema at #/properties/a'],
    ['a keyword that should be a map', { properties: 5 }, 'no schema at #/properties'],
    ['a function', { default: () => 1 }, 'a function, which is not JSON'],
    ['a bigint', { const: 1n }, 'a bigint, which is not JSON'],
    ['a library schema inside', { properties: { a: { '~standard': {} } } }, 'of a library'],
    [
      'a dynamic reference across resources',
      { properties: { a: { $id: 'b', $dynamicRef: '#' } } },
      'across embedded $id',
    ],
    [
      'a second dialect inside',
      { properties: { a: { $id: 'b', $schema: 'http://json-schema.org/draft-07/schema#' } } },
      'changes its dialect',
    ],
  ])('refuses %s', (_, schema, message) => {
    expect(() => checkJsonSchema(schema, subject)).toThrow(TypeError)
    expect(() => checkJsonSchema(schema, subject)).toThrow(message)
    expect(() => checkJsonSchema(schema, subject)).toThrow(subject)
  })

  it.each([
    ['64 levels', nested(64)],
    ['a pointer', { properties: { a: { $ref: '#/$defs/a~1b' } }, $defs: { 'a/b': true } }],
    ['a percent-encoded pointer', { items: { $ref: '#/$defs/a%20b' }, $defs: { 'a b': {} } }],
    ['an anchor', { items: { $ref: '#a' }, $defs: { x: { $anchor: 'a' } } }],
    [
      'an anchor in an $id of draft-07',
      { items: { $ref: '#a' }, definitions: { x: { $id: '#a' } } },
    ],
    ['a dynamic anchor', { $dynamicAnchor: 'n', properties: { a: { $dynamicRef: '#n' } } }],
    ['recursion through an instance', { properties: { next: { $ref: '#' } } }],
    ['a target under an unknown keyword', { items: { $ref: '#/x-types/a' }, 'x-types': { a: {} } }],
    [
      'an embedded resource',
      { $defs: { a: { $id: 'b', items: { $ref: '#/$defs/c' }, $defs: { c: {} } } } },
    ],
    ['draft-07 dependencies', { dependencies: { a: ['b'], c: { required: ['d'] } } }],
    ['a long enum', { enum: Array.from({ length: 20_000 }, (_, index) => index) }],
  ])('accepts %s', (_, schema) => {
    expect(checkJsonSchema(schema, subject).schema).toBe(schema)
  })

  it.each([
    [undefined, '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['http://json-schema.org/draft-07/schema#', 'draft-07'],
    ['https://json-schema.org/draft-07/schema', 'draft-07'],
  ])('FT-16 honours $schema %s', ($schema, dialect) => {
    expect(checkJsonSchema($schema === undefined ? {} : { $schema }, subject).dialect).toBe(dialect)
  })

  it('SC-07 walks prototype names like any other', () => {
    const schema: unknown = JSON.parse('{"properties":{"__proto__":{"$ref":"http://evil"}}}')
    expect(() => checkJsonSchema(schema, subject)).toThrow('at #/properties/__proto__')
    const good: unknown = JSON.parse(
      '{"properties":{"a":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{}}}',
    )
    expect(() => checkJsonSchema(good, subject)).not.toThrow()
  })
})

describe('checkObjectRoot', () => {
  it.each([
    [{ type: 'string' }, '"string"'],
    [{ type: ['object', 'null'] }, '["object","null"]'],
    [{}, 'an untyped one'],
  ])('FT-11 refuses %o', (schema, shown) => {
    expect(() => checkObjectRoot(schema, subject)).toThrow(TypeError)
    expect(() => checkObjectRoot(schema, subject)).toThrow(shown)
  })

  it('FT-11 accepts an object', () => {
    expect(() => checkObjectRoot({ type: 'object' }, subject)).not.toThrow()
  })
})
