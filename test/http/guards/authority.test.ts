import { expect, test } from 'vitest'
import { authorityOf, isLoopback, parseAuthority } from '../../../src/http/guards/authority.ts'

test.each([
  ['localhost', 'localhost', ''],
  ['LOCALHOST:80', 'localhost', '80'],
  ['a-b.example.com.:65535', 'a-b.example.com.', '65535'],
  ['[::1]:1', '[::1]', '1'],
  ['[::FFFF:1.2.3.4]', '[::ffff:1.2.3.4]', ''],
])('%s is an authority', (text, name, port) => {
  expect(parseAuthority(text)).toEqual({ name, port })
})

test.each([
  '',
  ' ',
  ':80',
  'a:',
  'a:b',
  'a:123456',
  'a@b',
  'a/b',
  'a b',
  '[::1]x',
  '[::1',
  'a..b',
  '.a',
  'http://a',
  'a\\b',
  'é',
])('%j is none', (text) => {
  expect(parseAuthority(text)).toBeUndefined()
})

test('the Host header counts, and the URL where there is none', () => {
  expect(authorityOf(new Request('http://a.example:1/x'))).toBe('a.example:1')
  expect(authorityOf(new Request('http://a.example/x', { headers: { host: 'b.example' } }))).toBe(
    'b.example',
  )
})

test('three names mean this machine', () => {
  expect(['localhost', '127.0.0.1', '[::1]'].every(isLoopback)).toBe(true)
  expect(['localhost.', '127.0.0.2', '0.0.0.0', '::1', 'a.localhost'].some(isLoopback)).toBe(false)
})
