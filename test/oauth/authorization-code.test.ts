import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  authorizationCode,
  AuthorizationRequiredError,
  memoryTokens,
  type AuthorizationCodeOptions,
  type CallbackParams,
} from '../../src/oauth/index.ts'
import {
  addIssuer,
  createWorld,
  ISSUER,
  json,
  REDIRECT,
  refuse,
  resourceMetadata,
  SERVER,
  signIn,
  token,
  tokens,
  type World,
  failure,
} from './world.ts'

const PRM = 'https://mcp.example.com/.well-known/oauth-protected-resource/api/mcp'
const OTHER = 'https://other.example.com'

function provider(world: World, options: Partial<AuthorizationCodeOptions> = {}) {
  const all = { redirectUri: REDIRECT, authorize: signIn(), fetch: world.fetch }
  return authorizationCode({ ...all, ...options })
}

function insufficient(scope: string): string {
  return `Bearer error="insufficient_scope", scope="${scope}"`
}

describe('signing in', () => {
  test('AU-05 AU-06 AU-15 sends what the specification asks for, and gets a token', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    expect(await token(auth)).toBeUndefined()
    expect(await refuse(auth)).toBe('retry')
    expect(await token(auth)).toMatch(/^Bearer token-/)
    const sent = Object.fromEntries(seen[0]?.searchParams ?? [])
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: `client of ${ISSUER}`,
      redirect_uri: REDIRECT,
      code_challenge_method: 'S256',
      resource: SERVER,
    })
    const [exchange] = world.to(`${ISSUER}/token`)
    const form = Object.fromEntries(exchange?.form ?? [])
    expect(form).toMatchObject({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: REDIRECT,
      resource: SERVER,
      client_id: `client of ${ISSUER}`,
    })
    const digest = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(form['code_verifier']),
    )
    expect(Buffer.from(digest).toString('base64url')).toBe(sent['code_challenge'])
  })

  test('AU-06 the resource is sent byte for byte as the metadata states it', async () => {
    for (const resource of [
      'https://mcp.example.com',
      'https://mcp.example.com/',
      'https://MCP.example.com/api',
    ]) {
      const world = createWorld()
      const seen: URL[] = []
      world.routes.set(PRM, json(resourceMetadata(ISSUER, { resource })))
      await refuse(provider(world, { authorize: signIn(seen) }))
      expect(seen[0]?.searchParams.get('resource')).toBe(resource)
      expect(world.to(`${ISSUER}/token`)[0]?.form.get('resource')).toBe(resource)
    }
  })

  test('AU-25 twenty refusals at once make one sign-in', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => refuse(auth, { sent: {} })))
    expect(answers).toEqual(Array(20).fill('retry'))
    expect(seen.length).toBe(1)
  })

  test('a caller that gives up does not take the others with it', async () => {
    const world = createWorld()
    const gate = Promise.withResolvers<void>()
    const comeBack = signIn()
    const auth = provider(world, {
      authorize: async (url) => {
        await gate.promise
        return comeBack(url)
      },
    })
    const controller = new AbortController()
    const first = refuse(auth, { sent: {}, signal: controller.signal })
    const second = refuse(auth, { sent: {} })
    controller.abort(new Error('tired'))
    await expect(first).rejects.toThrow('tired')
    gate.resolve()
    expect(await second).toBe('retry')
  })

  test('a token that is refused right after signing in is not asked for again', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    await refuse(auth)
    expect(await refuse(auth, { attempt: 2 })).toBe('fail')
    expect(seen.length).toBe(1)
  })

  test('a refusal about other schemes is none of our business', async () => {
    const world = createWorld()
    const auth = provider(world)
    expect(await refuse(auth, { wwwAuthenticate: 'Basic realm="x"' })).toBe('fail')
    expect(
      await refuse(auth, { status: 403, wwwAuthenticate: 'Bearer error="invalid_token"' }),
    ).toBe('fail')
    expect(world.calls).toEqual([])
  })
})

describe('PKCE', () => {
  test('OC-12 AU-05 a server that does not state it is refused by field and issuer', async () => {
    const world = createWorld()
    addIssuer(world, ISSUER, { code_challenge_methods_supported: undefined })
    const error = await failure(refuse(provider(world)))
    expect(error.field).toBe('code_challenge_methods_supported')
    expect(error.message).toContain(ISSUER)
    expect(world.to(`${ISSUER}/register`)).toEqual([])
  })

  test('OC-12 an exception is made for an issuer that is named, still with S256', async () => {
    const world = createWorld()
    addIssuer(world, ISSUER, { code_challenge_methods_supported: null })
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen), allowUnstatedPkce: [ISSUER] })
    expect(await refuse(auth)).toBe('retry')
    expect(seen[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    await failure(refuse(provider(world, { allowUnstatedPkce: [OTHER] })))
  })

  test('OC-12 plain alone is refused always', async () => {
    const world = createWorld()
    addIssuer(world, ISSUER, { code_challenge_methods_supported: ['plain'] })
    const error = await failure(refuse(provider(world, { allowUnstatedPkce: [ISSUER] })))
    expect(error.message).toContain('lacks S256')
  })
})

describe('the callback', () => {
  async function callback(answer: Record<string, string | undefined>, sendsIssuer?: boolean) {
    const world = createWorld()
    addIssuer(world, ISSUER, { authorization_response_iss_parameter_supported: sendsIssuer })
    const auth = provider(world, { authorize: signIn([], () => answer) })
    const work = refuse(auth)
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return { error, exchanged: world.to(`${ISSUER}/token`).length }
  }

  test.each([
    { promised: true, iss: ISSUER, ok: true },
    { promised: true, iss: undefined, ok: false },
    { promised: true, iss: 'https://evil.example.com', ok: false },
    { promised: true, iss: `${ISSUER}/`, ok: false },
    { promised: true, iss: 'https://AS.example.com', ok: false },
    { promised: true, iss: 'https://as.example.com:443', ok: false },
    { promised: false, iss: undefined, ok: true },
    { promised: false, iss: ISSUER, ok: true },
    { promised: false, iss: 'https://evil.example.com', ok: false },
  ])('AU-13 OC-15 iss: %j', async ({ promised, iss, ok }) => {
    const { error, exchanged } = await callback({ iss }, promised)
    expect(exchanged).toBe(ok ? 1 : 0)
    if (!ok) expect(error).toMatchObject({ step: 'callback', field: 'iss' })
  })

  test('AU-14 an error of the wrong issuer is not shown', async () => {
    const error = 'access_denied'
    const wrong = { iss: 'https://evil.example.com', error, error_description: 'call 555' }
    const shown = await callback(wrong, true)
    expect(String(shown.error)).not.toMatch(/555|access_denied/)
    expect(shown.error).toMatchObject({ error: undefined })
  })

  test('an error of the right issuer is, on one line', async () => {
    const told = await callback({ error: 'access_denied', error_description: 'No\r\nway' }, true)
    expect(told.error).toMatchObject({ step: 'authorization', error: 'access_denied' })
    expect(String(told.error)).toContain('access_denied: No way')
  })

  test.each([{ state: 'forged' }, { state: undefined }, { state: '' }])(
    'AU-15 a state of %j gets nowhere',
    async (answer) => {
      const { error, exchanged } = await callback(answer)
      expect([exchanged, error]).toMatchObject([0, { field: 'state' }])
    },
  )

  test('a parameter that is there twice gets nowhere', async () => {
    const world = createWorld()
    for (const name of ['state', 'iss', 'code']) {
      const comeBack = signIn()
      const authorize = (url: URL) => {
        const params = comeBack(url)
        params.append(name, 'second')
        return params
      }
      const error = await failure(refuse(provider(world, { authorize })))
      expect(error.field).toBe(name)
    }
    expect(world.to(`${ISSUER}/token`)).toEqual([])
  })

  test('a callback without a code gets nowhere', async () => {
    const { error, exchanged } = await callback({ code: undefined })
    expect([exchanged, error]).toMatchObject([0, { field: 'code' }])
  })

  test('whatever comes back, only our own state and issuer reach the token endpoint', async () => {
    const value = fc.option(fc.string({ maxLength: 20 }), { nil: undefined })
    const shape = fc.record({ state: value, iss: value, code: value, error: value })
    await fc.assert(
      fc.asyncProperty(shape, async (answer) => {
        const { exchanged } = await callback(answer, true)
        expect(exchanged).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})

describe('signing in where the user leaves', () => {
  test('fails with the page, and finish takes what comes back, once, in another instance', async () => {
    const world = createWorld()
    const storage = memoryTokens()
    const leaving = provider(world, { storage, authorize: () => undefined })
    const error = await failure(refuse(leaving))
    if (!(error instanceof AuthorizationRequiredError)) throw error
    expect(error.message).not.toContain('state')
    const params = signIn()(new URL(error.authorizationUrl))
    const back = provider(world, { storage })
    await back.finish(`${REDIRECT}?${params.toString()}`)
    expect(await token(back)).toMatch(/^Bearer token-/)
    expect((await failure(back.finish(params))).field).toBe('state')
  })

  test.each(['url', 'query', 'params'])('the callback may be given as %s', async (form) => {
    const world = createWorld()
    const auth = provider(world, { authorize: () => undefined })
    const error = await failure(refuse(auth))
    if (!(error instanceof AuthorizationRequiredError)) throw error
    const params = signIn()(new URL(error.authorizationUrl))
    const forms: Record<string, CallbackParams> = {
      url: new URL(`${REDIRECT}?${params.toString()}`),
      query: `?${params.toString()}`,
      params,
    }
    await auth.finish(forms[form] ?? '')
    expect(await token(auth)).toBeDefined()
  })

  test('a sign-in that took too long is over', async () => {
    const world = createWorld()
    let now = Date.now()
    const auth = provider(world, { authorize: () => undefined, now: () => now })
    const error = await failure(refuse(auth))
    if (!(error instanceof AuthorizationRequiredError)) throw error
    now += 601_000
    const params = signIn()(new URL(error.authorizationUrl))
    expect((await failure(auth.finish(params))).field).toBe('state')
  })

  test('a mix-up: the code of one server never reaches another', async () => {
    const world = createWorld()
    const auth = provider(world, { authorize: () => undefined })
    const error = await failure(refuse(auth))
    if (!(error instanceof AuthorizationRequiredError)) throw error
    // Between the steps the server starts to name another authorization server.
    addIssuer(world, OTHER)
    world.routes.set(PRM, json(resourceMetadata(OTHER)))
    const params = signIn()(new URL(error.authorizationUrl))
    params.set('iss', OTHER)
    expect((await failure(auth.finish(params))).field).toBe('iss')
    expect(world.to(`${OTHER}/token`)).toEqual([])
  })
})

describe('scopes', () => {
  async function requested(
    challenge: string,
    more: { prm?: object; as?: object; options?: Partial<AuthorizationCodeOptions> } = {},
  ) {
    const world = createWorld()
    const seen: URL[] = []
    world.routes.set(PRM, json(resourceMetadata(ISSUER, more.prm)))
    addIssuer(world, ISSUER, more.as)
    await refuse(provider(world, { authorize: signIn(seen), ...more.options }), {
      wwwAuthenticate: challenge,
    })
    return seen[0]?.searchParams.get('scope')
  }

  test('AU-11 the challenge, else the resource, else the application, else none', async () => {
    const prm = { scopes_supported: ['a', 'b'] }
    const options = { scopes: ['c'] }
    expect(await requested('Bearer scope="x y"', { prm, options })).toBe('x y')
    expect(await requested('Bearer', { prm, options })).toBe('a b')
    expect(await requested('Bearer', { options })).toBe('c')
    expect(await requested('Bearer')).toBeNull()
  })

  test('AU-12 offline_access is added when it is offered, and taken out when it is not', async () => {
    const as = { scopes_supported: ['x', 'offline_access'] }
    expect(await requested('Bearer scope="x"', { as })).toBe('x offline_access')
    expect(await requested('Bearer scope="x"', { as, options: { offline: false } })).toBe('x')
    expect(await requested('Bearer scope="x offline_access"')).toBe('x')
    expect(await requested('Bearer', { as })).toBeNull()
  })

  test('AU-17 OC-09 a step-up asks for everything so far, with a new sign-in', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    await refuse(auth, { wwwAuthenticate: 'Bearer scope="init"' })
    await refuse(auth, { status: 403, wwwAuthenticate: insufficient('read') })
    await refuse(auth, { status: 403, wwwAuthenticate: insufficient('write') })
    const scopes = seen.map((url) => url.searchParams.get('scope'))
    expect(scopes).toEqual(['init', 'init read', 'init read write'])
    const grants = world.to(`${ISSUER}/token`).map(({ form }) => form.get('grant_type'))
    expect(grants).toEqual(Array(3).fill('authorization_code'))
  })

  test('AU-17 a scope that was asked for already is not asked for again', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    await refuse(auth)
    expect(await refuse(auth, { status: 403, wwwAuthenticate: insufficient('x') })).toBe('retry')
    expect(await refuse(auth, { status: 403, wwwAuthenticate: insufficient('x') })).toBe('fail')
    expect(seen.length).toBe(2)
  })

  test('OC-09 after a revoked refresh token the next sign-in keeps the wider scope', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    await refuse(auth, { wwwAuthenticate: 'Bearer scope="a b"' })
    world.routes.set(`${ISSUER}/token`, ({ form }) =>
      form.get('grant_type') === 'refresh_token'
        ? Response.json({ error: 'invalid_grant' }, { status: 400 })
        : tokens()({ url: '', method: '', headers: new Headers(), form, body: '' }),
    )
    await refuse(auth, { wwwAuthenticate: 'Bearer scope="a"' })
    expect(seen[1]?.searchParams.get('scope')).toBe('a b')
  })
})

describe('refresh', () => {
  async function signedIn(world: World, options: Partial<AuthorizationCodeOptions> = {}) {
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen), ...options })
    await refuse(auth)
    return { auth, seen, first: await token(auth) }
  }

  test('AU-19 twenty refusals at once make one refresh, before any sign-in', async () => {
    const world = createWorld()
    const { auth, seen, first } = await signedIn(world)
    const sent = { authorization: first ?? '' }
    await Promise.all(Array.from({ length: 20 }, () => refuse(auth, { sent })))
    const [, refresh, ...more] = world.to(`${ISSUER}/token`)
    expect(more).toEqual([])
    expect(Object.fromEntries(refresh?.form ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      resource: SERVER,
      client_id: `client of ${ISSUER}`,
    })
    expect(seen.length).toBe(1)
    expect(await token(auth)).not.toBe(first)
  })

  test('AU-19 a token is refreshed before it expires, once for twenty requests', async () => {
    const world = createWorld()
    let now = Date.now()
    const { auth, first } = await signedIn(world, { now: () => now })
    now += 3_575_000
    const sent = await Promise.all(Array.from({ length: 20 }, () => token(auth)))
    expect(new Set(sent).size).toBe(1)
    expect(sent[0]).not.toBe(first)
    expect(world.to(`${ISSUER}/token`).length).toBe(2)
  })

  test('OC-14 what the answer leaves out stays: the refresh token and the scope', async () => {
    const world = createWorld()
    const { auth, first } = await signedIn(world)
    world.routes.set(`${ISSUER}/token`, tokens({ expires_in: '60' }))
    await refuse(auth)
    await refuse(auth)
    const forms = world.to(`${ISSUER}/token`).map(({ form }) => form.get('refresh_token'))
    expect(forms).toEqual([null, 'refresh-1', 'refresh-1'])
    expect(await token(auth)).not.toBe(first)
  })

  test('a rotated refresh token replaces the old one', async () => {
    const world = createWorld()
    const { auth } = await signedIn(world)
    world.routes.set(`${ISSUER}/token`, tokens({ refresh_token: 'refresh-2' }))
    await refuse(auth)
    await refuse(auth)
    const forms = world.to(`${ISSUER}/token`).map(({ form }) => form.get('refresh_token'))
    expect(forms).toEqual([null, 'refresh-1', 'refresh-2'])
  })

  test('OC-14 the scope is sent along where that is asked for', async () => {
    const world = createWorld()
    const auth = provider(world, { scopeOnRefresh: true })
    await refuse(auth, { wwwAuthenticate: 'Bearer scope="a"' })
    await refuse(auth)
    expect(world.to(`${ISSUER}/token`)[1]?.form.get('scope')).toBe('a')
  })

  test('AU-19 a revoked refresh token leads to a sign-in, and is not tried again', async () => {
    const world = createWorld()
    const { auth, seen } = await signedIn(world)
    world.routes.set(`${ISSUER}/token`, ({ form }) =>
      form.has('refresh_token')
        ? Response.json({ error: 'invalid_grant' }, { status: 400 })
        : Response.json({ access_token: 'again', token_type: 'bearer' }),
    )
    await refuse(auth)
    expect(seen.length).toBe(2)
    expect(await token(auth)).toBe('Bearer again')
  })

  test.each([
    ['is down', () => new Response('oops', { status: 503 })],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
  ])('a token endpoint that %s does not make the user sign in', async (_, reply) => {
    const world = createWorld()
    const { auth, seen } = await signedIn(world)
    world.routes.set(`${ISSUER}/token`, reply)
    const error = await failure(refuse(auth))
    expect(error.url).toBe(`${ISSUER}/token`)
    expect(seen.length).toBe(1)
    world.routes.set(`${ISSUER}/token`, tokens())
    expect(await refuse(auth)).toBe('retry')
  })

  test('an early refresh that fails leaves the old token, which may still do', async () => {
    const world = createWorld()
    let now = Date.now()
    const { auth, first } = await signedIn(world, { now: () => now })
    world.routes.set(`${ISSUER}/token`, json({ error: 'invalid_grant' }, 400))
    now += 3_575_000
    expect(await token(auth)).toBe(first)
  })

  test('across providers that share a storage with a lock there is one refresh', async () => {
    const world = createWorld()
    const { lock } = locks()
    const storage = { ...memoryTokens(), lock }
    const { first } = await signedIn(world, { storage })
    const sent = { authorization: first ?? '' }
    const others = Array.from({ length: 5 }, () =>
      provider(world, { storage, singleFlight: 'request' }),
    )
    await Promise.all(others.map((one) => refuse(one, { sent })))
    expect(world.to(`${ISSUER}/token`).length).toBe(2)
  })
})

function locks() {
  const tails = new Map<string, Promise<unknown>>()
  function lock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const next = (tails.get(key) ?? Promise.resolve()).then(work)
    tails.set(
      key,
      next.catch(() => undefined),
    )
    return next
  }
  return { lock }
}

describe('issuers', () => {
  test('OC-15 AU-16 AU-26 nothing of one server reaches the next', async () => {
    const world = createWorld()
    const seen: URL[] = []
    const auth = provider(world, { authorize: signIn(seen) })
    await refuse(auth)
    const old = await token(auth)
    addIssuer(world, OTHER)
    world.routes.set(PRM, json(resourceMetadata(OTHER)))
    expect(await refuse(auth)).toBe('retry')
    expect(await token(auth)).not.toBe(old)
    expect(world.to(`${OTHER}/register`).length).toBe(1)
    expect(seen[1]?.searchParams.get('client_id')).toBe(`client of ${OTHER}`)
    const everything = world.calls
      .filter(({ url }) => url.startsWith(OTHER))
      .map(({ headers, body }) => `${body} ${JSON.stringify([...headers])}`)
      .join()
    for (const secret of [`client of ${ISSUER}`, 'refresh-1', old?.slice(7) ?? '']) {
      expect(everything).not.toContain(secret)
    }
  })

  test('AU-16 going back finds the registration of before', async () => {
    const world = createWorld()
    addIssuer(world, OTHER)
    const auth = provider(world)
    for (const issuer of [ISSUER, OTHER, ISSUER]) {
      world.routes.set(PRM, json(resourceMetadata(issuer)))
      await refuse(auth)
    }
    expect(world.to(`${ISSUER}/register`).length).toBe(1)
  })

  test('AU-16 a client that was registered beforehand stays with its issuer', async () => {
    for (const issuer of [ISSUER, undefined]) {
      const world = createWorld()
      const auth = provider(world, { client: { clientId: 'mine', clientSecret: 's3cret', issuer } })
      await refuse(auth)
      addIssuer(world, OTHER)
      world.routes.set(PRM, json(resourceMetadata(OTHER)))
      const error = await failure(refuse(auth))
      expect(error.message).toContain(ISSUER)
      expect(error.message).toContain(OTHER)
      expect(
        world.calls.some(({ url, method }) => url.startsWith(OTHER) && method === 'POST'),
      ).toBe(false)
    }
  })
})

describe('AU-18 the server is pinned', () => {
  test.each(['https://mcp.example.com/other', 'https://evil.example.com/api/mcp', `${SERVER}?x=1`])(
    'a token does not go to %s',
    async (url) => {
      const auth = provider(createWorld())
      await refuse(auth)
      const error = await failure(token(auth, url))
      expect(error.step).toBe('server')
      expect((await failure(refuse(auth, { url, sent: {} }))).step).toBe('server')
    },
  )

  test.each([
    'http://mcp.example.com/mcp',
    'ftp://mcp.example.com',
    'https://u:p@mcp.example.com/',
  ])('AU-27 a server at %s gets no tokens', async (url) => {
    expect((await failure(token(provider(createWorld()), url))).step).toBe('server')
  })
})

describe('signOut', () => {
  test('forgets the tokens and keeps the registration', async () => {
    const world = createWorld()
    const auth = provider(world)
    await refuse(auth)
    await auth.signOut()
    expect(await token(auth)).toBeUndefined()
    await refuse(auth)
    expect(world.to(`${ISSUER}/register`).length).toBe(1)
  })
})

test.each(['not json', '[]', '{}', '{"issuer":1}', 'null'])(
  'a storage that holds %j is one that holds nothing',
  async (value) => {
    const world = createWorld()
    const storage = memoryTokens()
    await storage.set(`grant ${SERVER}`, value)
    await storage.set(`client ${ISSUER}`, value)
    const auth = provider(world, { storage })
    expect(await token(auth)).toBeUndefined()
    expect(await refuse(auth)).toBe('retry')
  },
)
