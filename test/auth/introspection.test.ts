import { expect, test } from 'vitest'
import { createIntrospection, type IntrospectionOptions } from '../../src/auth/introspection.ts'
import { InvalidTokenError, VerifierUnavailableError } from '../../src/auth/verified-token.ts'
import { MAX_INTROSPECTIONS } from '../../src/protocol/limits.ts'
import { requestWith } from './issuer.ts'

const url = 'https://as.example.com/introspect'
const start = 1_000_000_000_000
const active = { active: true, sub: 'ada', aud: 'https://mcp.example.com' }

/** A verifier whose endpoint answers what `answer` holds, and whose time is `now`. */
function asking(options: Partial<IntrospectionOptions> = {}) {
  const world = { answer: active as unknown, now: start, asked: 0 }
  const verify = createIntrospection({
    endpoint: { url, clientId: 'rs', clientSecret: 's' },
    issuers: [],
    clockToleranceS: 30,
    cacheMs: 1_000,
    singleFlight: 'shared',
    now: () => world.now,
    fetch: async () => {
      world.asked += 1
      return Response.json(world.answer)
    },
    ...options,
  })
  const check = (token: string) => verify(token, requestWith())
  return { world, check }
}

test.each(['http://as.example.com/introspect', 'ftp://as.example.com', 'introspect'])(
  'an endpoint at %s is refused by name',
  (unsafe) => {
    const endpoint = { url: unsafe, clientId: 'rs', clientSecret: 's' }
    expect(() => asking({ endpoint })).toThrow(/^introspection\.url/)
  },
)

test('an answer is read leniently: one audience or several, client for subject, scp for scope', async () => {
  const { world, check } = asking()
  const claims = { active: true, sub: '', client_id: 'cli', aud: ['a', 7, 'b'], scp: ['x', 'y z'] }
  world.answer = claims
  expect(await check('t')).toEqual({
    subject: 'cli',
    clientId: 'cli',
    issuer: undefined,
    audience: ['a', 'b'],
    scopes: ['x', 'y', 'z'],
    expiresAt: undefined,
    claims,
  })
})

test('a token that speaks for nobody is not valid', async () => {
  const { world, check } = asking()
  world.answer = { ...active, sub: 7 }
  await expect(check('t')).rejects.toThrow(InvalidTokenError)
})

test('a token may be as early as clocks may differ', async () => {
  const { world, check } = asking()
  world.answer = { ...active, nbf: start / 1000 + 30 }
  expect(await check('t')).toMatchObject({ subject: 'ada' })
  world.answer = { ...active, nbf: start / 1000 + 31 }
  await expect(check('u')).rejects.toThrow(InvalidTokenError)
})

test('an answer that names no issuer is believed, one that names a stranger is not', async () => {
  const { world, check } = asking({ issuers: ['https://as.example.com'] })
  expect(await check('t')).toMatchObject({ subject: 'ada' })
  world.answer = { ...active, iss: 'https://as.example.com/' }
  await expect(check('u')).rejects.toThrow(InvalidTokenError)
})

test.each([null, [], 'active', 7])(
  'an answer of %j says nothing about the token',
  async (answer) => {
    const { world, check } = asking()
    world.answer = answer
    const error = await check('t').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VerifierUnavailableError)
    expect(String(error)).toContain(url)
  },
)

test('an answer is kept for its time, and the oldest makes room', async () => {
  const { world, check } = asking()
  await check('t')
  world.now += 999
  await check('t')
  expect(world.asked).toBe(1)
  world.now += 1
  await check('t')
  expect(world.asked).toBe(2)
  for (let index = 1; index < MAX_INTROSPECTIONS; index += 1) await check(`other ${index}`)
  await check('t')
  expect(world.asked).toBe(MAX_INTROSPECTIONS + 1)
  await check('one more')
  await check('t')
  expect(world.asked).toBe(MAX_INTROSPECTIONS + 3)
})
