import { afterEach, expect, test, vi } from 'vitest'
import { inSlices, nextTurn } from '../../src/shared/turn.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each([['with'], ['without']])(
  'a turn lets other work happen, %s an immediate',
  async (has) => {
    if (has === 'without') vi.stubGlobal('setImmediate', undefined)
    const order: string[] = []
    const { port1, port2 } = new MessageChannel()
    const arrived = new Promise<void>((resolve) => {
      port1.addEventListener('message', () => {
        order.push('message')
        port1.close()
        resolve()
      })
      port1.start()
    })
    port2.postMessage(null)
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    order.push('turns')
    await arrived
    expect(order).toEqual(['message', 'turns'])
  },
)

test('few items are worked through at once', () => {
  const seen: number[] = []
  void inSlices([1, 2, 3], (item) => seen.push(item))
  expect(seen).toEqual([1, 2, 3])
})

test('many items give way in between, in order, and what is removed meanwhile is left out', async () => {
  const items = new Set(Array.from({ length: 5_000 }, (_, index) => index))
  const seen: number[] = []
  let turns = 0
  const working = inSlices(items, (item) => seen.push(item))
  const inFirst = seen.length
  items.delete(4_999)
  let counting = true
  const count = (): void => {
    turns += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  await working
  counting = false
  expect(inFirst).toBeLessThanOrEqual(2_048)
  expect(turns).toBeGreaterThan(0)
  expect(seen).toEqual(Array.from({ length: 4_999 }, (_, index) => index))
})

test('long work gives way by the clock', async () => {
  const seen: number[] = []
  const working = inSlices(
    Array.from({ length: 100 }, (_, index) => index),
    (item) => {
      const until = performance.now() + 0.5
      while (performance.now() < until) seen.length = item
      seen.push(item)
    },
  )
  expect(seen.length).toBeLessThan(50)
  await working
  expect(seen).toHaveLength(100)
})
