import { decodeJwt, exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { clientCredentials, privateKeyJwt } from '../../src/oauth/index.ts'
import {
  addIssuer,
  createWorld,
  ISSUER,
  json,
  refuse,
  resourceMetadata,
  SERVER,
  token,
  tokens,
  failure,
} from './world.ts'

const TOKEN = `${ISSUER}/token`
const OTHER = 'https://other.example.com'

describe('clientCredentials', () => {
  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'shows its secret by %s',
    async (method) => {
      const world = createWorld()
      addIssuer(world, ISSUER, { token_endpoint_auth_methods_supported: [method] })
      const auth = clientCredentials({
        clientId: 'c',
        clientSecret: 's',
        scopes: ['mcp'],
        fetch: world.fetch,
      })
      expect(await refuse(auth)).toBe('retry')
      const [call] = world.to(TOKEN)
      expect(call?.headers.get('authorization')).toBe(
        method === 'client_secret_basic' ? `Basic ${btoa('c:s')}` : null,
      )
      expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
        grant_type: 'client_credentials',
        resource: SERVER,
        scope: 'mcp',
      })
      expect(world.to(`${ISSUER}/register`)).toEqual([])
    },
  )

  test('a token that is about to expire is replaced without a refusal, once', async () => {
    const world = createWorld()
    let now = Date.now()
    world.routes.set(TOKEN, tokens({ expires_in: 60 }))
    const auth = clientCredentials({
      clientId: 'c',
      clientSecret: 's',
      fetch: world.fetch,
      now: () => now,
    })
    await refuse(auth)
    const first = await token(auth)
    now += 45_000
    const sent = await Promise.all(Array.from({ length: 20 }, () => token(auth)))
    expect(new Set(sent).size).toBe(1)
    expect(sent[0]).not.toBe(first)
    expect(world.to(TOKEN).length).toBe(2)
  })

  test('AU-16 the secret stays with the first issuer met', async () => {
    const world = createWorld()
    const auth = clientCredentials({ clientId: 'c', clientSecret: 's3cret', fetch: world.fetch })
    await refuse(auth)
    addIssuer(world, OTHER)
    world.routes.set(
      'https://mcp.example.com/.well-known/oauth-protected-resource/api/mcp',
      json(resourceMetadata(OTHER)),
    )
    expect((await failure(refuse(auth))).message).toContain(OTHER)
    expect(world.to(`${OTHER}/token`)).toEqual([])
  })

  test('a refused secret is told, and the secret is not', async () => {
    const world = createWorld()
    world.routes.set(TOKEN, json({ error: 'invalid_client' }, 401))
    const auth = clientCredentials({ clientId: 'c', clientSecret: 's3cret', fetch: world.fetch })
    const error = await failure(refuse(auth))
    expect(error.error).toBe('invalid_client')
    expect(String(error.stack)).not.toContain('s3cret')
  })

  test('a new token that is refused too is not asked for again', async () => {
    const world = createWorld()
    const auth = clientCredentials({ clientId: 'c', clientSecret: 's', fetch: world.fetch })
    await refuse(auth)
    expect(await refuse(auth, { attempt: 2 })).toBe('fail')
    expect(world.to(TOKEN).length).toBe(1)
  })
})

describe('AU-21 privateKeyJwt', () => {
  test.each(['pem', 'jwk', 'key'] as const)('signs with a key given as %s', async (form) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const forms = {
      pem: await exportPKCS8(privateKey),
      jwk: await exportJWK(privateKey),
      key: privateKey,
    }
    const world = createWorld()
    addIssuer(world, ISSUER, { token_endpoint_auth_methods_supported: ['private_key_jwt'] })
    const auth = privateKeyJwt({
      clientId: 'c',
      privateKey: forms[form],
      keyId: 'k',
      fetch: world.fetch,
    })
    await refuse(auth)
    const sent = world.to(TOKEN)[0]?.form
    expect(sent?.get('client_assertion_type')).toBe(
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    )
    const { payload, protectedHeader } = await jwtVerify(
      sent?.get('client_assertion') ?? '',
      publicKey,
      {
        issuer: 'c',
        subject: 'c',
        audience: ISSUER,
        algorithms: ['ES256'],
        requiredClaims: ['jti', 'iat', 'exp'],
      },
    )
    expect(protectedHeader.kid).toBe('k')
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(300)
  })

  test('every assertion has its own id', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const world = createWorld()
    addIssuer(world, ISSUER, { token_endpoint_auth_methods_supported: ['private_key_jwt'] })
    const ids = new Set<unknown>()
    for (let round = 0; round < 3; round += 1) {
      await refuse(privateKeyJwt({ clientId: 'c', privateKey, fetch: world.fetch }))
    }
    for (const { form } of world.to(TOKEN))
      ids.add(decodeJwt(form.get('client_assertion') ?? '').jti)
    expect(ids.size).toBe(3)
  })

  test('a server without the algorithm is refused by field', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const world = createWorld()
    addIssuer(world, ISSUER, {
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
    })
    const error = await failure(
      refuse(privateKeyJwt({ clientId: 'c', privateKey, fetch: world.fetch })),
    )
    expect(error.field).toBe('token_endpoint_auth_signing_alg_values_supported')
  })
})
