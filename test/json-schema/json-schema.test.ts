import { describe, expect, it, vi } from 'vitest'
import { compileValidator, jsonSchema } from '../../src/json-schema/index.ts'

function messages(schema: object, value: unknown): readonly string[] {
  return compileValidator(schema)(value).map(
    ({ path, message }) => `${(path ?? []).map(String).join('.')}: ${message}`,
  )
}

describe('compileValidator', () => {
  it('FT-02 names every problem, not only the first', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { items: { type: 'number' } } },
      required: ['c'],
      additionalProperties: false,
    }
    const found = messages(schema, { a: 1, b: [1, 'x'], 'd/e%': 1 })
    expect(found).toHaveLength(4)
    expect(found.map((text) => text.split(':')[0])).toEqual(['', 'a', 'b.1', 'd/e%'])
    expect(found[3]).toBe('d/e%: is not allowed')
    expect(messages({ ...schema, required: ['a'] }, { a: '' })).toEqual([])
  })

  it('FT-16 reads a draft-07 tuple as draft-07', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const tuple = { $schema, items: [{ type: 'string' }], additionalItems: false }
    expect(messages(tuple, ['a'])).toEqual([])
    expect(messages(tuple, [1])).not.toEqual([])
    expect(messages(tuple, ['a', 1])).not.toEqual([])
    const sibling = {
      $schema,
      properties: { a: { $ref: '#/definitions/s', maxLength: 1 } },
      definitions: { s: { type: 'string' } },
    }
    expect(messages(sibling, { a: 'long' })).toEqual([])
    expect(messages({ ...sibling, $schema: undefined }, { a: 'long' })).not.toEqual([])
  })

  it('reads $dynamicRef and recursion', () => {
    const tree = {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } },
      additionalProperties: false,
    }
    expect(messages(tree, { kids: [{ kids: [] }] })).toEqual([])
    expect(messages(tree, { kids: [{ kid: [] }] })).not.toEqual([])
    const both = {
      items: { $ref: '#/$defs/a', $dynamicRef: '#b' },
      $defs: { a: { minimum: 1 }, b: { $dynamicAnchor: 'b', maximum: 2 } },
    }
    expect(messages(both, [1])).toEqual([])
    expect(messages(both, [0])).not.toEqual([])
    expect(messages(both, [3])).not.toEqual([])
  })

  it('FT-13 SC-09 never fetches', () => {
    const spy = vi.spyOn(globalThis, 'fetch')
    const remote = { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/x' } } }
    expect(() => compileValidator(remote)).toThrow(TypeError)
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })

  it.each([
    ['a pattern that is none', { pattern: '(' }, 'no regular expression'],
    ['a pattern key that is none', { patternProperties: { '(': {} } }, 'no regular expression'],
    ['an $id that is no URI', { $id: 'http://[' }, '$id'],
    ['doubled identifiers', { $defs: { a: { $id: 'x:y' }, b: { $id: 'x:y' } } }, '$id'],
  ])('refuses %s', (_, schema, message) => {
    expect(() => compileValidator(schema, 'mine')).toThrow(TypeError)
    expect(() => compileValidator(schema, 'mine')).toThrow(message)
  })

  it('bounds the quadratic check of unique items', () => {
    const unique = compileValidator({ uniqueItems: true })
    expect(unique([1, 2])).toEqual([])
    expect(unique([1, 1])).toHaveLength(1)
    const started = performance.now()
    expect(unique(Array.from({ length: 2_000 }, (_, index) => index))).toEqual([])
    expect(unique(Array.from({ length: 2_001 }, (_, index) => index))).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('refuses what it cannot check', () => {
    expect(compileValidator({})(undefined)).toEqual([{ message: 'is missing' }])
    const lone = compileValidator({ additionalProperties: { type: 'string' } })
    expect(lone({ '\ud800': 'x' })).toHaveLength(1)
  })

  it('SC-07 treats prototype names as data', () => {
    const schema = {
      required: ['toString', 'constructor'],
      additionalProperties: { type: 'string' },
    }
    expect(messages(schema, {})).toHaveLength(2)
    expect(messages(schema, { toString: 'a', constructor: 'b' })).toEqual([])
    expect(messages({ format: '__proto__' }, 'x')).toEqual([])
  })

  it('works where code generation is forbidden', () => {
    const spy = vi.spyOn(globalThis, 'Function')
    compileValidator({ type: 'object' })({})
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })
})

describe('jsonSchema', () => {
  it('copies what it is given, frozen or not, and never changes it', () => {
    const schema = Object.freeze({
      type: 'object' as const,
      properties: Object.freeze({ a: Object.freeze({ $ref: '#/$defs/a' }) }),
      $defs: { a: {} },
    })
    const standard = jsonSchema(schema)['~standard']
    expect(standard.jsonSchema.input({ target: 'draft-2020-12' })).toEqual(schema)
    expect(standard.jsonSchema.output({ target: 'draft-07' })).toEqual(schema)
    expect(Reflect.ownKeys(schema.properties.a)).toEqual(['$ref'])
  })

  it('passes values unchanged', () => {
    const { validate } = jsonSchema({ type: 'object', properties: { a: { default: 1 } } })[
      '~standard'
    ]
    const value = {}
    expect(validate(value)).toEqual({ value: {} })
    const passed = validate(value)
    expect('value' in passed && passed.value).toBe(value)
    expect(validate('x')).toHaveProperty('issues.length', 1)
  })

  it('takes what zod generates', async () => {
    const z = await import('zod')
    const generated = z.toJSONSchema(z.object({ a: z.string() }))
    const { validate } = jsonSchema(generated as { type: 'object' })['~standard']
    expect(validate({ a: 1 })).toHaveProperty('issues.length', 1)
  })
})
