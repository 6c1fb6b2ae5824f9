import { expect, test } from 'vitest'
import { debounced } from '../../src/shared/debounced.ts'

test('what is asked for many times in one go happens once, and again when asked again', async () => {
  let runs = 0
  const run = debounced(() => {
    runs += 1
  })
  run()
  run()
  expect(runs).toBe(0)
  await Promise.resolve()
  expect(runs).toBe(1)
  run()
  await Promise.resolve()
  expect(runs).toBe(2)
})

test('work may ask for more of itself', async () => {
  let runs = 0
  const run = debounced(() => {
    runs += 1
    if (runs < 3) run()
  })
  run()
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  expect(runs).toBe(3)
})
