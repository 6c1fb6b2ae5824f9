import { expect, test } from 'vitest'
import { createLog, logNotification } from '../../src/server/log.ts'

test('a message has its level, its logger and its data', () => {
  expect(JSON.parse(logNotification('info', { a: 1 }, { logger: 'l' }))).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'l', data: { a: 1 } },
  })
  expect(JSON.parse(logNotification('info', undefined)).params).toEqual({
    level: 'info',
    data: null,
  })
})

test('what is below the level, or what nobody asked for, is dropped', () => {
  const sent: string[] = []
  createLog('error', (text) => sent.push(text)).warning('x')
  createLog(undefined, (text) => sent.push(text)).emergency('x')
  expect(sent).toEqual([])
  createLog('error', (text) => sent.push(text)).error('x')
  expect(sent).toHaveLength(1)
})
