import { expect, test } from 'vitest'
import { within } from '../../src/shared/within.ts'
import { fakeClock, settle } from '../support/index.ts'

function deadline() {
  const clock = fakeClock()
  return { clock, ms: 100, reason: () => new Error('too long') }
}

test('work in time is all there is', async () => {
  const limit = deadline()
  expect(await within('at once', limit)).toBe('at once')
  expect(await within(Promise.resolve('soon'), limit)).toBe('soon')
  await expect(within(Promise.reject(new Error('broken')), limit)).rejects.toThrow('broken')
  expect(limit.clock.armed()).toBe(0)
})

test('work that takes too long is no longer waited for, and may fail unheard', async () => {
  const limit = deadline()
  let fail: (error: Error) => void = () => {}
  const work = new Promise<never>((_, reject) => {
    fail = reject
  })
  const waiting = within(work, limit)
  const outcome = expect(waiting).rejects.toThrow('too long')
  await limit.clock.advance(100)
  await outcome
  fail(new Error('later'))
  await settle()
  expect(limit.clock.armed()).toBe(0)
})
