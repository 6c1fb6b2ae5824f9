import { expect, test } from 'vitest'
import { resourceReader } from '../../src/auth/resource.ts'

function at(url: string, headers: Record<string, string> = {}): Request {
  return new Request(url, { headers })
}

test('the configured URL is the resource, byte for byte, whatever a request says', () => {
  const read = resourceReader({ resource: 'https://MCP.example.com:443/a/../mcp' })
  const forwarded = { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' }
  expect(read(at('http://10.0.0.5/mcp', forwarded))).toBe('https://MCP.example.com:443/a/../mcp')
})

test.each(['http://mcp.example.com/mcp', 'https://mcp.example.com/mcp#x', 'mcp', '', '/mcp'])(
  'the resource %j is refused by name',
  (resource) => {
    expect(() => resourceReader({ resource })).toThrow(/^resource: has to be the public URL/)
  },
)

test.each([
  [{}, 'http://10.0.0.5:8080/mcp'],
  [{ 'x-forwarded-proto': 'https' }, 'https://10.0.0.5:8080/mcp'],
  [
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example.com' },
    'https://a.example.com/mcp',
  ],
  [
    { 'x-forwarded-proto': ' https , http', 'x-forwarded-host': 'a.example.com, 10.0.0.1' },
    'https://a.example.com/mcp',
  ],
  [{ 'x-forwarded-proto': '', 'x-forwarded-host': ' ' }, 'http://10.0.0.5:8080/mcp'],
  [{ 'x-forwarded-host': 'a.example.com/evil?x=' }, 'http://a.example.com/mcp'],
  [{ 'x-forwarded-host': 'a b' }, 'http://10.0.0.5:8080/mcp'],
])('a trusted proxy that says %j makes it %s', (headers, resource) => {
  const read = resourceReader({ resource: '/mcp', trustProxy: true })
  expect(read(at('http://10.0.0.5:8080/internal', headers))).toBe(resource)
})

test('behind a proxy the root is the bare origin', () => {
  const read = resourceReader({ resource: '/', trustProxy: true })
  expect(read(at('https://mcp.example.com/x'))).toBe('https://mcp.example.com')
})
