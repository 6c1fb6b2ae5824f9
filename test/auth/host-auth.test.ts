import { describe, expect, test } from 'vitest'
import { fromProps, hostAuth } from '../../src/auth/index.ts'

describe('hostAuth', () => {
  test('hands an identity to the handler of the same request', () => {
    const bridge = hostAuth()
    const request = new Request('https://mcp.example.com/mcp')
    const auth = { subject: 'ada', scopes: [] }
    expect(bridge.authenticate(bridge.attach(request, auth))).toBe(auth)
  })

  test('a request past the host is a mistake, not an anonymous caller', () => {
    const bridge = hostAuth()
    expect(() => bridge.authenticate(new Request('https://mcp.example.com/mcp'))).toThrow(TypeError)
  })
})

describe('fromProps', () => {
  test('reads the members that are named', () => {
    const props = { userId: 'ada', scope: 'read write', client: 'cli', more: 1 }
    const names = { subject: 'userId', scopes: 'scope', clientId: 'client', issuer: 'https://x.y' }
    expect(fromProps(props, names)).toEqual({
      subject: 'ada',
      issuer: 'https://x.y',
      clientId: 'cli',
      scopes: ['read', 'write'],
      claims: props,
    })
  })

  test.each([undefined, null, {}, { userId: '' }, { userId: 7 }])('refuses %j', (props) => {
    expect(() => fromProps(props, { subject: 'userId' })).toThrow(/^fromProps: userId/)
  })
})
