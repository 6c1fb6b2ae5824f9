import { expect, test } from 'vitest'
import {
  checkHandler,
  checkName,
  commonMembers,
  isRecommendedName,
} from '../../../src/server/features/list-entry.ts'

test('common members use the words of the wire', () => {
  expect(commonMembers({ title: 'T', icons: [], meta: { a: 1 } })).toEqual({
    title: 'T',
    _meta: { a: 1 },
  })
})

test('names and handlers that cannot be are TypeErrors', () => {
  for (const name of ['', 5, undefined]) expect(() => checkName('tool', name)).toThrow(TypeError)
  for (const handler of [undefined, {}, 'x'])
    expect(() => checkHandler('tool', handler)).toThrow(TypeError)
  checkName('tool', 'x')
  checkHandler('tool', () => 'x')
})

test('the recommendation is 1 to 128 plain characters', () => {
  expect(['a.b-c_D9', 'x'.repeat(128)].every(isRecommendedName)).toBe(true)
  expect(['a b', 'é', 'x'.repeat(129), ''].some(isRecommendedName)).toBe(false)
})
