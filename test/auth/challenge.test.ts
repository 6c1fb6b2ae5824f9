import { expect, test } from 'vitest'
import {
  challengeResponse,
  insufficientScope,
  methodNotAllowed,
  unavailableResponse,
} from '../../src/auth/challenge.ts'
import { bearerChallenge } from '../../src/protocol/challenge.ts'

const resourceMetadata = 'https://mcp.example.com/.well-known/oauth-protected-resource'
const hints = { resourceMetadata, scopes: ['read', 'write'] }

function paramsOf({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries(bearerChallenge(headers.get('www-authenticate'))?.params ?? [])
}

test.each([
  ['missing', 401, undefined],
  ['invalid_request', 400, 'invalid_request'],
  ['invalid_token', 401, 'invalid_token'],
] as const)('%s is a %d with the error %s', async (reason, status, error) => {
  const response = challengeResponse(reason, hints)
  expect(response.status).toBe(status)
  const { error_description: description, ...params } = paramsOf(response)
  expect(params).toEqual({
    ...(error === undefined ? {} : { error }),
    scope: 'read write',
    resource_metadata: resourceMetadata,
  })
  const body = await response.json()
  expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
  expect(body.id ?? null).toBeNull()
  expect(description).toBe(error === undefined ? undefined : body.error.message)
})

test('no scope is named where none is needed, not an empty one', () => {
  expect(paramsOf(challengeResponse('missing', { resourceMetadata, scopes: [] }))).toEqual({
    resource_metadata: resourceMetadata,
  })
})

test('a page may read every header that says something, and nothing is kept', () => {
  const { headers } = challengeResponse('invalid_token', hints)
  expect(headers.get('access-control-expose-headers')).toBe('www-authenticate')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-type')).toBe('application/json')
})

test('AR-05 missing scopes are a 403 that names all of them, and answers the request', async () => {
  const auth = { subject: 'ada', scopes: ['read'], resourceMetadata }
  const response = insufficientScope(auth, ['read', 'write'], 7)
  expect(response.status).toBe(403)
  expect(paramsOf(response)).toMatchObject({
    error: 'insufficient_scope',
    scope: 'read write',
    resource_metadata: resourceMetadata,
  })
  expect(await response.json()).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('read write') },
  })
})

test('while nobody can tell there is a time to come back, and no challenge', async () => {
  const { status, headers } = unavailableResponse()
  expect([status, headers.get('www-authenticate')]).toEqual([503, null])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('access-control-expose-headers')).toBe('retry-after')
})

test('a method that a document does not have is a 405 that names those it has', () => {
  const { status, headers } = methodNotAllowed('GET, HEAD')
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
