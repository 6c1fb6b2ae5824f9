import { expect, test } from 'vitest'
import {
  checkMirroredHeaders,
  checkNotificationHeaders,
  checkVersionHeader,
} from '../../src/http/mirrored-headers.ts'

const version = { 'mcp-protocol-version': '2026-07-28' }

function check(method: string, params: Record<string, unknown>, headers: Record<string, string>) {
  return () => checkMirroredHeaders(new Headers(headers), { jsonrpc: '2.0', id: 1, method, params })
}

test('HD-01 HD-02 version and method have to be there', () => {
  expect(check('a/b', {}, { 'mcp-method': 'a/b' })).toThrow(/mcp-protocol-version is missing/)
  expect(check('a/b', {}, version)).toThrow(/mcp-method is missing/)
  expect(check('a/b', {}, { ...version, 'mcp-method': 'A/b' })).toThrow(/mcp-method differs/)
  check('a/b', {}, { ...version, 'mcp-method': ' a/b ' })()
})

test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('HD-25 %s mirrors taskId', (method) => {
  const sent = { ...version, 'mcp-method': method }
  expect(check(method, { taskId: 't' }, sent)).toThrow(/mcp-name is missing/)
  expect(check(method, { taskId: 't' }, { ...sent, 'mcp-name': 'u' })).toThrow(/mcp-name differs/)
  check(method, { taskId: 't' }, { ...sent, 'mcp-name': 't' })()
})

test('HD-06 HD-07 HD-08 HD-09 names are decoded strictly, and literals are literal', () => {
  const named = (name: string, header: string) =>
    check('tools/call', { name }, { ...version, 'mcp-method': 'tools/call', 'mcp-name': header })
  named('日本語', '=?base64?5pel5pys6Kqe?=')()
  named('=?BASE64?aGk=?=', '=?BASE64?aGk=?=')()
  for (const header of ['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=']) {
    expect(named('Hello', header)).toThrow(/mcp-name differs/)
  }
})

test('a method that mirrors no name ignores the header', () => {
  check('tools/list', { name: 'x' }, { ...version, 'mcp-method': 'tools/list', 'mcp-name': 'y' })()
})

test('versions and notifications are compared only where the header is there', () => {
  checkVersionHeader(new Headers(), 'x')
  expect(() => checkVersionHeader(new Headers(version), 'x')).toThrow(
    /mcp-protocol-version differs/,
  )
  const message = { jsonrpc: '2.0', method: 'a/b' } as const
  checkNotificationHeaders(new Headers(), message)
  expect(() => checkNotificationHeaders(new Headers({ 'mcp-method': 'c' }), message)).toThrow(
    /mcp-method differs/,
  )
})
