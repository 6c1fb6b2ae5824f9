import { beforeEach, describe, expect, test } from 'vitest'
import { createJwtVerifier, scopesOf, type JwtOptions } from '../../src/auth/jwt.ts'
import { InvalidTokenError } from '../../src/auth/verified-token.ts'
import { createIssuer, ISSUER, requestWith, RESOURCE, seconds, type Issuer } from './issuer.ts'

let issuer: Issuer

beforeEach(async () => {
  issuer = await createIssuer()
})

function verifier(options: Partial<JwtOptions> = {}) {
  const verify = createJwtVerifier({
    issuers: [ISSUER],
    clockToleranceS: 30,
    cacheMs: 300_000,
    singleFlight: 'shared',
    fetch: issuer.fetch,
    now: Date.now,
    ...options,
  })
  return (token: string) => verify(token, requestWith())
}

describe('createJwtVerifier', () => {
  test.each(['HS256', 'none', 'es256', 'RSA1_5'])(
    'refuses %s by the name of the option',
    (name) => {
      expect(() => verifier({ algorithms: ['ES256', name] })).toThrow(`algorithms: ${name} is not`)
    },
  )

  test('says what the token says', async () => {
    const token = await issuer.token({ scope: 'a b', tenant: 7 })
    expect(await verifier()(token)).toMatchObject({
      subject: 'ada',
      clientId: 'cli',
      issuer: ISSUER,
      audience: RESOURCE,
      scopes: ['a', 'b'],
      claims: { tenant: 7 },
    })
  })

  test.each([
    [{ sub: undefined }, 'cli', 'cli'],
    [{ sub: '' }, 'cli', 'cli'],
    [{ sub: 7, client_id: undefined, azp: 'app' }, 'app', 'app'],
    [{ client_id: '', cid: 'own' }, 'ada', 'own'],
  ])('%j speaks for %s', async (claims, subject, clientId) => {
    expect(await verifier()(await issuer.token(claims))).toMatchObject({ subject, clientId })
  })

  test('a token that speaks for nobody is not valid', async () => {
    const token = await issuer.token({ sub: 7, client_id: undefined })
    await expect(verifier()(token)).rejects.toThrow(InvalidTokenError)
  })

  test('keys of a stranger are not looked for', async () => {
    const stranger = await createIssuer('https://evil.example.com')
    await expect(verifier()(await stranger.token())).rejects.toThrow(/not trusted/)
    expect(issuer.asked).toEqual([])
  })

  test.each([
    ['without an end', { exp: undefined }],
    ['that ended before clocks may differ', { exp: seconds() - 40 }],
    ['that begins after clocks may differ', { nbf: seconds() + 60 }],
    ['that is bound to a key', { cnf: { jkt: 'x' } }],
  ])('a token %s is refused', async (_, claims) => {
    await expect(verifier()(await issuer.token(claims))).rejects.toThrow(Error)
  })

  test.each([
    ['AT+JWT', {}, true],
    ['application/at+jwt', { nonce: 'n' }, true],
    ['JWT', {}, true],
    [undefined, {}, true],
    ['JWT', { nonce: 'n' }, false],
    [undefined, { at_hash: 'h' }, false],
    ['dpop+jwt', {}, false],
    ['logout+jwt', {}, false],
  ])('the type %s with %j is an access token: %s', async (typ, claims, isOne) => {
    const checked = verifier()(await issuer.token(claims, { header: { typ } }))
    if (isOne) expect(await checked).toMatchObject({ subject: 'ada' })
    else await expect(checked).rejects.toThrow(/not an access token/)
  })
})

describe('scopesOf', () => {
  test.each([
    [{ scope: 'a  b ' }, ['a', 'b']],
    [{ scp: ['a', '', 7, 'b c'] }, ['a', 'b', 'c']],
    [{ scope: '', scp: ['a'] }, []],
    [{ scope: { a: true } }, []],
    [{}, []],
  ])('of %j are %j', (claims, scopes) => {
    expect(scopesOf(claims)).toEqual(scopes)
  })
})
