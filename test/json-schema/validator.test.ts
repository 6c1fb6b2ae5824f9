import { describe, expect, it } from 'vitest'
import { compileValidator } from '../../src/json-schema/validator.ts'

describe('compileValidator', () => {
  it('reports paths as keys', () => {
    const validate = compileValidator({ properties: { 'a/b~c %': { items: { type: 'string' } } } })
    expect(validate({ 'a/b~c %': ['x', 1] })).toEqual([
      { message: expect.stringContaining('Expected "string"'), path: ['a/b~c %', 1] },
    ])
  })

  it('FT-14 refuses a reference that the validator could not follow', () => {
    const schema = { items: { $ref: '#/default' }, default: { type: 'string' } }
    expect(() => compileValidator(schema, 'mine')).toThrow('mine refers to "#/default"')
  })

  it('validates a root of any kind', () => {
    expect(compileValidator({ type: 'array' })([])).toEqual([])
    expect(compileValidator({ const: null })(null)).toEqual([])
    expect(compileValidator({ not: {} })(false)).toHaveLength(1)
  })
})
