import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { privateKeyAssertion } from '../../src/oauth/assertion.ts'
import { ASSERTION_LIFETIME_S } from '../../src/protocol/limits.ts'
import { ISSUER } from './world.ts'

const server = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` }

test('is by the client, about the client, for this issuer, and for a short while', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  const assertion = await privateKeyAssertion({ clientId: 'c', privateKey })(server)
  const { iss, sub, aud, iat = 0, exp = 0 } = decodeJwt(assertion)
  expect([iss, sub, aud]).toEqual(['c', 'c', ISSUER])
  expect(exp - iat).toBe(ASSERTION_LIFETIME_S)
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'ES256' })
})

test('names its key and its algorithm where that is said', async () => {
  const { privateKey } = await generateKeyPair('EdDSA')
  const options = { clientId: 'c', privateKey, algorithm: 'EdDSA', keyId: 'k' }
  const assertion = await privateKeyAssertion(options)(server)
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'EdDSA', kid: 'k' })
})

test('a server that lists other algorithms is refused, one that lists none is not', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  const assertion = privateKeyAssertion({ clientId: 'c', privateKey })
  const field = 'token_endpoint_auth_signing_alg_values_supported'
  await expect(assertion({ ...server, [field]: ['RS256'] })).rejects.toMatchObject({
    step: 'token',
    field,
    message: `${field} in ${ISSUER}/ lacks ES256`,
  })
  expect(await assertion({ ...server, [field]: ['RS256', 'ES256'] })).toMatch(/^ey/)
})
