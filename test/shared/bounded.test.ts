import { expect, test } from 'vitest'
import { setBounded } from '../../src/shared/bounded.ts'

test('the oldest entry makes room, and what is set again is the newest', () => {
  const map = new Map<string | undefined, number>()
  setBounded(map, [undefined, 0], 2)
  setBounded(map, ['a', 1], 2)
  setBounded(map, [undefined, 2], 2)
  setBounded(map, ['b', 3], 2)
  expect([...map]).toEqual([
    [undefined, 2],
    ['b', 3],
  ])
})
