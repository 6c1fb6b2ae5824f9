import { expect, test } from 'vitest'
import { opening } from '../../../src/server/eras/era.ts'

test('an id is the JSON it was', () => {
  for (const id of [0, -1, 1e21, '', 'a"b', '\u2028'])
    expect(JSON.parse(`${opening(id)}{}}`)).toEqual({ jsonrpc: '2.0', id, result: {} })
  expect(JSON.parse(`${opening(undefined)}{}}`)).toHaveProperty('id', null)
})
