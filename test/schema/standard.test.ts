import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isStandardSchema } from '../../src/schema/standard.ts'

describe('isStandardSchema', () => {
  it('SC-05 knows schemas of any library by their shape', () => {
    expect(isStandardSchema(z.string())).toBe(true)
    expect(isStandardSchema(type('string'))).toBe(true)
  })

  it.each([null, undefined, 'x', {}, { '~standard': null }, { '~standard': { validate: 1 } }])(
    'does not take %o for one',
    (value) => {
      expect(isStandardSchema(value)).toBe(false)
    },
  )
})
