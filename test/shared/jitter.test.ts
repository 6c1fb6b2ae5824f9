import { expect, test, vi } from 'vitest'
import { jittered } from '../../src/shared/jitter.ts'

test.each([
  [0, 15_000],
  [0.5, 14_250],
  [0.999_999, 13_501],
])('a delay is at most a tenth shorter, and never longer: random %d', (random, expected) => {
  const spy = vi.spyOn(Math, 'random').mockReturnValue(random)
  try {
    expect(jittered(15_000)).toBe(expected)
  } finally {
    spy.mockRestore()
  }
})

test('no delay stays no delay, and the shortest stays a delay', () => {
  expect(jittered(0)).toBe(0)
  expect(jittered(1)).toBe(1)
  expect(jittered(Infinity)).toBe(Infinity)
})
