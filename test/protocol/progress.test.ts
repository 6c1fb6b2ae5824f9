import { expect, test } from 'vitest'
import { isProgressToken } from '../../src/protocol/progress.ts'

test('a progress token is a string or an integer', () => {
  expect(['', 'a', 0, -3].every(isProgressToken)).toBe(true)
  expect([1.5, null, {}, true, undefined].some(isProgressToken)).toBe(false)
})
