import { expect, test } from 'vitest'
import { limitOf } from '../../src/shared/limits-options.ts'

test.each([
  [undefined, 7],
  [null, Infinity],
  [1, 1],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])('a limit of %s is %s', (value, expected) => {
  expect(limitOf('limits.requestBytes', value, 7)).toBe(expected)
})

test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])(
  '%s is no limit, and the message names the option',
  (value) => {
    expect(() => limitOf('limits.requestBytes', value, 7)).toThrow(/^limits\.requestBytes must be/)
  },
)
