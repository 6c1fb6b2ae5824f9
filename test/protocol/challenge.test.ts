import { describe, expect, test } from 'vitest'
import { bearerChallenge, formatChallenge, parseChallenges } from '../../src/protocol/challenge.ts'

const plain = (header: string | null) =>
  parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)])

describe('reading WWW-Authenticate', () => {
  test.each([
    [null, []],
    ['', []],
    ['Bearer', [['bearer', {}]]],
    [
      'Bearer realm="a, b", error=invalid_token',
      [['bearer', { realm: 'a, b', error: 'invalid_token' }]],
    ],
    ['Bearer scope="say \\"hi\\""', [['bearer', { scope: 'say "hi"' }]]],
    [
      'Basic realm="x", Bearer error="e"',
      [
        ['basic', { realm: 'x' }],
        ['bearer', { error: 'e' }],
      ],
    ],
    [
      'Negotiate dG9rZW4=, Bearer',
      [
        ['negotiate', {}],
        ['bearer', {}],
      ],
    ],
    ['BEARER Realm = "x"', [['bearer', { realm: 'x' }]]],
    ['Bearer error="first", error="second"', [['bearer', { error: 'first' }]]],
    ['Bearer __proto__="x"', [['bearer', Object.fromEntries([['__proto__', 'x']])]]],
  ])('%j', (header, expected) => {
    expect(plain(header)).toEqual(expected)
  })

  test('a header of megabytes is read up to a bound', () => {
    for (const part of ['a="\\', '\\a', ', ', 'a =', ' ', '"', 'a ', 'a="'])
      expect(parseChallenges(`Bearer ${part.repeat(2_000_000)}`).length).toBeLessThan(16_384)
  })

  test('the bearer challenge is found among others', () => {
    const found = bearerChallenge('Digest nonce="n", Bearer resource_metadata="https://a/b"')
    expect(found?.params.get('resource_metadata')).toBe('https://a/b')
    expect(bearerChallenge('Basic realm="x"')).toBeUndefined()
  })
})

describe('writing it', () => {
  test('values are quoted, and what is undefined is left out', () => {
    expect(formatChallenge('Bearer', { error: 'e', scope: undefined })).toBe('Bearer error="e"')
    expect(formatChallenge('Bearer', {})).toBe('Bearer')
  })

  test('nothing can end a header or a value', () => {
    const written = formatChallenge('Bearer', { error_description: 'a"b\\c\r\nX: y ü' })
    expect(written).toBe('Bearer error_description="a\\"b\\\\c X: y ?"')
    expect(bearerChallenge(written)?.params.get('error_description')).toBe('a"b\\c X: y ?')
  })
})
