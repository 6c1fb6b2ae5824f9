import { describe, expect, test } from 'vitest'
import { createExclusive, createSingleFlight } from '../../src/shared/single-flight.ts'

function counted() {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const work = async () => {
    runs += 1
    const run = runs
    await gate.promise
    return run
  }
  return { work, open: gate.resolve, runs: () => runs }
}

describe('one flight', () => {
  test('serves all who ask for the same while it is under way, and nobody later', async () => {
    const { work, open } = counted()
    const flight = createSingleFlight<number>('shared')
    const both = [flight('a', work), flight('a', work)]
    const other = flight('b', work)
    open()
    expect(await Promise.all(both)).toEqual([1, 1])
    expect(await other).toBe(2)
    expect(await flight('a', work)).toBe(3)
  })

  test('that fails is not kept', async () => {
    const flight = createSingleFlight<number>('shared')
    await expect(flight('a', () => Promise.reject(new TypeError('no')))).rejects.toThrow('no')
    expect(await flight('a', async () => 1)).toBe(1)
  })

  test('is not shared between requests where promises may not be', async () => {
    const { work, open, runs } = counted()
    const flight = createSingleFlight<number>('request')
    const both = [flight('a', work), flight('a', work)]
    expect(runs()).toBe(2)
    open()
    expect(await Promise.all(both)).toEqual([1, 2])
  })
})

describe('exclusive work', () => {
  test('goes one after the other, whatever became of the one before', async () => {
    const exclusive = createExclusive('shared')
    const { work, open, runs } = counted()
    const first = exclusive(work)
    const failing = exclusive(() => Promise.reject(new TypeError('no')))
    const last = exclusive(work)
    await Promise.resolve()
    expect(runs()).toBe(1)
    open()
    expect(await first).toBe(1)
    await expect(failing).rejects.toThrow('no')
    expect(await last).toBe(2)
  })

  test('is not queued between requests where promises may not be shared', () => {
    const exclusive = createExclusive('request')
    const { work, runs, open } = counted()
    void exclusive(work)
    void exclusive(work)
    expect(runs()).toBe(2)
    open()
  })
})
