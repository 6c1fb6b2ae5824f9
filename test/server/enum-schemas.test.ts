import { describe, expect, it } from 'vitest'
import {
  legacyTitledSelect,
  multiSelect,
  singleSelect,
  titledMultiSelect,
  titledSingleSelect,
} from '../../src/server/enum-schemas.ts'

describe('enum builders', () => {
  it('F126 builds the five kinds', () => {
    expect(singleSelect(['a'])).toEqual({ type: 'string', enum: ['a'] })
    expect(multiSelect(['a'], { minItems: 1, maxItems: 2 })).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['a'] },
      minItems: 1,
      maxItems: 2,
    })
    const options = [{ const: 'a', title: 'A' }]
    expect(titledSingleSelect({ a: 'A' })).toEqual({ type: 'string', oneOf: options })
    expect(titledMultiSelect({ a: 'A' })).toEqual({ type: 'array', items: { anyOf: options } })
    expect(legacyTitledSelect({ a: 'A' })).toEqual({
      type: 'string',
      enum: ['a'],
      enumNames: ['A'],
    })
  })

  it('F125 keeps labels and empty defaults', () => {
    const labels = { title: 'T', description: 'D' }
    expect(singleSelect(['a'], { ...labels, default: '' })).toMatchObject({
      ...labels,
      default: '',
    })
    expect(multiSelect(['a'], { ...labels, default: [] })).toMatchObject({ ...labels, default: [] })
    expect(titledSingleSelect({ a: 'A' }, { default: '' })).toHaveProperty('default', '')
    expect(titledMultiSelect({ a: 'A' }, { default: [] })).toHaveProperty('default', [])
    expect(legacyTitledSelect({ a: 'A' }, { default: '' })).toHaveProperty('default', '')
  })
})
