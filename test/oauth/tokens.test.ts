import { describe, expect, test } from 'vitest'
import { accepted, requestTokens, type TokenType } from '../../src/oauth/tokens.ts'
import { createWorld, failure, json } from './world.ts'

const url = 'https://as.example.com/token?tenant=secret'

/** Asks a server that answers `body`. */
function asking(body: object, type?: TokenType) {
  const world = createWorld()
  world.routes.set(url, json(body))
  const exchange = {
    server: { issuer: 'https://as.example.com', token_endpoint: url },
    client: { clientId: 'c' },
    fetch: world.fetch,
    now: () => 1_000,
  }
  const form = { grant_type: 'x', scope: undefined, empty: '' }
  return { world, asked: requestTokens(form, exchange, type) }
}

describe('requestTokens', () => {
  test('sends a form without what is undefined', async () => {
    const { world, asked } = asking({ access_token: 't' })
    await asked
    const [call] = world.to(url)
    expect([call?.method, call?.body]).toEqual(['POST', 'grant_type=x&empty=&client_id=c'])
    expect(call?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  test.each([
    [{ token_type: 'bearer' }, {}],
    [{ token_type: 'BEARER', expires_in: 60 }, { expiresAt: 61_000 }],
    [{ expires_in: '60', refresh_token: '', scope: null }, { expiresAt: 61_000 }],
    [
      { expires_in: 'soon', refresh_token: 'r', scope: 'a b' },
      { refreshToken: 'r', scope: 'a b' },
    ],
  ])('reads %j leniently', async (more, read) => {
    const { asked } = asking({ access_token: 't', ...more })
    const nothing = { refreshToken: undefined, expiresAt: undefined, scope: undefined }
    expect(await asked).toEqual({ accessToken: 't', ...nothing, ...read })
  })

  test.each([undefined, '', null, 7, 'a b', 'a\r\nb', 'ä'])(
    'an access token of %j is none, and named by field',
    async (access_token) => {
      expect(await failure(asking({ access_token }).asked)).toMatchObject({
        step: 'token',
        message: 'access_token in https://as.example.com/token is not a token',
      })
    },
  )

  test('the type has to be the one that was asked for', async () => {
    const wrong = await failure(asking({ access_token: 't', token_type: 'DPoP' }).asked)
    expect(wrong).toMatchObject({ field: 'token_type', message: expect.stringContaining('DPoP') })
    expect(await asking({ access_token: 't', token_type: 'N_A' }, 'n_a').asked).toMatchObject({
      accessToken: 't',
    })
  })
})

describe('accepted', () => {
  test('is an object of a success', () => {
    expect(accepted({ status: 200, value: { a: 1 } }, 'token', url)).toEqual({ a: 1 })
  })

  test.each([
    [{ status: 200, value: { error: 'e', error_description: 'd' } }, 'refused: e: d'],
    [{ status: 400, value: { error: 'e' }, problem: 'answered 400' }, 'refused: e'],
    [{ status: 500, value: { error: '' }, problem: 'answered 500' }, 'answered 500'],
    [{ status: 200, value: [] }, 'is no object'],
    [{ status: 0, value: undefined, problem: 'could not be reached' }, 'could not be reached'],
  ])('%j is none', (answer, why) => {
    expect(() => accepted(answer, 'registration', url)).toThrow(
      expect.objectContaining({
        step: 'registration',
        message: `https://as.example.com/token ${why}`,
      }),
    )
  })
})
