import { beforeEach, describe, expect, test } from 'vitest'
import {
  callbackParams,
  codeOf,
  savePending,
  takePending,
  type PendingSignIn,
} from '../../src/oauth/callback.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { ISSUER, REDIRECT, SERVER } from './world.ts'

const server = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` }
const pending: PendingSignIn = {
  state: 'the-state',
  verifier: 'v',
  clientId: 'c',
  redirectUri: REDIRECT,
  serverUrl: SERVER,
  server,
  resource: SERVER,
  expiresAt: 1_000,
}

function query(params: Record<string, string>): URLSearchParams {
  return new URLSearchParams(params)
}

describe('takePending', () => {
  let storage = memoryTokens()
  const take = (state: string, now = 0) => takePending(query({ state }), storage, now)

  beforeEach(async () => {
    storage = memoryTokens()
    await savePending(storage, pending)
  })

  test('gives back what was kept, once', async () => {
    expect(await take('the-state', 999)).toEqual(pending)
    await expect(take('the-state')).rejects.toThrow(/^state is unknown/)
  })

  test('a sign-in ends at its time', async () => {
    await expect(take('the-state', 1_000)).rejects.toMatchObject({
      step: 'callback',
      field: 'state',
    })
  })

  test('a wrong state takes nothing', async () => {
    await expect(take('another')).rejects.toThrow(/^state is unknown/)
    expect(await take('the-state')).toEqual(pending)
  })

  test.each([
    { ...pending, server: { issuer: ISSUER } },
    { ...pending, expiresAt: 'later' },
    { ...pending, verifier: undefined },
    { ...pending, state: 'moved' },
    [],
  ])('what is damaged counts as unknown: %j', async (damaged) => {
    const [key = ''] = await keysOf(pending)
    await storage.set(key, JSON.stringify(damaged))
    await expect(take('the-state')).rejects.toThrow(/^state is unknown/)
  })
})

async function keysOf(kept: PendingSignIn): Promise<readonly string[]> {
  const keys: string[] = []
  const storage = memoryTokens()
  await savePending({ ...storage, set: async (key) => void keys.push(key) }, kept)
  return keys
}

describe('codeOf', () => {
  const promising = { ...server, authorization_response_iss_parameter_supported: true }

  test('AU-14 the issuer is a plain string, compared as such', () => {
    expect(codeOf(query({ iss: ISSUER, code: 'x' }), promising)).toBe('x')
    for (const iss of [`${ISSUER}/`, ISSUER.toUpperCase(), '', 'null']) {
      const params = query({ iss, code: 'x', error: 'shown?' })
      expect(() => codeOf(params, server)).toThrow(`iss is not ${ISSUER}`)
    }
  })

  test('AU-14 it may be absent only where it was not promised', () => {
    expect(codeOf(query({ code: 'x' }), server)).toBe('x')
    expect(() => codeOf(query({ code: 'x' }), promising)).toThrow(/^iss is missing/)
  })

  test('a refusal carries its code and its words, on one line', () => {
    const params = query({ error: 'access_denied', error_description: 'no\nway', code: 'x' })
    expect(() => codeOf(params, server)).toThrow(
      expect.objectContaining({
        step: 'authorization',
        error: 'access_denied',
        message: `${ISSUER}/ refused: access_denied: no way`,
      }),
    )
  })

  test.each(['iss', 'error', 'error_description', 'code'])(
    'two values for %s are an error that names it',
    (name) => {
      const params = query({
        iss: ISSUER,
        code: 'x',
        ...(name === 'error_description' ? { error: 'e' } : {}),
      })
      params.append(name, 'y')
      params.append(name, 'z')
      expect(() => codeOf(params, server)).toThrow(new RegExp(`^${name} is there more than once`))
    },
  )

  test('without anything the code is missing', () => {
    expect(() => codeOf(query({}), server)).toThrow(/^code is missing/)
  })
})

test.each([
  `${REDIRECT}?code=x&state=y#z`,
  new URL(`${REDIRECT}?code=x&state=y`),
  query({ code: 'x', state: 'y' }),
  '?code=x&state=y',
  'code=x&state=y',
])('the parameters of %s', (params) => {
  expect([...callbackParams(params)]).toEqual([
    ['code', 'x'],
    ['state', 'y'],
  ])
})
