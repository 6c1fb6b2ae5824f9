import { describe, expect, test } from 'vitest'
import { OAuthError } from '../../src/oauth/errors.ts'
import { loadGrant, saveGrant, type GrantRecord } from '../../src/oauth/grant-record.ts'
import { isUnknownClient, renew, type Grant, type Refusal } from '../../src/oauth/renewal.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { createWorld, failure, ISSUER, json, SERVER } from './world.ts'

const known = {
  issuer: ISSUER,
  resource: SERVER,
  accessToken: 'old',
  refreshToken: 'r',
  requested: 'a b',
  granted: true,
}

/** A renewal of `record`, and the grants that were begun meanwhile. */
async function renewing(record: GrantRecord | undefined, silent = false) {
  const world = createWorld()
  const storage = memoryTokens()
  if (record !== undefined) await saveGrant(storage, SERVER, record)
  const begun: (string | undefined)[] = []
  const grant: Grant = {
    silent,
    offline: false,
    issuer: undefined,
    client: async () => ({ clientId: 'c' }),
    acquire: async ({ scope }) => {
      begun.push(scope)
      return { accessToken: 'new' }
    },
  }
  const serverUrl = new URL(SERVER)
  const means = { fetch: world.fetch, scopes: undefined, scopeOnRefresh: false, now: () => 0 }
  const run = (refusal: Refusal) =>
    renew({ grant, storage, serverUrl, known: record, ...means }, refusal)
  return { world, run, begun, kept: () => loadGrant(storage, SERVER) }
}

describe('renew', () => {
  test('refreshes first, and keeps that nothing was granted anew', async () => {
    const { run, begun, kept } = await renewing(known)
    expect(await run({ status: 401, attempt: 1 })).toBe('retry')
    expect(begun).toEqual([])
    expect(await kept()).toMatchObject({
      refreshToken: 'refresh-1',
      requested: 'a b',
      granted: false,
    })
  })

  test.each([
    ['a scope is missing', { status: 403, attempt: 1, scope: 'c' }, 'a b c'],
    ['the refreshed token was refused too', { status: 401, attempt: 2 }, 'a b'],
  ] as const)('begins a new grant when %s', async (_, refusal, scope) => {
    const { world, run, begun, kept } = await renewing({ ...known, granted: false })
    expect(await run(refusal)).toBe('retry')
    expect(begun).toEqual([scope])
    expect(world.to(`${ISSUER}/token`)).toEqual([])
    expect(await kept()).toMatchObject({ accessToken: 'new', requested: scope, granted: true })
  })

  test.each([
    ['a 403 that names no scope', { status: 403, attempt: 1 }],
    ['a 403 for what was asked for already', { status: 403, attempt: 1, scope: 'b a' }],
    ['a second refusal of what was just granted', { status: 401, attempt: 2 }],
  ] as const)('%s is hopeless, and nobody is asked', async (_, refusal) => {
    const { world, run, begun } = await renewing(known)
    expect(await run(refusal)).toBe('fail')
    expect([world.calls, begun]).toEqual([[], []])
  })

  test.each([
    [false, 'fail', 0],
    [true, 'retry', 1],
  ] as const)(
    'before a refusal only a silent grant (%s) is begun',
    async (silent, outcome, count) => {
      const { run, begun } = await renewing({ ...known, refreshToken: undefined }, silent)
      expect(await run({ status: 401, attempt: 0 })).toBe(outcome)
      expect(begun).toHaveLength(count)
    },
  )

  test.each([
    [{ error: 'invalid_grant' }, 400],
    [{ error: 'invalid_client' }, 401],
  ])('a refresh that is refused with %j is forgotten, and a grant begun', async (body, status) => {
    const { world, run, begun, kept } = await renewing(known)
    world.routes.set(`${ISSUER}/token`, json(body, status))
    expect(await run({ status: 401, attempt: 1 })).toBe('retry')
    expect(begun).toEqual(['a b'])
    expect((await kept())?.refreshToken).toBeUndefined()
  })

  test.each([
    [{ error: 'temporarily_unavailable' }, 503],
    [{ error: 'server_error' }, 500],
    ['out of order', 502],
  ])('one that meets %j bothers nobody and may be tried again', async (body, status) => {
    const { world, run, begun, kept } = await renewing(known)
    world.routes.set(`${ISSUER}/token`, json(body, status))
    expect((await failure(run({ status: 401, attempt: 1 }))).step).toBe('token')
    expect(begun).toEqual([])
    expect(await kept()).toEqual(known)
  })

  test('AU-16 tokens of another issuer are dropped before anything is sent', async () => {
    const { world, run, kept } = await renewing({ ...known, issuer: 'https://other.example.com' })
    expect(await run({ status: 401, attempt: 0 })).toBe('fail')
    expect(await kept()).toBeUndefined()
    expect(world.to(`${ISSUER}/token`)).toEqual([])
  })
})

test.each([
  [new OAuthError('token', 'x', { error: 'invalid_client' }), true],
  [new OAuthError('token', 'x', { error: 'unauthorized_client' }), true],
  [new OAuthError('token', 'x', { error: 'invalid_grant' }), false],
  [new OAuthError('token', 'x'), false],
  [{ error: 'invalid_client' }, false],
])('%o says that the client is unknown: %s', (error, unknown) => {
  expect(isUnknownClient(error)).toBe(unknown)
})
