import { describe, expect, test } from 'vitest'
import { authorizationCode, type AuthorizationCodeOptions } from '../../src/oauth/index.ts'
import { applicationType } from '../../src/oauth/registration.ts'
import {
  addIssuer,
  createWorld,
  ISSUER,
  json,
  REDIRECT,
  refuse,
  signIn,
  token,
  type World,
  failure,
} from './world.ts'

const REGISTER = `${ISSUER}/register`
const TOKEN = `${ISSUER}/token`

function provider(world: World, options: Partial<AuthorizationCodeOptions> = {}) {
  const all = { redirectUri: REDIRECT, authorize: signIn(), fetch: world.fetch }
  return authorizationCode({ ...all, ...options })
}

describe('AU-08 which client id', () => {
  const clientMetadataUrl = 'https://app.example.com/client.json'
  const client = { clientId: 'mine', issuer: ISSUER }

  async function used(as: object, options: Partial<AuthorizationCodeOptions>) {
    const world = createWorld()
    addIssuer(world, ISSUER, as)
    const seen: URL[] = []
    await refuse(provider(world, { authorize: signIn(seen), ...options }))
    return seen[0]?.searchParams.get('client_id')
  }

  test('registered beforehand, then the metadata URL, then dynamic', async () => {
    const reads = { client_id_metadata_document_supported: true }
    expect(await used(reads, { client, clientMetadataUrl })).toBe('mine')
    expect(await used(reads, { clientMetadataUrl })).toBe(clientMetadataUrl)
    expect(await used(reads, {})).toBe(`client of ${ISSUER}`)
  })

  test.each([undefined, false, 'true', 1])(
    'AU-24 OC-13 a server whose flag is %j gets no metadata URL',
    async (flag) => {
      const as = { client_id_metadata_document_supported: flag }
      expect(await used(as, { clientMetadataUrl })).toBe(`client of ${ISSUER}`)
    },
  )

  test('without any way the user is told what to do', async () => {
    const error = await failure(used({ registration_endpoint: null }, { clientMetadataUrl }))
    expect(error).toMatchObject({ step: 'registration', field: 'registration_endpoint' })
    expect(error.message).toContain('pass it as client')
  })

  test.each([
    'https://app.example.com',
    'https://app.example.com/',
    'http://app.example.com/client.json',
    'https://app.example.com/client.json#x',
    'https://app.example.com/client.json?x',
    'https://user@app.example.com/client.json',
    'https://app.example.com/a/../client.json',
    'nonsense',
  ])('AU-24 OC-13 %s is no metadata URL', (url) => {
    expect(() => provider(createWorld(), { clientMetadataUrl: url })).toThrow(/^clientMetadataUrl/)
  })
})

describe('dynamic registration', () => {
  test('AU-09 says what kind of application it is', async () => {
    const world = createWorld()
    await refuse(provider(world, { clientMetadata: { clientName: 'Weather CLI' } }))
    expect(JSON.parse(world.to(REGISTER)[0]?.body ?? '')).toEqual({
      client_name: 'Weather CLI',
      redirect_uris: [REDIRECT],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  test.each([
    [REDIRECT, 'native'],
    ['http://localhost:1/cb', 'native'],
    ['com.example.app:/cb', 'native'],
    ['https://app.example.com/cb', 'web'],
  ])('AU-09 %s belongs to a %s application', (redirectUri, type) => {
    expect(applicationType(redirectUri)).toBe(type)
  })

  test.each([
    'http://app.example.com/cb',
    'javascript:alert(1)',
    'myapp:/cb',
    'https://app.example.com/cb#x',
    '/cb',
  ])('%s is no redirect URI', (redirectUri) => {
    expect(() => provider(createWorld(), { redirectUri })).toThrow(/^redirectUri/)
  })

  test.each([200, 201])(
    'OC-11 status %d is a success, with nulls and empty strings',
    async (status) => {
      const world = createWorld()
      const body = { client_id: 'c', client_uri: null, logo_uri: '', client_secret: null }
      world.routes.set(REGISTER, json(body, status))
      expect(await refuse(provider(world))).toBe('retry')
      expect(world.to(TOKEN)[0]?.form.get('client_id')).toBe('c')
    },
  )

  test('OC-11 the method of the answer is used: basic, form-encoded and then base64', async () => {
    const world = createWorld()
    const method = 'client_secret_basic'
    const body = { client_id: 'a:b', client_secret: 'ü %', token_endpoint_auth_method: method }
    world.routes.set(REGISTER, json(body, 201))
    await refuse(provider(world))
    const [call] = world.to(TOKEN)
    const credentials = atob(call?.headers.get('authorization')?.slice(6) ?? '')
    expect(credentials).toBe('a%3Ab:%C3%BC+%25')
    expect(call?.form.has('client_id')).toBe(false)
    expect(call?.form.has('client_secret')).toBe(false)
  })

  test.each([
    ['client_secret', { client_id: 'c', token_endpoint_auth_method: 'client_secret_post' }],
    ['client_id', { client_id: '' }],
    ['redirect_uris', { client_id: 'c', redirect_uris: ['https://else.example.com/'] }],
    [
      'client_secret_expires_at',
      { client_id: 'c', client_secret: 's', client_secret_expires_at: 1 },
    ],
  ])('OC-11 an answer whose %s is wrong fails there', async (field, body) => {
    const world = createWorld()
    world.routes.set(REGISTER, json(body, 201))
    const error = await failure(refuse(provider(world)))
    expect(error).toMatchObject({ step: 'registration', field, url: REGISTER })
  })

  test.each([
    ['a refusal', json({ error: 'invalid_redirect_uri', error_description: 'no loopback' }, 400)],
    [
      'OC-11 a refusal with status 200',
      json({ error: 'invalid_redirect_uri', error_description: 'no loopback' }),
    ],
  ])('%s is told with its code', async (_, reply) => {
    const world = createWorld()
    world.routes.set(REGISTER, reply)
    const error = await failure(refuse(provider(world)))
    expect(error).toMatchObject({ error: 'invalid_redirect_uri', url: REGISTER })
    expect(error.message).toContain('no loopback')
  })

  test('OC-11 a refusal that is a page is told readably', async () => {
    const world = createWorld()
    world.routes.set(REGISTER, () => new Response('<h1>Forbidden</h1>', { status: 403 }))
    const error = await failure(refuse(provider(world)))
    expect(error.message).toBe(`${REGISTER} answered 403 with something that is not JSON`)
  })

  test('OC-11 a secret that has expired is replaced', async () => {
    const world = createWorld()
    let now = Date.now()
    const expires = Math.floor(now / 1000) + 10
    const method = 'client_secret_post'
    const body = { client_id: 'c', client_secret: 's', token_endpoint_auth_method: method }
    world.routes.set(REGISTER, json({ ...body, client_secret_expires_at: expires }, 201))
    const auth = provider(world, { now: () => now })
    await refuse(auth)
    await auth.signOut()
    now += 3_600_000
    world.routes.set(REGISTER, json({ ...body, client_secret_expires_at: 0 }, 201))
    await refuse(auth)
    expect(world.to(REGISTER).length).toBe(2)
  })

  test('another redirect URI is another registration', async () => {
    const world = createWorld()
    const values = new Map<string, string>()
    const storage = {
      get: async (key: string) => values.get(key),
      set: async (key: string, value: string) => void values.set(key, value),
      delete: async (key: string) => void values.delete(key),
      take: async (key: string) => {
        const value = values.get(key)
        values.delete(key)
        return value
      },
    }
    await refuse(provider(world, { storage }))
    values.delete('grant https://mcp.example.com/api/mcp')
    await refuse(provider(world, { storage, redirectUri: 'http://127.0.0.1:9999/callback' }))
    expect(world.to(REGISTER).length).toBe(2)
  })

  test('a server that forgot the client gets a new registration at the next attempt', async () => {
    const world = createWorld()
    const auth = provider(world)
    world.routes.set(TOKEN, json({ error: 'invalid_client' }, 401))
    expect((await failure(refuse(auth))).error).toBe('invalid_client')
    addIssuer(world, ISSUER)
    expect(await refuse(auth)).toBe('retry')
    expect(world.to(REGISTER).length).toBe(2)
  })
})

describe('AU-10 how a client proves itself', () => {
  async function call(methods: readonly string[] | undefined, secret?: string) {
    const world = createWorld()
    addIssuer(world, ISSUER, { token_endpoint_auth_methods_supported: methods })
    await refuse(
      provider(world, { client: { clientId: 'c', clientSecret: secret, issuer: ISSUER } }),
    )
    const [sent] = world.to(TOKEN)
    return { basic: sent?.headers.has('authorization'), form: Object.fromEntries(sent?.form ?? []) }
  }

  test('as the metadata says, or as silence means', async () => {
    expect(await call(['client_secret_basic'], 's')).toMatchObject({ basic: true })
    expect(await call(undefined, 's')).toMatchObject({ basic: true })
    expect(await call(['client_secret_post'], 's')).toMatchObject({
      basic: false,
      form: { client_id: 'c', client_secret: 's' },
    })
    const none = await call(['none'], 's')
    expect(none).toMatchObject({ basic: false, form: { client_id: 'c' } })
    expect(none.form).not.toHaveProperty('client_secret')
    expect(await call(undefined)).toMatchObject({ basic: false, form: { client_id: 'c' } })
  })

  test('or not at all, when they have nothing in common', async () => {
    const error = await failure(call(['tls_client_auth'], 's'))
    expect(error.field).toBe('token_endpoint_auth_methods_supported')
    expect(error.message).not.toContain('s,')
  })
})

describe('OC-11 the token endpoint', () => {
  test.each([
    [{ access_token: 'a' }, undefined],
    [{ access_token: 'a', token_type: 'bearer' }, undefined],
    [{ access_token: 'a', token_type: 'BEARER', scope: null, refresh_token: '' }, undefined],
    [{ access_token: 'a', token_type: 'Bearer', expires_in: '3600' }, undefined],
    [{ access_token: '' }, 'access_token'],
    [{ access_token: 'a\r\nx: y' }, 'access_token'],
    [{ access_token: 'a', token_type: 'DPoP' }, 'token_type'],
    [{}, 'access_token'],
  ])('%j', async (body, field) => {
    const world = createWorld()
    world.routes.set(TOKEN, json(body))
    const auth = provider(world)
    if (field === undefined) {
      await refuse(auth)
      expect(await token(auth)).toBe('Bearer a')
    } else expect(await failure(refuse(auth))).toMatchObject({ field, url: TOKEN, step: 'token' })
  })

  test('a refusal with status 200 is a refusal', async () => {
    const world = createWorld()
    world.routes.set(TOKEN, json({ error: 'invalid_grant', access_token: 'x' }))
    expect((await failure(refuse(provider(world)))).error).toBe('invalid_grant')
  })

  test('AU-23 a redirect is not followed', async () => {
    const world = createWorld()
    const location = 'https://evil.example.com/token'
    world.routes.set(TOKEN, () => new Response(null, { status: 307, headers: { location } }))
    const error = await failure(refuse(provider(world)))
    expect(error.message).toContain('redirect')
    expect(world.to(location)).toEqual([])
  })

  test('no message holds a code, a verifier, a secret or a token', async () => {
    const world = createWorld()
    world.routes.set(TOKEN, json({ error: 'invalid_request' }, 400))
    const client = { clientId: 'c', clientSecret: 'top-secret', issuer: ISSUER }
    const error = await failure(refuse(provider(world, { client })))
    const form = world.to(TOKEN)[0]?.form
    const text = `${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`
    for (const secret of ['top-secret', 'the-code', form?.get('code_verifier') ?? '']) {
      expect(text).not.toContain(secret)
    }
  })
})
