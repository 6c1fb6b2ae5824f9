import * as fc from 'fast-check'
import { exportSPKI, generateKeyPair, importJWK } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { bearerAuth, InvalidTokenError, type BearerAuthOptions } from '../../src/auth/index.ts'
import type { AuthInfo } from '../../src/protocol/auth-info.ts'
import { bearerChallenge } from '../../src/protocol/challenge.ts'
import { createIssuer, ISSUER, requestWith, RESOURCE, seconds, type Issuer } from './issuer.ts'

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'
let issuer: Issuer

beforeEach(async () => {
  issuer = await createIssuer()
})

function guard(options: Partial<BearerAuthOptions> = {}) {
  const all = { issuer: ISSUER, resource: RESOURCE, scopes: ['mcp'], fetch: issuer.fetch }
  return bearerAuth({ ...all, ...options })
}

async function refused(answer: AuthInfo | Response) {
  if (!(answer instanceof Response)) throw new Error(`let in: ${JSON.stringify(answer)}`)
  const header = answer.headers.get('www-authenticate')
  const params = Object.fromEntries(bearerChallenge(header)?.params ?? [])
  return { status: answer.status, header, params, body: await answer.text() }
}

function allowed(answer: AuthInfo | Response): AuthInfo {
  if (answer instanceof Response) throw new Error(`refused: ${String(answer.status)}`)
  return answer
}

describe('a request without a usable token', () => {
  test('AR-03 gets a 401 that says where the metadata is, and names no error', async () => {
    const { status, params } = await refused(await guard()(requestWith()))
    expect(status).toBe(401)
    expect(params).toEqual({ scope: 'mcp', resource_metadata: METADATA })
  })

  test('AR-07 gets no further with a token in the query', async () => {
    const url = `${RESOURCE}?access_token=${await issuer.token()}`
    const { status, params } = await refused(await guard()(new Request(url)))
    expect([status, params['error']]).toEqual([401, undefined])
  })

  test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'Bearer "a"', 'Bearer ä'])(
    'AR-10 is told that %j is malformed',
    async (header) => {
      const { status, params } = await refused(await guard()(requestWith(header)))
      expect([status, params['error']]).toEqual([400, 'invalid_request'])
    },
  )

  test('AR-10 with another scheme is one without a token', async () => {
    const { status, params } = await refused(await guard()(requestWith('Basic YTpi')))
    expect([status, params['error']]).toEqual([401, undefined])
  })

  test.each(['bearer', 'BEARER', 'BeArEr'])('AR-10 the scheme may be spelt %s', async (scheme) => {
    const token = await issuer.token()
    expect(allowed(await guard()(requestWith(`${scheme} ${token}`))).subject).toBe('ada')
  })

  test.each(['GET', 'DELETE', 'POST'])(
    'AR-06 %s is authenticated like every method',
    async (method) => {
      const answer = await guard()(new Request(RESOURCE, { method }))
      expect((await refused(answer)).status).toBe(401)
    },
  )
})

describe('a good token', () => {
  test('AR-11 becomes an identity that does not hold the token', async () => {
    const token = await issuer.token()
    const auth = allowed(await guard()(requestWith(`Bearer ${token}`)))
    expect(auth).toMatchObject({
      subject: 'ada',
      issuer: ISSUER,
      clientId: 'cli',
      scopes: ['mcp'],
      resourceMetadata: METADATA,
    })
    expect(JSON.stringify(auth)).not.toContain(token)
  })

  test('AR-08 of a broad scope stands for the narrower ones', async () => {
    const impliedScopes = { admin: ['write'], write: ['read', 'mcp'] }
    const token = await issuer.token({ scope: 'admin' })
    const auth = allowed(await guard({ impliedScopes })(requestWith(`Bearer ${token}`)))
    expect(auth.scopes).toEqual(['admin', 'write', 'read', 'mcp'])
  })

  test.each([{ scp: ['mcp', 'x'] }, { scp: 'mcp x' }, { scope: ' mcp  x ' }])(
    'may carry its scopes as %j',
    async (claims) => {
      const token = await issuer.token({ scope: undefined, ...claims })
      expect(allowed(await guard()(requestWith(`Bearer ${token}`))).scopes).toEqual(['mcp', 'x'])
    },
  )
})

describe('AR-04 a token that is not good here', () => {
  const bad: readonly (readonly [string, Record<string, unknown>])[] = [
    ['expired', { exp: seconds() - 3600 }],
    ['RS-06 without expiry', { exp: undefined }],
    ['RS-06 with a textual expiry', { exp: '9999999999' }],
    ['not valid yet', { nbf: seconds() + 3600 }],
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['RS-06 of an issuer with a slash too many', { iss: `${ISSUER}/` }],
    ['of no issuer', { iss: undefined }],
    ['RS-05 for the origin', { aud: 'https://mcp.example.com' }],
    ['RS-05 for the endpoint with a slash', { aud: `${RESOURCE}/` }],
    ['AR-13 for a longer path', { aud: `${RESOURCE}2` }],
    ['AR-13 for the parent path', { aud: 'https://mcp.example.com/' }],
    ['RS-05 for nothing', { aud: undefined }],
    ['RS-05 for an empty list', { aud: [] }],
    ['RS-05 for another API', { aud: 'https://api.example.com' }],
    ['RS-07 with the nonce of an ID token', { nonce: 'n' }],
    ['bound to a key', { cnf: { jkt: 'x' } }],
    ['without a subject', { sub: undefined, client_id: undefined }],
  ]
  test.each(bad)('%s', async (_, claims) => {
    const header = 'nonce' in claims ? { typ: 'JWT' } : {}
    const token = await issuer.token(claims, { header })
    const { status, params, body } = await refused(await guard()(requestWith(`Bearer ${token}`)))
    expect([status, params['error']]).toEqual([401, 'invalid_token'])
    expect(params).toMatchObject({ resource_metadata: METADATA, scope: 'mcp' })
    expect(body).not.toContain(token)
  })

  test('learns nothing about why: every refusal reads the same', async () => {
    const seen = new Set<string>()
    for (const [, claims] of bad) {
      if ('nonce' in claims) continue
      const { header, body } = await refused(
        await guard()(requestWith(`Bearer ${await issuer.token(claims)}`)),
      )
      seen.add(`${header} ${body}`)
    }
    expect(seen.size).toBe(1)
  })

  test.each(['logout+jwt', 'oauth-id-jag+jwt', 'dpop+jwt'])('of type %s', async (typ) => {
    const token = await issuer.token({}, { header: { typ } })
    expect((await refused(await guard()(requestWith(`Bearer ${token}`)))).status).toBe(401)
  })

  test('AR-09 with alg none', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: ISSUER, aud: RESOURCE, sub: 'ada', exp: seconds() + 60, scope: 'mcp' }
    const token = `${part({ alg: 'none', kid: 'first' })}.${part(claims)}.`
    expect((await refused(await guard()(requestWith(`Bearer ${token}`)))).status).toBe(401)
  })

  test('AR-09 RS-07 with HMAC over the public key', async () => {
    const key = await importJWK(issuer.publicKey, 'ES256', { extractable: true })
    if (key instanceof Uint8Array) throw new TypeError('not a public key')
    const secret = new TextEncoder().encode(await exportSPKI(key))
    const token = await issuer.token({}, { header: { alg: 'HS256' }, key: secret })
    expect((await refused(await guard()(requestWith(`Bearer ${token}`)))).status).toBe(401)
  })

  test('signed by somebody else under a known key id', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const token = await issuer.token({}, { key: privateKey })
    expect((await refused(await guard()(requestWith(`Bearer ${token}`)))).status).toBe(401)
  })

  test('whatever text stands in its place', async () => {
    const check = guard()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), async (text) => {
        const { status } = await refused(await check(requestWith(`Bearer ${text.trim()}`)))
        expect([400, 401]).toContain(status)
      }),
      { numRuns: 200 },
    )
  })
})

describe('tolerance', () => {
  test.each([{ exp: seconds() - 5 }, { nbf: seconds() + 5 }])(
    'RS-06 clocks may differ: %j',
    async (claims) => {
      const token = await issuer.token(claims)
      expect(allowed(await guard()(requestWith(`Bearer ${token}`))).subject).toBe('ada')
      const strict = await guard({ clockToleranceS: 0 })(requestWith(`Bearer ${token}`))
      expect((await refused(strict)).status).toBe(401)
    },
  )

  test.each([{ aud: RESOURCE }, { aud: ['x', RESOURCE] }])(
    'RS-05 AR-13 the audience fits: %j',
    async ({ aud }) => {
      const token = await issuer.token({ aud })
      expect(allowed(await guard()(requestWith(`Bearer ${token}`))).subject).toBe('ada')
    },
  )

  test('RS-05 other audiences count where they are configured', async () => {
    const check = guard({ audience: ['api://mcp', RESOURCE] })
    const token = await issuer.token({ aud: 'api://mcp' })
    expect(allowed(await check(requestWith(`Bearer ${token}`))).subject).toBe('ada')
  })

  test('AR-13 the root of an origin has two spellings', async () => {
    const check = guard({ resource: 'https://mcp.example.com' })
    for (const aud of ['https://mcp.example.com', 'https://mcp.example.com/']) {
      const token = await issuer.token({ aud })
      expect(allowed(await check(requestWith(`Bearer ${token}`))).subject).toBe('ada')
    }
  })

  test('RS-06 several issuers, each with its own keys', async () => {
    const other = await createIssuer('https://other.example.com')
    const fetch = (url: string) => (url.startsWith(ISSUER) ? issuer.fetch(url) : other.fetch(url))
    const check = guard({ issuer: [ISSUER, 'https://other.example.com'], fetch })
    expect(allowed(await check(requestWith(`Bearer ${await other.token()}`))).issuer).toBe(
      'https://other.example.com',
    )
    const crossed = await other.token({ iss: ISSUER })
    expect((await refused(await check(requestWith(`Bearer ${crossed}`)))).status).toBe(401)
  })
})

describe('scopes', () => {
  test('AR-05 RS-09 a missing one is a 403 that names them all', async () => {
    const check = guard({ scopes: ['mcp', 'events:write'] })
    const token = await issuer.token({ scope: 'mcp events:read' })
    const { status, params } = await refused(await check(requestWith(`Bearer ${token}`)))
    expect(status).toBe(403)
    expect(params).toMatchObject({
      error: 'insufficient_scope',
      scope: 'mcp events:write',
      resource_metadata: METADATA,
    })
  })

  test('AR-12 challenges never list offline_access', async () => {
    const check = guard({ scopes: ['mcp', 'offline_access'] })
    const { params } = await refused(await check(requestWith()))
    expect(params['scope']).toBe('mcp')
  })

  test('AR-12 nor is it needed: a refresh token is the business of client and issuer', async () => {
    const check = guard({ scopes: ['mcp', 'offline_access'] })
    expect(allowed(await check(requestWith(`Bearer ${await issuer.token()}`))).subject).toBe('ada')
    const narrow = requestWith(`Bearer ${await issuer.token({ scope: 'other' })}`)
    const { status, params } = await refused(await check(narrow))
    expect([status, params['scope']]).toEqual([403, 'mcp'])
  })
})

describe('keys', () => {
  test('RS-07 a thousand unknown key ids cost one more look', async () => {
    let now = Date.now()
    const check = guard({ now: () => now })
    allowed(await check(requestWith(`Bearer ${await issuer.token()}`)))
    const before = issuer.asked.length
    now += 60_000
    const forged = await issuer.token({}, { header: { kid: 'made-up' } })
    for (let round = 0; round < 1000; round += 1) {
      expect((await refused(await check(requestWith(`Bearer ${forged}`)))).status).toBe(401)
    }
    expect(issuer.asked.filter((url) => url.endsWith('/jwks')).length).toBe(2)
    expect(issuer.asked.length - before).toBeLessThanOrEqual(2)
  })

  test('a rotated key is found after the cool-down', async () => {
    let now = Date.now()
    const check = guard({ now: () => now })
    allowed(await check(requestWith(`Bearer ${await issuer.token()}`)))
    const next = await createIssuer()
    issuer.keys.push({ ...next.publicKey, kid: 'second' })
    const token = await next.token({}, { header: { kid: 'second' } })
    expect((await refused(await check(requestWith(`Bearer ${token}`)))).status).toBe(401)
    now += 31_000
    expect(allowed(await check(requestWith(`Bearer ${token}`))).subject).toBe('ada')
  })

  test.each([
    ['503', () => new Response('down', { status: 503 })],
    ['an HTML page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://x.y/' } }),
    ],
    ['too much', () => new Response('x'.repeat(300_000))],
  ])('RS-07 an issuer that answers %s makes a 503 without a challenge', async (_, response) => {
    issuer.outage = async () => response()
    const answer = await guard()(requestWith(`Bearer ${await issuer.token()}`))
    const { status, header } = await refused(answer)
    expect([status, header]).toEqual([503, null])
  })

  test('RS-07 an unreachable issuer makes a 503, and is not asked for every request', async () => {
    issuer.outage = async () => {
      throw new TypeError('connection refused')
    }
    const check = guard()
    const token = await issuer.token()
    for (let round = 0; round < 20; round += 1) {
      expect((await refused(await check(requestWith(`Bearer ${token}`)))).status).toBe(503)
    }
    expect(issuer.asked.length).toBeLessThanOrEqual(2)
  })

  test('old keys serve through an outage, for an hour', async () => {
    let now = Date.now()
    const check = guard({ now: () => now })
    const token = await issuer.token({ exp: seconds() + 100_000 })
    allowed(await check(requestWith(`Bearer ${token}`)))
    issuer.outage = async () => new Response('down', { status: 500 })
    now += 1_800_000
    allowed(await check(requestWith(`Bearer ${token}`)))
    now += 1_900_000
    expect((await refused(await check(requestWith(`Bearer ${token}`)))).status).toBe(503)
  })

  test('twenty first requests share one look', async () => {
    const check = guard()
    const token = await issuer.token()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => check(requestWith(`Bearer ${token}`))),
    )
    expect(answers.map((answer) => allowed(answer).subject)).toEqual(Array(20).fill('ada'))
    expect(issuer.asked.length).toBe(2)
  })

  test('without key ids every fitting key is tried', async () => {
    const other = await createIssuer()
    const { kid: _first, ...one } = issuer.publicKey
    const { kid: _second, ...two } = other.publicKey
    const check = guard({ jwks: { keys: [one, two] } })
    const token = await other.token({}, { header: { kid: undefined } })
    expect(allowed(await check(requestWith(`Bearer ${token}`))).subject).toBe('ada')
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await other.token({}, { header: { kid: undefined }, key: privateKey })
    expect((await refused(await check(requestWith(`Bearer ${forged}`)))).status).toBe(401)
  })

  test('metadata that names another issuer is not believed', async () => {
    const fetch = async () =>
      Response.json({ issuer: 'https://evil.example.com', jwks_uri: `${ISSUER}/jwks` })
    const answer = await guard({ fetch })(requestWith(`Bearer ${await issuer.token()}`))
    expect((await refused(answer)).status).toBe(503)
  })
})

describe('your own verifier', () => {
  const good = { subject: 'ada', audience: RESOURCE, scopes: ['mcp'] }

  test('is believed, and still checked', async () => {
    const check = guard({ issuer: undefined, verify: async () => good })
    expect(allowed(await check(requestWith('Bearer x'))).subject).toBe('ada')
    for (const wrong of [
      { ...good, audience: 'https://other.example.com' },
      { ...good, expiresAt: seconds() - 100 },
      undefined,
    ]) {
      const answer = await guard({ issuer: undefined, verify: async () => wrong })(
        requestWith('Bearer x'),
      )
      expect((await refused(answer)).status).toBe(401)
    }
  })

  test('RS-10 whatever it throws is a clean 401, and told to onRefused only', async () => {
    const message = 'bad "kid" \r\nX-Evil: 1 – ü'
    for (const error of [new Error(message), new InvalidTokenError(message)]) {
      const seen: unknown[] = []
      const verify = async () => {
        throw error
      }
      const check = guard({ issuer: undefined, verify, onRefused: (why) => seen.push(why) })
      const { status, header, body } = await refused(await check(requestWith('Bearer x')))
      expect(status).toBe(401)
      expect(`${header} ${body}`).not.toContain('Evil')
      expect(seen).toEqual([error])
    }
  })
})

describe('introspection', () => {
  const endpoint = { url: `${ISSUER}/introspect`, clientId: 'rs:1', clientSecret: 'p%=d' }
  const active = { active: true, sub: 'ada', client_id: 'cli', aud: RESOURCE, scope: 'mcp' }

  function introspecting(answer: () => Response, options: Partial<BearerAuthOptions> = {}) {
    const asked: Request[] = []
    const fetch = async (url: string, init?: RequestInit) => {
      asked.push(new Request(url, init))
      return answer()
    }
    return { asked, check: guard({ introspection: endpoint, fetch, ...options }) }
  }

  test('asks as a client whose id and secret are form-encoded', async () => {
    const { asked, check } = introspecting(() => Response.json(active))
    allowed(await check(requestWith('Bearer opaque')))
    const credentials = atob(asked[0]?.headers.get('authorization')?.slice(6) ?? '')
    expect(credentials).toBe('rs%3A1:p%25%3Dd')
    expect(await asked[0]?.text()).toBe('token=opaque&token_type_hint=access_token')
  })

  test('keeps a good answer for a while and a bad one not at all', async () => {
    let now = Date.now()
    let body: object = active
    const { asked, check } = introspecting(() => Response.json(body), { now: () => now })
    for (let round = 0; round < 5; round += 1) allowed(await check(requestWith('Bearer opaque')))
    expect(asked.length).toBe(1)
    now += 31_000
    body = { active: false }
    for (let round = 0; round < 2; round += 1) {
      expect((await refused(await check(requestWith('Bearer opaque')))).status).toBe(401)
    }
    expect(asked.length).toBe(3)
  })

  test.each([
    ['inactive', { active: false }],
    ['not boolean', { ...active, active: 'true' }],
    ['RS-05 without audience', { ...active, aud: undefined }],
    ['RS-05 for another API', { ...active, aud: 'https://api.example.com' }],
    ['expired', { ...active, exp: seconds() - 100 }],
    ['not valid yet', { ...active, nbf: seconds() + 100 }],
    ['of another issuer', { ...active, iss: 'https://evil.example.com' }],
  ])('a token that is %s gets a 401', async (_, body) => {
    const { check } = introspecting(() => Response.json(body))
    expect((await refused(await check(requestWith('Bearer opaque')))).status).toBe(401)
  })

  test('an audience is assumed only where that is said', async () => {
    const { check } = introspecting(() => Response.json({ ...active, aud: undefined }), {
      introspection: { ...endpoint, assumeAudience: RESOURCE },
    })
    expect(allowed(await check(requestWith('Bearer opaque'))).subject).toBe('ada')
  })

  test.each([401, 500])('an endpoint that answers %d makes a 503', async (status) => {
    const { check } = introspecting(() => new Response('{}', { status }))
    const answer = await refused(await check(requestWith('Bearer opaque')))
    expect([answer.status, answer.header]).toEqual([503, null])
  })
})

describe('options that cannot be meant', () => {
  const wrong: readonly (readonly [string, Partial<BearerAuthOptions>])[] = [
    ['issuer', { issuer: undefined }],
    ['issuer', { issuer: undefined, jwks: `${ISSUER}/jwks` }],
    ['issuer', { issuer: 'http://as.example.com' }],
    ['jwks', { jwks: 'http://as.example.com/jwks' }],
    ['algorithms', { algorithms: ['HS256'] }],
    ['algorithms', { algorithms: ['none'] }],
    ['resource', { resource: 'http://mcp.example.com/mcp' }],
    ['resource', { resource: '/mcp' }],
    ['resource', { resource: `${RESOURCE}#x` }],
    ['audience', { resource: '/mcp', trustProxy: true }],
    ['jwks', { jwks: `${ISSUER}/jwks`, verify: async () => undefined }],
  ]
  test.each(wrong)('%s is refused: %j', (name, options) => {
    expect(() => guard(options)).toThrow(new RegExp(`^${name}`))
  })
})
