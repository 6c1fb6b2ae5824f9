import { expect, test } from 'vitest'
import { toSettings } from '../../src/http/options.ts'
import { endInTime } from '../../src/http/stream-age.ts'
import { fakeClock } from '../support/index.ts'

/** When a stream ends, in milliseconds from now; undefined when it does not. */
async function endOf(maxStreamAgeMs: number | null, validS?: number): Promise<number | undefined> {
  const clock = fakeClock()
  const start = clock.now()
  let ended: number | undefined
  const end = (): void => {
    ended = clock.now() - start
  }
  const expiresAt = validS === undefined ? undefined : start / 1000 + validS
  const timer = endInTime(toSettings({ clock, limits: { maxStreamAgeMs } }), expiresAt, end)
  expect(clock.armed()).toBe(timer === undefined ? 0 : 1)
  await clock.advance(1_000_000)
  return ended
}

test('nothing limits a stream by itself', async () => {
  expect(await endOf(null)).toBeUndefined()
})

test('a stream ends with its credentials, at once where they have ended', async () => {
  expect(await endOf(null, 60)).toBe(60_000)
  expect(await endOf(null, -60)).toBe(0)
})

test('a stream ends at its age, or a little before, so that not all end together', async () => {
  const ends = await Promise.all(Array.from({ length: 20 }, () => endOf(100_000)))
  for (const end of ends) {
    expect(end).toBeGreaterThanOrEqual(90_000)
    expect(end).toBeLessThanOrEqual(100_000)
  }
  expect(new Set(ends).size).toBeGreaterThan(1)
})

test('whichever comes first counts', async () => {
  expect(await endOf(100_000, 60)).toBe(60_000)
  expect(await endOf(10_000, 60)).toBeLessThanOrEqual(10_000)
})
