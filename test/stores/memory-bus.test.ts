import { expect, test } from 'vitest'
import type { BusEvent } from '../../src/stores/bus.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'

function crowd(size: number) {
  const bus = memoryBus()
  const heard = Array.from({ length: size }, (): unknown[] => [])
  const stops = heard.map((inbox) => {
    const stop = new AbortController()
    void bus.subscribe(['t', 'other'], ({ data }) => inbox.push(data), stop.signal)
    return stop
  })
  return { bus, heard, stops }
}

test('events published while others are on their way overtake nobody', async () => {
  const { bus, heard } = crowd(6_000)
  const publishing = [1, 2, 3].map((data) =>
    bus.publish({ topic: data === 2 ? 'other' : 't', data }),
  )
  expect(heard.at(0)).toEqual([1])
  expect(heard.at(-1)).toEqual([])
  await publishing[0]
  expect(heard.every(([first]) => first === 1)).toBe(true)
  await Promise.all(publishing)
  expect(heard.every((inbox) => inbox.join('') === '123')).toBe(true)
  await bus.publish({ topic: 't', data: 4 })
  expect(heard.at(-1)).toEqual([1, 2, 3, 4])
})

test('who leaves while an event is on its way does not hear it', async () => {
  const { bus, heard, stops } = crowd(6_000)
  const publishing = bus.publish({ topic: 't', data: 1 })
  stops.at(-1)?.abort()
  await publishing
  expect([heard.at(-2), heard.at(-1)]).toEqual([[1], []])
})

test('a fan-out to many gives way to other work', async () => {
  const { bus } = crowd(10_000)
  let turns = 0
  let counting = true
  const count = (): void => {
    turns += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  await bus.publish({ topic: 't', data: 1 })
  counting = false
  expect(turns).toBeGreaterThan(3)
})

test('what fails on the way is told at its end, and the next event goes out', async () => {
  const bus = memoryBus()
  const heard: unknown[] = []
  const { signal } = new AbortController()
  await bus.subscribe(
    ['t'],
    () => {
      throw new Error('one')
    },
    signal,
  )
  await bus.subscribe(['t'], ({ data }) => heard.push(data), signal)
  const both = await Promise.allSettled([1, 2].map((data) => bus.publish({ topic: 't', data })))
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(heard).toEqual([1, 2])
})

test('one function that subscribes twice hears twice, and stops once', async () => {
  const bus = memoryBus()
  const heard: unknown[] = []
  const deliver = ({ data }: BusEvent): void => void heard.push(data)
  const [first, second] = [new AbortController(), new AbortController()]
  await bus.subscribe(['t', 'u'], deliver, first.signal)
  await bus.subscribe(['t'], deliver, second.signal)
  await bus.publish({ topic: 't', data: 1 })
  first.abort()
  await bus.publish({ topic: 't', data: 2 })
  await bus.publish({ topic: 'u', data: 3 })
  second.abort()
  await bus.publish({ topic: 't', data: 4 })
  expect(heard).toEqual([1, 1, 2])
})
