import { describe, expect, test } from 'vitest'
import { crossAppAccess, requestIdJag } from '../../src/oauth/cross-app-access.ts'
import {
  addIssuer,
  createWorld,
  failure,
  ISSUER,
  json,
  refuse,
  resourceMetadata,
  SERVER,
  token,
} from './world.ts'

const TOKEN = `${ISSUER}/token`
const OTHER = 'https://other.example.com'

describe('AU-22 crossAppAccess', () => {
  const idp = 'https://idp.example.com/token'
  const jag = { access_token: 'the.id.jag', token_type: 'N_A', expires_in: 60 }

  function provider(world: ReturnType<typeof createWorld>) {
    return crossAppAccess({
      client: { clientId: 'at-as', clientSecret: 'as-secret', issuer: ISSUER },
      scopes: ['mcp'],
      fetch: world.fetch,
      idJag: (target) =>
        requestIdJag({
          ...target,
          tokenEndpoint: idp,
          client: { clientId: 'at-idp', clientSecret: 'idp-secret' },
          subjectToken: 'the.id.token',
        }),
    })
  }

  test('trades an ID token for an assertion, and the assertion for a token', async () => {
    const world = createWorld()
    world.routes.set(idp, json(jag))
    const auth = provider(world)
    expect(await refuse(auth)).toBe('retry')
    expect(Object.fromEntries(world.to(idp)[0]?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token: 'the.id.token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: ISSUER,
      resource: SERVER,
      scope: 'mcp',
    })
    const [call] = world.to(TOKEN)
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'the.id.jag',
    })
    expect(call?.headers.get('authorization')).toBe(`Basic ${btoa('at-as:as-secret')}`)
    expect(await token(auth)).toMatch(/^Bearer token-/)
  })

  test('a Bearer token in the place of the assertion is refused', async () => {
    const world = createWorld()
    world.routes.set(idp, json({ ...jag, token_type: 'Bearer' }))
    expect(await failure(refuse(provider(world)))).toMatchObject({ field: 'token_type', url: idp })
  })

  test('the identity provider is not asked on behalf of a strange issuer', async () => {
    const world = createWorld()
    addIssuer(world, OTHER)
    world.routes.set(
      'https://mcp.example.com/.well-known/oauth-protected-resource/api/mcp',
      json(resourceMetadata(OTHER)),
    )
    await failure(refuse(provider(world)))
    expect(world.to(idp)).toEqual([])
  })

  test('a rejected assertion is neither retried nor replaced by another grant', async () => {
    const world = createWorld()
    world.routes.set(idp, json(jag))
    world.routes.set(TOKEN, json({ error: 'invalid_grant' }, 400))
    expect((await failure(refuse(provider(world)))).error).toBe('invalid_grant')
    expect(world.to(TOKEN).length).toBe(1)
  })

  test('AU-27 an identity provider at http is refused', async () => {
    const request = {
      tokenEndpoint: 'http://idp.example.com/token',
      client: { clientId: 'c' },
      subjectToken: 't',
      audience: ISSUER,
      resource: SERVER,
    }
    expect((await failure(requestIdJag(request))).field).toBe('tokenEndpoint')
  })

  test.each([
    [undefined, 'urn:ietf:params:oauth:token-type:id_token'],
    ['saml2', 'urn:ietf:params:oauth:token-type:saml2'],
  ] as const)('a subject token of the type %s is called %s', async (subjectTokenType, type) => {
    const world = createWorld()
    world.routes.set(idp, json(jag))
    const assertion = await requestIdJag({
      tokenEndpoint: idp,
      client: { clientId: 'c' },
      subjectToken: 't',
      subjectTokenType,
      audience: ISSUER,
      resource: SERVER,
      fetch: world.fetch,
    })
    expect(assertion).toBe('the.id.jag')
    const [call] = world.to(idp)
    expect(call?.form.get('subject_token_type')).toBe(type)
    expect(call?.form.has('scope')).toBe(false)
  })
})
