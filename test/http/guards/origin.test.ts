import { expect, test } from 'vitest'
import { createOriginCheck } from '../../../src/http/guards/origin.ts'

const at = (host: string) => new Request('http://localhost/', { headers: { host } })

test('listed origins pass, in any letter case, and nothing that merely looks like them', () => {
  const check = createOriginCheck(['https://app.example'])
  expect(check(at('localhost'), 'https://APP.example')).toBe(true)
  for (const origin of [
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil',
    'https://app.example/',
    'null',
    '',
  ]) {
    expect(check(at('localhost'), origin)).toBe(false)
  }
})

test('the server’s own origin passes, whatever the scheme in front of a proxy', () => {
  const check = createOriginCheck([])
  expect(check(at('localhost:8080'), 'http://localhost:8080')).toBe(true)
  expect(check(at('mcp.example'), 'https://mcp.example')).toBe(true)
  expect(check(at('mcp.example:443'), 'https://mcp.example')).toBe(true)
  expect(check(at('localhost:8080'), 'http://localhost:8081')).toBe(false)
  expect(check(at('localhost:8080'), 'ftp://localhost:8080')).toBe(false)
  expect(check(at('a b'), 'http://a b')).toBe(false)
})

test('one origin that is no list is a mistake that is named', () => {
  const option: unknown = 'https://app.example.com'
  expect(() => Reflect.apply(createOriginCheck, undefined, [option])).toThrow(
    new TypeError('allowedOrigins must be an array of origins'),
  )
})
