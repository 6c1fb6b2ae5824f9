import { expect, test } from 'vitest'
import { ProgressReporter, progressTokenOf } from '../../src/server/progress.ts'

test('a token is text or a number, zero and nothing included', () => {
  for (const token of ['p', '', 0, 5])
    expect(progressTokenOf({ _meta: { progressToken: token } })).toBe(token)
  for (const token of [null, {}, true])
    expect(progressTokenOf({ _meta: { progressToken: token } })).toBeUndefined()
  expect(progressTokenOf({})).toBeUndefined()
})

test('only increases are told, and only numbers are progress', () => {
  const reporter = new ProgressReporter('p')
  expect(JSON.parse(reporter.next(0, { total: 3, message: 'm' }) ?? '')).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 0, total: 3, message: 'm' },
  })
  expect(reporter.next(0)).toBeUndefined()
  expect(reporter.next(-1)).toBeUndefined()
  expect(reporter.next(0.5)).toContain('"progress":0.5')
  for (const value of [Number.NaN, Infinity, '1'])
    expect(() => reporter.next(value as number)).toThrow(TypeError)
})
