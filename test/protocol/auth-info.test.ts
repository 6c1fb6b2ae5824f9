import { describe, expect, test } from 'vitest'
import { missingScopes, principalOf, scopeChallenge } from '../../src/protocol/auth-info.ts'

describe('a principal', () => {
  test('is the same for the same issuer, subject and client', () => {
    const auth = { subject: 'ada', issuer: 'https://as.example', clientId: 'cli', scopes: [] }
    expect(principalOf(auth)).toBe(principalOf({ ...auth, scopes: ['other'], expiresAt: 1 }))
  })

  test.each([
    ['subject', { subject: 'bob' }],
    ['issuer', { issuer: 'https://other.example' }],
    ['client', { clientId: 'web' }],
  ])('differs when the %s differs', (_what, change) => {
    const auth = { subject: 'ada', issuer: 'https://as.example', clientId: 'cli', scopes: [] }
    expect(principalOf({ ...auth, ...change })).not.toBe(principalOf(auth))
  })

  test('cannot be forged by moving text from one part to the next', () => {
    const one = principalOf({ subject: 'a","b', clientId: 'c', scopes: [] })
    const other = principalOf({ subject: 'a', clientId: 'b","c', scopes: [] })
    expect(one).not.toBe(other)
  })
})

describe('scopes', () => {
  test('what is missing is named in the order of need', () => {
    const auth = { subject: 'ada', scopes: ['read'] }
    expect(missingScopes(auth, ['write', 'read', 'admin'])).toEqual(['write', 'admin'])
    expect(missingScopes(undefined, ['read'])).toEqual(['read'])
    expect(missingScopes(auth, [])).toEqual([])
  })

  test('the challenge names what is needed and where the metadata is', () => {
    const resourceMetadata = 'https://mcp.example/.well-known/oauth-protected-resource'
    const challenge = scopeChallenge({ subject: 'ada', scopes: [], resourceMetadata }, ['a', 'b'])
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", /)
    expect(challenge).toContain('scope="a b"')
    expect(challenge).toContain(`resource_metadata="${resourceMetadata}"`)
    expect(scopeChallenge(undefined, ['a'])).not.toContain('resource_metadata')
  })
})
