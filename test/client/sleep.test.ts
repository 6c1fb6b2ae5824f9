import { expect, it } from 'vitest'
import { abortable, sleep } from '../../src/client/sleep.ts'
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

it('waits for work, and no longer than its signal allows', async () => {
  const controller = new AbortController()
  expect(await abortable(controller.signal, Promise.resolve(1))).toBe(1)
  await expect(abortable(controller.signal, Promise.reject(new Error('own')))).rejects.toThrow(
    'own',
  )
  const never = abortable(controller.signal, new Promise(() => undefined))
  controller.abort('up')
  await expect(never).rejects.toBe('up')
  await expect(abortable(controller.signal, new Promise(() => undefined))).rejects.toBe('up')
})
