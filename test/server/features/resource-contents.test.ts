import { expect, test } from 'vitest'
import { ResourceNotFoundError } from '../../../src/protocol/errors.ts'
import { toReadResult } from '../../../src/server/features/resource-contents.ts'

const target = { uri: 'a://b', mimeType: undefined }

test('hints are those of the contents, completed, or none', () => {
  expect(toReadResult(target, 'x').hints).toBeUndefined()
  expect(toReadResult(target, { contents: 'x' }).hints).toBeUndefined()
  expect(toReadResult(target, { contents: 'x', ttlMs: 5 }).hints).toEqual({
    ttlMs: 5,
    cacheScope: 'private',
  })
  expect(toReadResult(target, { contents: 'x', cacheScope: 'public' }).hints).toEqual({
    ttlMs: 0,
    cacheScope: 'public',
  })
})

test('nothing is not found; anything odd is a TypeError that names the uri', () => {
  for (const nothing of [undefined, null, [], { contents: null }]) {
    expect(() => toReadResult(target, nothing)).toThrow(ResourceNotFoundError)
  }
  for (const odd of [5, { text: 5 }, ['x', 5], new Date()]) {
    expect(() => toReadResult(target, odd)).toThrow(/a:\/\/b/)
  }
})

test('a member of contents that is not the wire’s stays here', () => {
  expect(
    toReadResult(target, { text: 'x', password: 'secret', blob: new Uint8Array([1]) }).contents,
  ).toEqual([{ uri: 'a://b', text: 'x' }])
})
