import { expect, test } from 'vitest'
import { clientGrant } from '../../src/oauth/client-grant.ts'
import type { GrantRequest } from '../../src/oauth/renewal.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { createWorld, failure, ISSUER, SERVER } from './world.ts'

const client = { clientId: 'c', clientSecret: 's', issuer: ISSUER }

function request(issuer: string, world = createWorld()): GrantRequest {
  return {
    serverUrl: new URL(SERVER),
    server: { issuer, token_endpoint: `${issuer}/token` },
    storage: memoryTokens(),
    resource: SERVER,
    scope: 'mcp',
    fetch: world.fetch,
    now: () => 0,
  }
}

test('nobody is asked, and no refresh token is wanted', () => {
  const { silent, offline, issuer } = clientGrant(client, async () => ({}))
  expect({ silent, offline, issuer }).toEqual({ silent: true, offline: false, issuer: ISSUER })
})

test('the form goes to the token endpoint with resource and scope', async () => {
  const world = createWorld()
  const grant = clientGrant(client, async ({ scope }) => ({ grant_type: 'own', more: `${scope}!` }))
  expect(await grant.acquire(request(ISSUER, world))).toMatchObject({ expiresAt: 3_600_000 })
  const [call] = world.to(`${ISSUER}/token`)
  expect(Object.fromEntries(call?.form ?? [])).toEqual({
    grant_type: 'own',
    more: 'mcp!',
    resource: SERVER,
    scope: 'mcp',
  })
})

test('AU-16 a strange issuer sees neither the client nor what the form is made of', async () => {
  let made = 0
  const grant = clientGrant(client, async () => {
    made += 1
    return {}
  })
  const strange = request('https://other.example.com')
  expect((await failure(grant.client(strange))).field).toBe('issuer')
  expect((await failure(grant.acquire(strange))).field).toBe('issuer')
  expect(made).toBe(0)
})
