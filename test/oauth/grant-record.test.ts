import { expect, test } from 'vitest'
import { grantKey, loadGrant, parseRecord, saveGrant } from '../../src/oauth/grant-record.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { ISSUER, SERVER } from './world.ts'

const grant = { issuer: ISSUER, resource: SERVER, accessToken: 't', granted: true }

test('a grant comes back as it was kept, and belongs to one server', async () => {
  const storage = memoryTokens()
  const full = { ...grant, refreshToken: 'r', expiresAt: 5, scope: 'a', requested: 'a b' }
  await saveGrant(storage, SERVER, full)
  expect(await loadGrant(storage, SERVER)).toEqual(full)
  expect(await loadGrant(storage, `${SERVER}/`)).toBeUndefined()
})

test.each([
  undefined,
  '',
  '{',
  'null',
  '[]',
  '"text"',
  JSON.stringify({ ...grant, accessToken: undefined }),
  JSON.stringify({ ...grant, issuer: 7 }),
  JSON.stringify({ ...grant, expiresAt: 'soon' }),
  JSON.stringify({ ...grant, refreshToken: 7 }),
])('what cannot be read counts as none: %s', async (text) => {
  const storage = memoryTokens()
  if (text !== undefined) await storage.set(grantKey(SERVER), text)
  expect(await loadGrant(storage, SERVER)).toBeUndefined()
})

test('a stored object is read, anything else is an empty one', () => {
  expect(parseRecord('{"a":1}')).toEqual({ a: 1 })
  for (const text of [undefined, '', '[1]', 'null', '7', '{"a"'])
    expect(parseRecord(text)).toEqual({})
})
