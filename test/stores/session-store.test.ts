import { expect, test } from 'vitest'
import { patched } from '../../src/stores/session-store.ts'
import type { SessionRecord } from '../../src/stores/session-store.ts'

const record: SessionRecord = {
  id: 'a',
  revision: '2025-11-25',
  clientInfo: { name: 'c', version: '1' },
  capabilities: {},
  createdAt: 1,
  initialized: false,
  uris: ['a://1'],
}

test.each([
  [{}, {}],
  [{ initialized: true }, { initialized: true }],
  [{ logLevel: 'error' }, { logLevel: 'error' }],
  [{ subscribe: 'a://2' }, { uris: ['a://1', 'a://2'] }],
  [{ subscribe: 'a://1' }, {}],
  [{ unsubscribe: 'a://1' }, { uris: [] }],
  [{ unsubscribe: 'a://2' }, {}],
  [{ unsubscribe: 'a://1', subscribe: 'a://1' }, { uris: ['a://1'] }],
] as const)('a patch of %j changes %j', (patch, change) => {
  const before = structuredClone(record)
  expect(patched(record, patch)).toEqual({ ...record, ...change })
  expect(record).toEqual(before)
})

test('what was set stays when a patch is silent about it', () => {
  const known: SessionRecord = { ...record, initialized: true, logLevel: 'error' }
  expect(patched(known, { subscribe: 'a://2' })).toMatchObject({
    initialized: true,
    logLevel: 'error',
  })
})
