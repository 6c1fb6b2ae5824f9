import { expect, test } from 'vitest'
import { isImplementation } from '../../src/protocol/implementation.ts'

test.each([
  [{ name: 'a', version: '1' }, true],
  [{ name: 'a', version: '1', title: 'A', more: 1 }, true],
  [{ name: 'a' }, false],
  [{ name: 1, version: '1' }, false],
  [{ name: 'a', version: 1 }, false],
  [['a', '1'], false],
  [null, false],
])('an implementation has a name and a version: %j', (value, expected) => {
  expect(isImplementation(value)).toBe(expected)
})
