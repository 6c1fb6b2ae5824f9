import { expect, test } from 'vitest'
import { InvalidParamsError, ResourceNotFoundError } from '../../../src/protocol/errors.ts'
import { LegacyEra } from '../../../src/server/eras/legacy.ts'
import { ResultText } from '../../../src/server/result-text.ts'

const era = new LegacyEra(['2025-06-18', '2025-11-25'], true)
const call = { id: 'x' } as never

test('results go out as they are', () => {
  expect(era.finish(call, { a: 1 })).toBe('{"jsonrpc":"2.0","id":"x","result":{"a":1}}')
  expect(era.finish(call, new ResultText('{"a":1}'))).toBe(
    '{"jsonrpc":"2.0","id":"x","result":{"a":1}}',
  )
  expect(era.seal('{"a":1}')).toBe('{"a":1}')
})

test('errors are 200; a missing resource has the code of these revisions', () => {
  const missing = era.fault(1, new ResourceNotFoundError('a://b'))
  expect([missing.status, JSON.parse(String(missing.body))]).toEqual([
    200,
    {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32002, message: 'Resource not found: a://b', data: { uri: 'a://b' } },
    },
  ])
  expect(
    JSON.parse(String(era.fault(undefined, new InvalidParamsError('x')).body)),
  ).not.toHaveProperty('id')
})

test('hints are an author’s, or none', () => {
  const hints = { ttlMs: 1, cacheScope: 'public' } as const
  expect([era.hints(undefined, undefined), era.hints(hints, undefined)]).toEqual([undefined, hints])
})
