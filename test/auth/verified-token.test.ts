import { expect, test } from 'vitest'
import { InvalidTokenError, VerifierUnavailableError } from '../../src/auth/verified-token.ts'

test.each([InvalidTokenError, VerifierUnavailableError])(
  'an error has its own name and keeps its cause: %o',
  (Kind) => {
    const cause = new TypeError('below')
    const error = new Kind('above', { cause })
    expect([String(error), error.cause]).toEqual([`${Kind.name}: above`, cause])
  },
)

test('neither is the other: one asks for another token, one for patience', () => {
  expect(new InvalidTokenError('x')).not.toBeInstanceOf(VerifierUnavailableError)
  expect(new VerifierUnavailableError('x')).not.toBeInstanceOf(InvalidTokenError)
})
