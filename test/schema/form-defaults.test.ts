import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../../src/schema/form-defaults.ts'

describe('defaultsOf', () => {
  const form = {
    type: 'object' as const,
    properties: {
      a: { type: 'string' as const, default: '' },
      b: { type: 'number' as const, default: 0 },
      c: { type: 'boolean' as const, default: false },
      d: { type: 'string' as const },
    },
  }

  it('EL-04 fills in what is declared, falsy values included', () => {
    expect(defaultsOf(form)).toEqual({ a: '', b: 0, c: false })
  })

  it('EL-04 lets given values win', () => {
    expect(defaultsOf(form, { a: 'x', d: 'y' })).toEqual({ a: 'x', b: 0, c: false, d: 'y' })
  })
})
