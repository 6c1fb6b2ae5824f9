import { expect, it } from 'vitest'
import { sleep } from '../../src/client/sleep.ts'
import { fakeClock } from '../support/clock.ts'

it('sleeps as long as told, and no longer than its signal allows', async () => {
  const clock = fakeClock()
  const controller = new AbortController()
  const slept = sleep(10, controller.signal, clock)
  await clock.advance(10)
  await slept
  const cut = sleep(10, controller.signal, clock)
  controller.abort('up')
  await expect(cut).rejects.toBe('up')
  await expect(sleep(10, controller.signal, clock)).rejects.toBe('up')
  expect(clock.armed()).toBe(0)
})
