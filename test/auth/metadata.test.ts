import { describe, expect, test } from 'vitest'
import { protectedResourceMetadata } from '../../src/auth/index.ts'

const RESOURCE = 'https://mcp.example.com/api/mcp'
const ISSUER = 'https://as.example.com'
const PATH = 'https://mcp.example.com/.well-known/oauth-protected-resource'
const metadata = protectedResourceMetadata({
  resource: RESOURCE,
  issuer: ISSUER,
  scopes: ['mcp', 'offline_access'],
  name: 'Weather',
})

describe('protectedResourceMetadata', () => {
  test.each([`${PATH}/api/mcp`, PATH, `${PATH}/api/mcp/`])(
    'AR-01 AR-02 answers at %s',
    async (url) => {
      const response = metadata(new Request(url))
      expect(response?.status).toBe(200)
      expect(response?.headers.get('access-control-allow-origin')).toBe('*')
      expect(response?.headers.get('cache-control')).toContain('max-age')
      expect(await response?.json()).toEqual({
        resource: RESOURCE,
        authorization_servers: [ISSUER],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
        resource_name: 'Weather',
      })
    },
  )

  test.each([`${PATH}/api/mcp2`, `${PATH}x`, `${PATH}/api`, 'https://mcp.example.com/api/mcp'])(
    'leaves %s to others',
    (url) => {
      expect(metadata(new Request(url))).toBeUndefined()
    },
  )

  test('AR-02 answers HEAD and OPTIONS, and refuses the rest', async () => {
    const head = metadata(new Request(PATH, { method: 'HEAD' }))
    expect([head?.status, await head?.text()]).toEqual([200, ''])
    const preflight = metadata(
      new Request(PATH, {
        method: 'OPTIONS',
        headers: { 'access-control-request-headers': 'mcp-protocol-version' },
      }),
    )
    expect(preflight?.status).toBe(204)
    expect(preflight?.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version')
    const post = metadata(new Request(PATH, { method: 'POST' }))
    expect([post?.status, post?.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('AR-12 never lists offline_access', async () => {
    expect(await metadata(new Request(PATH))?.text()).not.toContain('offline_access')
  })

  test('RS-03 NX-03 says the configured URL, whatever the request or its headers say', async () => {
    const request = new Request('http://10.0.0.5:8080/.well-known/oauth-protected-resource', {
      headers: { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
    })
    const body = await metadata(request)?.text()
    expect(body).toContain(RESOURCE)
    expect(body).not.toMatch(/evil|10\.0\.0\.5/)
  })

  test('RS-03 believes a proxy only where that is said', async () => {
    const behind = protectedResourceMetadata({ resource: '/mcp', trustProxy: true, issuer: ISSUER })
    const request = new Request('http://10.0.0.5:8080/.well-known/oauth-protected-resource/mcp', {
      headers: { 'x-forwarded-host': 'mcp.example.com', 'x-forwarded-proto': 'https' },
    })
    expect(await behind(request)?.json()).toMatchObject({ resource: 'https://mcp.example.com/mcp' })
    expect(() => protectedResourceMetadata({ resource: '/mcp', issuer: ISSUER })).toThrow(
      /^resource/,
    )
  })

  test('AR-01 has to name an authorization server', () => {
    expect(() => protectedResourceMetadata({ resource: RESOURCE, issuer: [] })).toThrow(/^issuer/)
  })
})
