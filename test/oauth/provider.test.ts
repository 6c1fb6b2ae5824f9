import { expect, test } from 'vitest'
import { clientGrant } from '../../src/oauth/client-grant.ts'
import { loadGrant, saveGrant, type GrantRecord } from '../../src/oauth/grant-record.ts'
import { createProvider } from '../../src/oauth/provider.ts'
import type { ProviderOptions } from '../../src/oauth/provider-core.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { REFRESH_EARLY_S } from '../../src/protocol/limits.ts'
import { createWorld, ISSUER, refuse, SERVER, token } from './world.ts'

const known = { issuer: ISSUER, resource: SERVER, accessToken: 'known', granted: true }

async function provider(record?: GrantRecord, options: ProviderOptions = {}) {
  const world = createWorld()
  const storage = memoryTokens()
  if (record !== undefined) await saveGrant(storage, SERVER, record)
  const grant = clientGrant({ clientId: 'c' }, async () => ({ grant_type: 'x' }))
  return {
    world,
    storage,
    auth: createProvider(grant, { storage, fetch: world.fetch, ...options }),
  }
}

test('sends nothing while there is nothing, and asks nobody', async () => {
  const { world, auth } = await provider()
  expect(await token(auth)).toBeUndefined()
  expect(world.calls).toEqual([])
})

test('renews exactly as early as it says', async () => {
  let now = 0
  const { auth } = await provider({ ...known, expiresAt: 100_000 }, { now: () => now })
  now = 100_000 - REFRESH_EARLY_S * 1000 - 1
  expect(await token(auth)).toBe('Bearer known')
  now += 1
  expect(await token(auth)).not.toBe('Bearer known')
})

test('a token whose end nobody told is sent until it is refused', async () => {
  const { auth } = await provider(known, { now: () => Number.MAX_SAFE_INTEGER })
  expect(await token(auth)).toBe('Bearer known')
})

test('a refusal of what is no longer sent is answered with what there is', async () => {
  const { world, auth } = await provider(known)
  expect(await refuse(auth, { sent: { authorization: 'Bearer old' } })).toBe('retry')
  expect(await token(auth)).toBe('Bearer known')
  expect(world.calls).toEqual([])
})

test.each([
  [401, null, 'retry'],
  [401, 'Bearer', 'retry'],
  [401, 'Basic realm="x", Bearer', 'retry'],
  [401, 'Basic realm="x"', 'fail'],
  [403, null, 'fail'],
  [403, 'Bearer error="invalid_token"', 'fail'],
  [403, 'Bearer error="insufficient_scope", scope="more"', 'retry'],
] as const)('a %d with %j makes it %s', async (status, wwwAuthenticate, outcome) => {
  const { auth } = await provider(known)
  expect(await refuse(auth, { status, wwwAuthenticate })).toBe(outcome)
})

test('whoever gives up is told his own reason', async () => {
  const { auth } = await provider(known)
  const reason = new Error('gave up')
  const sent = { authorization: 'Bearer known' }
  await expect(refuse(auth, { sent, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('signs out of a server that nothing was sent to yet, and is pinned to it', async () => {
  const { storage, auth } = await provider(known)
  await auth.signOut(SERVER)
  expect(await loadGrant(storage, SERVER)).toBeUndefined()
  await expect(auth.signOut('https://other.example.com')).rejects.toMatchObject({ step: 'server' })
})
