import { expect, test, vi } from 'vitest'
import { report, warn } from '../../src/server/report.ts'
import { settle } from '../support/index.ts'

const where = { request: { method: 'a/b', id: 1 } }

test('an error goes to onError, or to the console', () => {
  const seen: unknown[] = []
  report((error, place) => void seen.push(error, place), 'x', where)
  expect(seen).toEqual(['x', where])
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  report(undefined, 'x', where)
  expect(log).toHaveBeenCalledWith('mcp-edge:', 'x', where)
  log.mockRestore()
})

test('a reporter that throws or rejects hurts nobody', async () => {
  report(
    () => {
      throw new Error('broken')
    },
    'x',
    where,
  )
  const rejecting = (): unknown => Promise.reject(new Error('broken'))
  report(rejecting, 'x', where)
  await settle()
})

test('a warning goes to onWarning, or to the console', () => {
  const seen: string[] = []
  warn((warning) => void seen.push(warning), 'careful')
  expect(seen).toEqual(['careful'])
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  warn(undefined, 'careful')
  expect(log).toHaveBeenCalledWith('mcp-edge:', 'careful')
  log.mockRestore()
})
