import { describe, expect, it } from 'vitest'
import type { PrimitiveSchemaDefinition } from '../../src/protocol/elicitation.ts'
import { validateFormContent } from '../../src/schema/form-content.ts'
import {
  legacyTitledSelect,
  multiSelect,
  singleSelect,
  titledMultiSelect,
  titledSingleSelect,
} from '../../src/server/enum-schemas.ts'

function problem(field: PrimitiveSchemaDefinition, value: unknown): string | undefined {
  const form = { type: 'object' as const, properties: { a: field }, required: ['a'] }
  return validateFormContent(form, { a: value })[0]?.message
}

describe('validateFormContent', () => {
  it.each<[PrimitiveSchemaDefinition, unknown]>([
    [{ type: 'string' }, ''],
    [{ type: 'string', maxLength: 2 }, '👍👍'],
    [{ type: 'string', format: 'email' }, 'a@b.example'],
    [{ type: 'string', format: 'email' }, 'root@localhost'],
    [{ type: 'string', format: 'uri' }, 'mailto:a@b'],
    [{ type: 'string', format: 'date' }, '2024-02-29'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T23:59:60.5+01:00'],
    [{ type: 'number' }, 1.5],
    [{ type: 'integer' }, 2],
    [{ type: 'number', minimum: 1, maximum: 1 }, 1],
    [{ type: 'boolean' }, false],
    [singleSelect(['x']), 'x'],
    [titledSingleSelect({ x: 'X' }), 'x'],
    [legacyTitledSelect({ x: 'X' }), 'x'],
    [multiSelect(['x', 'y'], { minItems: 1 }), ['y']],
    [titledMultiSelect({ x: 'X' }), []],
  ])('EL-03 EL-05 EL-06 accepts %o with %o', (field, value) => {
    expect(problem(field, value)).toBeUndefined()
  })

  it.each<[PrimitiveSchemaDefinition, unknown, string]>([
    [{ type: 'string' }, 1, 'string'],
    [{ type: 'string', minLength: 2 }, '👍', 'at least 2'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'at most 1'],
    [{ type: 'string', format: 'email' }, 'a@', 'email'],
    [{ type: 'string', format: 'uri' }, 'no uri', 'uri'],
    [{ type: 'string', format: 'date' }, '2024-02-30', 'date'],
    [{ type: 'string', format: 'date' }, '2024-2-3', 'date'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29', 'date-time'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T24:00:00Z', 'date-time'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T10:00:00', 'date-time'],
    [{ type: 'number' }, '1', 'number'],
    [{ type: 'number' }, Number.NaN, 'number'],
    [{ type: 'integer' }, 1.5, 'integer'],
    [{ type: 'number', minimum: 1 }, 0, 'at least 1'],
    [{ type: 'number', maximum: 1 }, 2, 'at most 1'],
    [{ type: 'boolean' }, 'true', 'true or false'],
    [singleSelect(['x']), 'X', 'one of "x"'],
    [titledSingleSelect({ x: 'X' }), 'X', 'one of "x"'],
    [legacyTitledSelect({ x: 'X' }), 'X', 'one of "x"'],
    [multiSelect(['x']), 'x', 'list'],
    [multiSelect(['x']), ['y'], 'one of "x"'],
    [multiSelect(['x'], { minItems: 1 }), [], 'at least 1'],
    [titledMultiSelect({ x: 'X' }, { maxItems: 1 }), ['x', 'x'], 'at most 1'],
  ])('EL-03 EL-05 refuses %o with %o', (field, value, message) => {
    expect(problem(field, value)).toContain(message)
  })

  it('EL-05 names every problem, and ignores members the form lacks', () => {
    const form = {
      type: 'object' as const,
      properties: { a: { type: 'string' as const }, b: { type: 'boolean' as const } },
      required: ['a', 'toString'],
    }
    expect(validateFormContent(form, { b: 1, c: {} })).toEqual([
      { message: 'is required', path: ['a'] },
      { message: 'is required', path: ['toString'] },
      { message: 'must be true or false', path: ['b'] },
    ])
    expect(validateFormContent(form, [])).toEqual([{ message: 'must be an object' }])
  })
})
