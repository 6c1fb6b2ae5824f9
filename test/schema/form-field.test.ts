import { describe, expect, it } from 'vitest'
import { projectField } from '../../src/schema/form-field.ts'

const place = { subject: "property 'a'", raw: false }

describe('projectField', () => {
  it.each([
    [{ type: 'string', exclusiveMinimum: 1, pattern: 'x' }, { type: 'string' }],
    [{ enum: ['a'] }, { type: 'string', enum: ['a'] }],
    [
      { type: 'string', enum: ['a'], enumNames: ['A'] },
      { type: 'string', enum: ['a'], enumNames: ['A'] },
    ],
    [
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 5 },
      { type: 'integer', maximum: 5 },
    ],
    [
      { type: 'number', default: 1.5 },
      { type: 'number', default: 1.5 },
    ],
  ])('EL-02 EL-06 reads %o', (schema, field) => {
    expect(projectField(schema, place)).toEqual(field)
  })

  it('EL-02 refuses what no field can show', () => {
    expect(() => projectField({ type: 'null' }, place)).toThrow("property 'a' must be")
    expect(() => projectField({ type: 'string', not: {} }, { ...place, raw: true })).toThrow(
      'uses not',
    )
  })
})
