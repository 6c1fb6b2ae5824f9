import { expect, test } from 'vitest'
import { newRecord, readRecord } from '../../src/stores/kept-record.ts'

const init = {
  revision: '2025-11-25',
  clientInfo: { name: 'c', version: '1' },
  capabilities: {},
  owner: 'ada',
} as const

const kept = (): Record<string, unknown> => JSON.parse(JSON.stringify(newRecord(init, 5)))

test('a new record is read back as it was kept', () => {
  expect(readRecord('id', kept(), ['test:a'])).toEqual({
    ...init,
    id: 'id',
    origin: undefined,
    createdAt: 5,
    initialized: false,
    logLevel: undefined,
    uris: ['test:a'],
  })
})

test.each([
  ['text', 'record'],
  ['null', null],
  ['a modern revision', { ...kept(), revision: '2026-07-28' }],
  ['no date', { ...kept(), createdAt: '5' }],
  ['no capabilities', { ...kept(), capabilities: [] }],
  ['a client without a version', { ...kept(), clientInfo: { name: 'c' } }],
])('%s is no record', (_what, value) => {
  expect(readRecord('id', value)).toBeUndefined()
})

test('a level that nobody knows is none', () => {
  expect(readRecord('id', { ...kept(), logLevel: 'loud' })?.logLevel).toBeUndefined()
  expect(readRecord('id', { ...kept(), logLevel: 'error' })?.logLevel).toBe('error')
})
