import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { abortable, abortAfter, linkAbort, onAbort } from '../../src/shared/abort.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { limitOf } from '../../src/shared/limits-options.ts'

test('an abort travels with its reason, at once when it is already there', () => {
  const source = new AbortController()
  const [before, after] = [new AbortController(), new AbortController()]
  linkAbort(before, source.signal)
  source.abort('enough')
  linkAbort(after, source.signal)
  expect([before.signal.reason, after.signal.reason]).toEqual(['enough', 'enough'])
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(0)
})

test('what is untied leaves no listener and hears nothing', () => {
  const source = new AbortController()
  let heard = 0
  const undo = onAbort(source.signal, () => {
    heard += 1
  })
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(1)
  undo()
  undo()
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(0)
  source.abort()
  expect(heard).toBe(0)
  onAbort(undefined, () => expect.unreachable())()
})

test('a deadline aborts, unless it is called off or never comes', async () => {
  const reason = (): unknown => 'late'
  const late = new AbortController()
  const calledOff = new AbortController()
  abortAfter(late, { clock: systemClock, ms: 1, reason })
  abortAfter(calledOff, { clock: systemClock, ms: 1, reason })()
  abortAfter(calledOff, { clock: systemClock, ms: Infinity, reason })()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(late.signal.reason).toBe('late')
  expect(calledOff.signal.aborted).toBe(false)
})

test('waits for work, and no longer than its signal allows', async () => {
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

test('a limit is a positive integer, null for none, or the default', () => {
  expect([limitOf('x', 7, 1), limitOf('x', null, 1), limitOf('x', undefined, 1)]).toEqual([
    7,
    Infinity,
    1,
  ])
  for (const bad of [0, -1, 1.5, NaN, Infinity, 2 ** 53])
    expect(() => limitOf('limits.x', bad, 1)).toThrow(/^limits\.x must be a positive integer/)
})
