import type { FlattenedJWSInput } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { createKeySet, isSecure, type KeySetOptions } from '../../src/auth/key-set.ts'
import { VerifierUnavailableError } from '../../src/auth/verified-token.ts'
import { JWKS_COOLDOWN_MS, RETRY_AFTER_SECONDS } from '../../src/protocol/limits.ts'
import { createIssuer, ISSUER, type Issuer } from './issuer.ts'

const token: FlattenedJWSInput = { payload: '', signature: '' }
let issuer: Issuer
let now = 0

beforeEach(async () => {
  issuer = await createIssuer()
  now = 1_000_000
})

function keySet(options: Partial<KeySetOptions> = {}) {
  const { fetch } = issuer
  const all = { issuer: ISSUER, cacheMs: 100_000, singleFlight: 'shared', fetch } as const
  const keys = createKeySet({ ...all, now: () => now, ...options })
  return (kid: string) => keys({ alg: 'ES256', kid }, token)
}

test('keys that are given are not asked for', async () => {
  await keySet({ jwks: { keys: [issuer.publicKey] } })('first')
  expect(issuer.asked).toEqual([])
})

test('a URL that is given is asked at once, without the metadata', async () => {
  await keySet({ jwks: `${ISSUER}/jwks` })('first')
  expect(issuer.asked).toEqual([`${ISSUER}/jwks`])
})

test('keys are used for their time, then asked for again', async () => {
  const find = keySet({ jwks: `${ISSUER}/jwks` })
  await find('first')
  now += 99_999
  await find('first')
  expect(issuer.asked).toHaveLength(1)
  now += 1
  await find('first')
  expect(issuer.asked).toHaveLength(2)
})

test('an unknown key is looked for once in a cool-down', async () => {
  const find = keySet({ jwks: `${ISSUER}/jwks` })
  await find('first')
  now += JWKS_COOLDOWN_MS - 1
  await expect(find('second')).rejects.toThrow(/no applicable key/)
  expect(issuer.asked).toHaveLength(1)
  issuer.keys.push({ ...issuer.publicKey, kid: 'second' })
  now += 1
  await find('second')
  await expect(find('third')).rejects.toThrow(/no applicable key/)
  expect(issuer.asked).toHaveLength(2)
})

test('after a failure nobody is asked for a while', async () => {
  const find = keySet({ jwks: `${ISSUER}/jwks` })
  issuer.outage = async () => new Response(null, { status: 500 })
  await expect(find('first')).rejects.toThrow(VerifierUnavailableError)
  issuer.outage = undefined
  now += RETRY_AFTER_SECONDS * 1000 - 1
  await expect(find('first')).rejects.toThrow(VerifierUnavailableError)
  expect(issuer.asked).toHaveLength(1)
  now += 1
  await find('first')
})

test.each([
  ['no object', []],
  ['no keys', {}],
  ['keys that are none', { keys: ['x'] }],
])('a document with %s is named in the error', async (_, document) => {
  const find = keySet({ jwks: `${ISSUER}/jwks`, fetch: async () => Response.json(document) })
  await expect(find('first')).rejects.toThrow(`${ISSUER}/jwks holds no key set`)
})

test.each([
  [{ issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/jwks` }, `does not have the issuer ${ISSUER}`],
  [{ issuer: ISSUER }, 'has no usable jwks_uri'],
  [{ issuer: ISSUER, jwks_uri: 'http://as.example.com/jwks' }, 'has no usable jwks_uri'],
])('metadata %j is refused, and every place that was tried is named', async (document, why) => {
  const asked: string[] = []
  const find = keySet({
    fetch: async (url) => {
      asked.push(url)
      return Response.json(document)
    },
  })
  const error = await Promise.resolve(find('first')).catch((thrown: unknown) => thrown)
  expect(asked).toHaveLength(2)
  for (const url of asked) expect(String(error)).toContain(`${url} ${why}`)
})

test.each([
  ['https://as.example.com', true],
  ['http://localhost:8080', true],
  ['http://app.localhost', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:80', true],
  ['http://as.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['http://notlocalhost', false],
  ['ws://localhost', false],
  ['as.example.com', false],
])('%s is secure: %s', (url, secure) => {
  expect(isSecure(url)).toBe(secure)
})
