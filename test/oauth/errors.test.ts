import { expect, test } from 'vitest'
import {
  AuthorizationRequiredError,
  fieldError,
  OAuthError,
  printable,
  refusal,
  withoutQuery,
} from '../../src/oauth/errors.ts'

const url = 'https://user:pass@as.example.com:8443/token?code=secret#secret'
const shown = 'https://as.example.com:8443/token'

test('an error says which step failed and where, and shows no secret of the URL', () => {
  const cause = new TypeError('below')
  const error = new OAuthError('token', 'why', { url, field: 'f', error: 'e', cause })
  expect(error).toMatchObject({
    name: 'OAuthError',
    step: 'token',
    url: shown,
    field: 'f',
    error: 'e',
  })
  expect(error.cause).toBe(cause)
  expect('cause' in new OAuthError('token', 'why')).toBe(false)
})

test('a sign-in that is needed is one of them, with the page', () => {
  const error = new AuthorizationRequiredError('https://as.example.com/authorize?state=x')
  expect(error).toBeInstanceOf(OAuthError)
  expect(error).toMatchObject({ name: 'AuthorizationRequiredError', step: 'authorization' })
  expect(error.authorizationUrl).toContain('state=x')
  expect(error.message).not.toContain('state=x')
})

test('a field is named with the document it is in', () => {
  const fault = { step: 'server-metadata', field: 'issuer', url } as const
  expect(fieldError(fault, 'is missing')).toMatchObject({
    message: `issuer in ${shown} is missing`,
    field: 'issuer',
    url: shown,
  })
  expect(fieldError({ step: 'callback', field: 'code' }, 'is missing').message).toBe(
    'code is missing',
  )
})

test('a refusal keeps the code as it came, and shows the words on one line', () => {
  const error = refusal({ step: 'token', url }, 'invalid\ngrant', 'no\r\n\u001b[31mway')
  expect(error.error).toBe('invalid\ngrant')
  expect(error.message).toBe(`${shown} refused: invalid grant: no [31mway`)
  expect(refusal({ step: 'token', url }, 'e').message).toBe(`${shown} refused: e`)
})

test.each([
  ['not a url\n?code=x', 'not a url ?code=x'],
  ['https://a.example.com', 'https://a.example.com/'],
  ['com.example.app:/cb?code=x', 'com.example.app:///cb'],
])('%j may be shown as %j', (given, safe) => {
  expect(withoutQuery(given)).toBe(safe)
})

test.each([
  ['  a\tb\u0000\u0085c  ', 'a b c'],
  ['größe 日本', 'größe 日本'],
  ['\n', ''],
  ['x'.repeat(500), 'x'.repeat(200)],
])('%j is printed as %j', (text, line) => {
  expect(printable(text)).toBe(line)
})
