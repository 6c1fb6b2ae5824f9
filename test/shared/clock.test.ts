import { expect, test } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'

test('a delay beyond what timers take is long, not none', async () => {
  let fired = false
  const timer = systemClock.setTimeout(() => {
    fired = true
  }, Number.MAX_SAFE_INTEGER)
  await new Promise<void>((resolve) => {
    systemClock.setTimeout(resolve, 5)
  })
  systemClock.clearTimeout(timer)
  expect(fired).toBe(false)
})

test('what is no timer is ignored', () => {
  for (const timer of [undefined, null, 'x']) systemClock.clearTimeout(timer)
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
})
