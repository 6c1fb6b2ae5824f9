import {
  bearerChallenge,
  formatChallenge,
  missingScopes,
  parseChallenges,
  principalOf,
  resourceMetadataUrl,
  resourceMetadataUrls,
  serverMetadataUrls,
} from 'mcp-edge/protocol'
import { describe, expect, test } from 'vitest'

describe('well-known URLs', () => {
  test('the path of a resource follows the well-known path', () => {
    const wellKnown = 'https://a.example/.well-known/oauth-protected-resource'
    expect(resourceMetadataUrl('https://a.example/mcp')).toBe(`${wellKnown}/mcp`)
    expect(resourceMetadataUrl('https://a.example/t/mcp?x=1#f')).toBe(`${wellKnown}/t/mcp?x=1`)
    expect(resourceMetadataUrls('https://a.example/mcp')).toEqual([`${wellKnown}/mcp`, wellKnown])
    expect(resourceMetadataUrls('https://a.example/')).toEqual([wellKnown])
    expect(() => resourceMetadataUrl('/mcp')).toThrow(TypeError)
  })

  test('an issuer is looked up in every place it may be', () => {
    expect(serverMetadataUrls('https://as.example/t/')).toEqual([
      'https://as.example/.well-known/oauth-authorization-server/t',
      'https://as.example/.well-known/openid-configuration/t',
      'https://as.example/t/.well-known/openid-configuration',
    ])
    expect(serverMetadataUrls('https://as.example')).toEqual([
      'https://as.example/.well-known/oauth-authorization-server',
      'https://as.example/.well-known/openid-configuration',
    ])
  })
})

describe('challenges', () => {
  test('AU-01 several challenges, quoted strings, any case', () => {
    const header =
      'Basic realm="a, b=\\"c\\"", BEARER Resource_Metadata="https://a.example/x?y=z" ,' +
      ' scope=mcp, error = "invalid_token" , Negotiate , DPoP algs="ES256"'
    expect(parseChallenges(header)).toEqual([
      { scheme: 'basic', params: new Map([['realm', 'a, b="c"']]) },
      {
        scheme: 'bearer',
        params: new Map([
          ['resource_metadata', 'https://a.example/x?y=z'],
          ['scope', 'mcp'],
          ['error', 'invalid_token'],
        ]),
      },
      { scheme: 'negotiate', params: new Map() },
      { scheme: 'dpop', params: new Map([['algs', 'ES256']]) },
    ])
    expect(bearerChallenge(header)?.params.get('scope')).toBe('mcp')
    expect(bearerChallenge('Basic x')).toBeUndefined()
    expect(bearerChallenge(null)).toBeUndefined()
  })

  test('AU-01 a token after a scheme is no scheme, and rubbish is skipped', () => {
    expect(parseChallenges('Negotiate YWJjZA==, Bearer').map(({ scheme }) => scheme)).toEqual([
      'negotiate',
      'bearer',
    ])
    expect(bearerChallenge('Bearer error="unclosed, scope=mcp')).toBeDefined()
    expect(bearerChallenge('Bearer __proto__="x"')?.params.get('__proto__')).toBe('x')
  })

  test('a hostile header is read in no time', () => {
    const started = performance.now()
    for (const piece of ['a="\\"', 'a="', 'a ', ' ', 'a=', '\\"'])
      parseChallenges(`Bearer ${piece.repeat(20_000)}`)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('RS-10 whatever a value holds stays inside its quotes', () => {
    const header = formatChallenge('Bearer', {
      error: 'invalid_token',
      error_description: 'no "exp"\r\nSet-Cookie: x=\\1 – caf\u00e9 😀',
      scope: undefined,
    })
    expect(header).toBe(
      'Bearer error="invalid_token", error_description="no \\"exp\\" Set-Cookie: x=\\\\1 ? caf? ?"',
    )
    expect(() => new Headers({ 'www-authenticate': header })).not.toThrow()
    expect(parseChallenges(header)[0]?.params.get('error_description')).toBe(
      'no "exp" Set-Cookie: x=\\1 ? caf? ?',
    )
    expect(formatChallenge('Bearer', {})).toBe('Bearer')
  })
})

describe('identities', () => {
  test('SE-09 a principal is issuer, subject and client, whatever token says so', () => {
    const auth = { issuer: 'https://as.example', subject: 'u1', clientId: 'c1', scopes: ['a'] }
    expect(principalOf({ ...auth, scopes: [], expiresAt: 1, claims: { jti: 'x' } })).toBe(
      principalOf(auth),
    )
    const others = [
      { ...auth, subject: 'u2' },
      { ...auth, issuer: 'https://other.example' },
      { ...auth, clientId: 'c2' },
      { ...auth, clientId: undefined },
      { subject: '","u1', scopes: [] },
    ]
    expect(new Set([auth, ...others].map(principalOf)).size).toBe(6)
  })

  test('scopes that are missing are named', () => {
    expect(missingScopes({ subject: 'u', scopes: ['a'] }, ['a', 'b'])).toEqual(['b'])
    expect(missingScopes(undefined, ['a'])).toEqual(['a'])
  })
})
