import { beforeEach, describe, expect, test } from 'vitest'
import { createHandler, McpServer, type HandlerOptions } from 'mcp-edge'
import { bearerAuth, hostAuth, type Authenticate } from '../../src/auth/index.ts'
import { call } from '../support/call.ts'
import { legacy, modern } from '../support/requests.ts'
import { createIssuer, ISSUER, type Issuer } from './issuer.ts'

const resource = 'http://localhost/mcp'
const origin = 'https://app.example.com'
let issuer: Issuer
let errors: unknown[]

beforeEach(async () => {
  issuer = await createIssuer()
  errors = []
})

function handlerWith(authenticate: Authenticate, options: Partial<HandlerOptions> = {}) {
  const onError = (error: unknown) => errors.push(error)
  const server = new McpServer({ name: 'guarded', version: '1.0.0', onError })
  server.tool('whoami', {}, (_, ctx) => ctx.auth?.subject ?? 'nobody')
  server.tool('wipe', { scopes: ['mcp', 'admin'] }, () => 'wiped')
  return createHandler(server, { authenticate, allowedOrigins: [origin], ...options })
}

function guarded() {
  const { fetch } = issuer
  return handlerWith(bearerAuth({ issuer: ISSUER, resource, scopes: ['mcp'], fetch }))
}

describe('a guarded handler', () => {
  test.each(['GET', 'DELETE', 'POST'])('AR-06 refuses a %s without a token', async (method) => {
    const response = await guarded()(new Request(resource, { method }))
    expect(response.status).toBe(401)
  })

  test('AR-06 a session does not stand for a token', async () => {
    const handler = guarded()
    const headers = { authorization: `Bearer ${await issuer.token({ aud: resource })}` }
    const opened = await handler(legacy('initialize', {}, { headers }))
    const session = opened.headers.get('mcp-session-id') ?? undefined
    expect([opened.status, session]).toEqual([200, expect.any(String)])
    expect((await handler(legacy('tools/list', {}, { session }))).status).toBe(401)
    expect((await handler(legacy('tools/list', {}, { session, headers }))).status).toBe(200)
  })

  test('lets a page read the challenge, and answers its preflight without a token', async () => {
    const handler = guarded()
    const preflight = await handler(
      new Request(resource, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      }),
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const refused = await handler(modern('tools/list', {}, { headers: { origin } }))
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate')
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
  })

  test.each(['json', 'sse'] as const)(
    'AR-14 RS-09 a step-up is a 403 where answers are %s',
    async (responses) => {
      const { fetch } = issuer
      const authenticate = bearerAuth({ issuer: ISSUER, resource, scopes: ['mcp'], fetch })
      const handler = handlerWith(authenticate, { responses })
      const headers = { authorization: `Bearer ${await issuer.token({ aud: resource })}` }
      const wipe = modern('tools/call', { name: 'wipe', arguments: {} }, { headers, id: 7 })
      const answer = await call(handler, wipe, { wire: false })
      expect(answer.status).toBe(403)
      expect(answer.response).toMatchObject({ id: 7, error: { code: -32600 } })
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer error="insufficient_scope".*scope="mcp admin", resource_metadata="http/,
      )
      const allowed = await issuer.token({ aud: resource, scope: 'mcp admin' })
      const again = modern(
        'tools/call',
        { name: 'wipe', arguments: {} },
        { headers: { authorization: `Bearer ${allowed}` } },
      )
      expect((await call(handler, again)).result).toMatchObject({ content: [{ text: 'wiped' }] })
    },
  )
})

describe('a guard that forgets to answer', () => {
  test('is our error, and never an anonymous caller', async () => {
    // What plain JavaScript can do and the type does not allow.
    const forgetful = (() => undefined) as unknown as Authenticate
    const { status, error } = await call(handlerWith(forgetful), modern('tools/list'))
    expect([status, error?.['code']]).toEqual([500, -32603])
    expect(errors).toHaveLength(1)
  })

  test('so is a request that got past the host', async () => {
    const host = hostAuth()
    const handler = handlerWith(host.authenticate)
    const { status } = await call(handler, modern('tools/list'))
    expect(status).toBe(500)
    expect(String(errors[0])).toContain('hostAuth')
    const whoami = modern('tools/call', { name: 'whoami', arguments: {} })
    const known = await handler(host.attach(whoami, { subject: 'ada', scopes: [] }))
    expect(await known.text()).toContain('ada')
  })
})
