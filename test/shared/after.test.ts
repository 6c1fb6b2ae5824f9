import { expect, test } from 'vitest'
import { after } from '../../src/shared/after.ts'

test('what is there is used at once, what is not when it comes', async () => {
  expect(after(1, (value) => value + 1)).toBe(2)
  const later = after(Promise.resolve(1), (value) => value + 1)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe(2)
})

test('what fails, fails the same way', async () => {
  const fail = (): never => {
    throw new RangeError('no')
  }
  expect(() => after(1, fail)).toThrow(RangeError)
  await expect(after(Promise.resolve(1), fail)).rejects.toThrow(RangeError)
})
