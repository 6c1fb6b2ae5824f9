import { expect, test } from 'vitest'
import { hasStrings, numberOf, stringOf, stringsOf } from '../../src/oauth/fields.ts'

test.each([
  ['a', 'a'],
  ['', undefined],
  [null, undefined],
  [7, undefined],
  [['a'], undefined],
  [undefined, undefined],
])('%j as text is %j', (value, text) => {
  expect(stringOf({ value }, 'value')).toBe(text)
})

test.each([
  [
    ['a', '', null, 7, 'b'],
    ['a', 'b'],
  ],
  [[], []],
  ['a b', undefined],
  [{ 0: 'a' }, undefined],
  [null, undefined],
])('%j as a list is %j', (value, list) => {
  expect(stringsOf({ value }, 'value')).toEqual(list)
})

test.each([
  [3600, 3600],
  [0, 0],
  ['3600', 3600],
  ['', undefined],
  [' 1', undefined],
  ['1e3', undefined],
  ['-1', undefined],
  ['9'.repeat(400), undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [Number.NaN, undefined],
  [true, undefined],
  [null, undefined],
])('%j as a number is %j', (value, number) => {
  expect(numberOf({ value }, 'value')).toBe(number)
})

test('strings are all there or not', () => {
  expect(hasStrings({ a: '', b: 'x', c: 1 }, ['a', 'b'])).toBe(true)
  expect(hasStrings({ a: '', b: 'x', c: 1 }, ['a', 'c'])).toBe(false)
  expect(hasStrings({ a: '' }, ['a', 'b'])).toBe(false)
  expect(hasStrings({}, [])).toBe(true)
})
