/**
 * The gates before the body, in their order, and the end of an endpoint (WIRE C.2, C.11, C.12).
 */
import { describe, expect, test } from 'vitest'
import type { AuthInfo } from '../../src/protocol/auth-info.ts'
import { legacy, modern } from '../support/index.ts'
import { everything, gate, quiet, raise, served } from './served.ts'

const APP = 'https://app.example'

describe('verbs', () => {
  test.each(['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH', 'PROPFIND'])(
    'HL-16 HL-18 %s is 405 with Allow, at once and without a body',
    async (method) => {
      const { handler } = served(everything())
      const headers = { accept: 'text/event-stream' }
      const response = await handler(new Request('http://localhost/mcp', { method, headers }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
      expect(await response.text()).toBe('')
    },
  )

  test('OPTIONS is 405 where CORS is switched off', async () => {
    const { handler } = served(everything(), { cors: false })
    const response = await handler(new Request('http://localhost/mcp', { method: 'OPTIONS' }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each(['/mcp', '/mcp/', '/mcp?x=1', '/', '/a/b'])(
    'HL-17 %s answers directly, never with a redirect',
    async (path) => {
      const answer = await served(everything()).ask(
        legacy('initialize', {}, { url: `http://localhost${path}` }),
      )
      expect(answer.status).toBe(200)
    },
  )
})

describe('Host and Origin', () => {
  const rows: readonly (readonly [string, string | null, number])[] = [
    ['localhost:6575', null, 200],
    ['127.0.0.1:6575', null, 200],
    ['[::1]:6575', null, 200],
    ['LOCALHOST:6575', null, 200],
    ['localhost:6575', 'http://localhost:6575', 200],
    ['localhost', 'http://localhost:80', 200],
    ['[::1]evil', null, 403],
    ['[::1].attacker.tld', null, 403],
    ['localhost.evil.com', null, 403],
    ['evil.com:6575', null, 403],
    ['evil.com', 'http://evil.com', 403],
    ['localhost@evil.com', null, 403],
    ['localhost:port', null, 403],
    ['', null, 403],
    ['localhost:6575', 'null', 403],
    ['localhost:6575', 'http://evil.com', 403],
    ['localhost:6575', 'http://localhost:9999', 403],
    ['localhost:6575', 'http://localhost:6575/path', 403],
    ['localhost:6575', 'file://', 403],
    ['localhost:6575', '', 403],
  ]
  test.each(rows)('HL-20 Host %j with Origin %j is %i', async (host, origin, status) => {
    const { ask } = served(everything())
    const answer = await ask(legacy('ping', {}, { headers: { host, origin } }))
    expect(answer.status).toBe(status)
    if (status === 403) {
      expect(answer.error?.['code']).toBe(-32600)
      expect(answer.error?.['message']).toMatch(
        origin === null || host.includes('evil') ? /allowedHosts/ : /allowedOrigins/,
      )
      expect(answer.response).not.toHaveProperty('id')
    }
  })

  test('allowedHosts takes names, name:port, a predicate, or any', async () => {
    const status = async (
      allowedHosts: readonly string[] | ((host: string) => boolean) | 'any',
      host: string,
    ) =>
      (await served(everything(), { allowedHosts }).ask(legacy('ping', {}, { headers: { host } })))
        .status
    expect(await status(['mcp.example.com'], 'MCP.example.com:8443')).toBe(200)
    expect(await status(['mcp.example.com:443'], 'mcp.example.com:443')).toBe(200)
    expect(await status(['mcp.example.com:443'], 'mcp.example.com:444')).toBe(403)
    expect(await status((host) => host.endsWith('.example.com'), 'a.example.com')).toBe(200)
    expect(await status((host) => host.endsWith('.example.com'), 'evil.com')).toBe(403)
    expect(await status('any', 'whatever.tld')).toBe(200)
    expect(await status([], 'localhost')).toBe(200)
  })

  test('an entry that is no host, or no origin, is a TypeError that names the option', () => {
    const { server } = quiet()
    for (const entry of ['http://a.com', 'a.com/mcp', '', 'a b']) {
      expect(() => served(server, { allowedHosts: [entry] })).toThrow(/allowedHosts/)
    }
    for (const entry of ['a.com', 'https://a.com/x', 'null', '']) {
      expect(() => served(server, { allowedOrigins: [entry] })).toThrow(/allowedOrigins/)
    }
  })
})

describe('CORS', () => {
  const asked =
    'content-type,authorization,mcp-session-id,mcp-protocol-version,last-event-id,mcp-method,mcp-name,mcp-param-region'

  test('HL-15 a preflight of an allowed origin is 204 and allows everything a client sends', async () => {
    const { handler } = served(everything(), { allowedOrigins: [APP] })
    const headers = {
      origin: APP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    }
    const response = await handler(
      new Request('http://localhost/mcp', { method: 'OPTIONS', headers }),
    )
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(APP)
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ') ?? []
    expect(allowed).toEqual(expect.arrayContaining(asked.split(',')))
    expect(response.headers.get('access-control-allow-methods')).toMatch(/POST.*OPTIONS/)
    expect(response.headers.get('vary')).toMatch(/Origin/)
  })

  test('HL-15 answers and refusals can be read by the page', async () => {
    const { ask } = served(everything(), { allowedOrigins: [APP] })
    for (const request of [
      legacy('initialize', {}, { headers: { origin: APP } }),
      modern('nope', {}, { headers: { origin: APP } }),
      legacy('ping', {}, { headers: { origin: APP, 'content-type': 'text/plain' } }),
      legacy('a/b', {}, { id: null, headers: { origin: APP } }),
      modern(
        'tools/call',
        { name: 'steps' },
        { headers: { origin: APP }, meta: { progressToken: 1 } },
      ),
    ]) {
      const { headers } = await ask(request)
      expect(headers.get('access-control-allow-origin')).toBe(APP)
      expect(headers.get('access-control-expose-headers')).toMatch(
        /mcp-session-id.*mcp-protocol-version.*www-authenticate/i,
      )
      expect(headers.get('vary')).toBe('Origin')
    }
  })

  test('an origin that is not allowed gets 403 and no CORS, also on a preflight', async () => {
    const { handler } = served(everything(), { allowedOrigins: [APP] })
    for (const method of ['OPTIONS', 'POST']) {
      const response = await handler(
        new Request('http://localhost/mcp', {
          method,
          headers: { origin: 'https://evil.example' },
        }),
      )
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        403,
        null,
      ])
    }
  })

  test('header names that are no header names are not reflected', async () => {
    const { handler } = served(everything(), { allowedOrigins: [APP] })
    const headers = {
      origin: APP,
      'access-control-request-headers': 'mcp-param-a b, x-other, mcp-param-ok',
    }
    const response = await handler(
      new Request('http://localhost/mcp', { method: 'OPTIONS', headers }),
    )
    const allowed = response.headers.get('access-control-allow-headers')
    expect(allowed).toMatch(/mcp-param-ok$/)
    expect(allowed).not.toMatch(/x-other|a b/)
  })
})

describe('media types', () => {
  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['text/plain', 415],
    ['application/json-seq', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('HL-04 Content-Type %j is %i', async (type, status) => {
    const answer = await served(everything()).ask(
      legacy('ping', {}, { headers: { 'content-type': type } }),
    )
    expect(answer.status).toBe(status)
    if (status === 415) expect(answer.error?.['message']).toMatch(/Content-Type/)
  })

  const accepts: readonly (readonly [string | null, number, string])[] = [
    [null, 200, 'json'],
    ['*/*', 200, 'json'],
    ['application/*', 200, 'json'],
    ['application/json', 200, 'json'],
    ['APPLICATION/JSON;charset=utf-8, text/event-stream;q=0.5', 200, 'json'],
    ['text/event-stream', 200, 'sse'],
    ['text/event-stream, application/json;q=0', 200, 'sse'],
    ['text/*', 200, 'sse'],
    ['text/html', 406, 'json'],
    ['application/json;q=0', 406, 'json'],
    ['application/jsonish', 406, 'json'],
  ]
  test.each(accepts)('HL-03 Accept %j is %i %s', async (accept, status, form) => {
    const answer = await served(everything()).ask(legacy('ping', {}, { headers: { accept } }))
    expect([answer.status, answer.form]).toEqual([status, form])
    if (status === 406) expect(answer.error?.['message']).toMatch(/Accept/)
  })

  test('responses pins one form, and 406 is for those who cannot take it', async () => {
    const pinned = async (responses: 'json' | 'sse', accept: string) =>
      (await served(everything(), { responses }).ask(legacy('ping', {}, { headers: { accept } })))
        .status
    const json = served(everything(), { responses: 'json' })
    const silent = await json.ask(
      modern('tools/call', { name: 'steps' }, { meta: { progressToken: 1 } }),
    )
    expect([silent.form, silent.notifications]).toEqual(['json', []])
    const sse = served(everything(), { responses: 'sse' })
    expect((await sse.ask(modern('tools/list'))).form).toBe('sse')
    expect((await sse.ask(modern('nope'))).status).toBe(404)
    expect(await pinned('json', 'text/event-stream')).toBe(406)
    expect(await pinned('sse', 'application/json')).toBe(406)
  })
})

describe('authenticate', () => {
  const user: AuthInfo = { subject: 'ada', issuer: 'https://as.example', scopes: ['read'] }

  test('its answer is ours: an identity, a refusal, or anonymous', async () => {
    const { server } = quiet()
    server.tool('who', {}, (_input, ctx) => ctx.auth?.subject ?? 'nobody')
    const who = (auth: AuthInfo | 'anonymous') =>
      served(server, { authenticate: () => auth }).ask(modern('tools/call', { name: 'who' }))
    expect((await who(user)).result?.['content']).toEqual([{ type: 'text', text: 'ada' }])
    expect((await who('anonymous')).result?.['content']).toEqual([{ type: 'text', text: 'nobody' }])
    const refusal = new Response('no', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
    const { handler } = served(server, { authenticate: async () => refusal, allowedOrigins: [APP] })
    const response = await handler(legacy('ping', {}, { headers: { origin: APP } }))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(response.headers.get('access-control-allow-origin')).toBe(APP)
  })

  test.each([
    undefined,
    null,
    true,
    {},
    'ada',
    { subject: 'ada' },
    { subject: 5, scopes: [] },
    { subject: 'a', scopes: 'b' },
  ])('a return of %j is our error, never permission', async (outcome) => {
    const { server, reported } = quiet()
    const { ask } = served(server, { authenticate: () => outcome as never })
    const answer = await ask(legacy('ping'))
    expect([answer.status, answer.error?.['message']]).toEqual([500, 'Internal error'])
    expect(reported).toHaveLength(1)
  })

  test('it comes before the verb, and after Host and Origin', async () => {
    const seen: string[] = []
    const { handler } = served(everything(), {
      authenticate: ({ method }) => {
        seen.push(method)
        return new Response(null, { status: 401 })
      },
    })
    expect((await handler(new Request('http://localhost/mcp'))).status).toBe(401)
    expect((await handler(legacy('ping', {}, { headers: { host: 'evil.com' } }))).status).toBe(403)
    expect(seen).toEqual(['GET'])
  })

  test('HM-20 answers to someone in particular are not for shared caches', async () => {
    const { ask } = served(everything(), { authenticate: () => user })
    expect((await ask(modern('tools/list'))).headers.get('cache-control')).toBe('no-store')
    const stream = await ask(
      modern('tools/call', { name: 'steps' }, { meta: { progressToken: 1 } }),
    )
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(
      (await served(everything()).ask(modern('tools/list'))).headers.get('cache-control'),
    ).toBeNull()
  })

  test('a tool that wants scopes answers 403 with a challenge that names them', async () => {
    const { server } = quiet()
    server.tool('wipe', { scopes: ['read', 'admin'] }, () => 'wiped')
    const asking = (scopes: readonly string[]) =>
      served(server, { authenticate: () => ({ ...user, scopes }) }).ask(
        modern('tools/call', { name: 'wipe' }),
      )
    const refused = await asking(['read'])
    expect([refused.status, refused.response?.['id']]).toEqual([403, 1])
    expect(refused.headers.get('www-authenticate')).toMatch(
      /insufficient_scope.*scope="read admin"/,
    )
    expect((await asking(['read', 'admin'])).status).toBe(200)
  })
})

describe('context', () => {
  test('it makes ctx.data of the request, the environment and the identity', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.tool('see', {}, (_input, ctx) => {
      seen.push(ctx.data, ctx.env)
      return 'ok'
    })
    const context = async (
      request: Request,
      { auth }: { readonly auth: AuthInfo | undefined },
    ) => ({
      tenant: request.headers.get('x-tenant'),
      user: auth?.subject,
    })
    const { ask } = served(server, {
      context,
      authenticate: () => ({ subject: 'ada', scopes: [] }),
    })
    await ask(modern('tools/call', { name: 'see' }, { headers: { 'x-tenant': 'acme' } }))
    expect(seen).toEqual([{ tenant: 'acme', user: 'ada' }, undefined])
  })

  test('when it fails the answer is 500 with the id, the failure is reported, and nothing stays counted', async () => {
    for (const context of [
      () => raise(new Error('secret')),
      async () => raise(new Error('secret')),
    ]) {
      const { server, reported } = quiet()
      server.tool('x', {}, () => 'x')
      const { ask, handler, clock } = served(server, { context })
      for (const request of [
        modern('tools/list', {}, { id: 7 }),
        legacy('tools/list', {}, { id: 7 }),
      ]) {
        const answer = await ask(request)
        expect([answer.status, answer.response]).toEqual([
          500,
          { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error' } },
        ])
      }
      expect(reported).toHaveLength(2)
      expect(handler.stats()).toMatchObject({ inFlight: 0, streams: 0 })
      expect(clock.armed()).toBe(0)
    }
  })
})

describe('close', () => {
  test('what is in flight is aborted and answered, what comes is refused', async () => {
    const { server } = quiet()
    const started = gate()
    const reasons: unknown[] = []
    server.tool('wait', {}, (_input, ctx) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      ctx.signal.addEventListener('abort', () => {
        reasons.push(ctx.signal.reason)
        resolve('late')
      })
      started.open()
      return promise
    })
    const { ask, handler, clock } = served(server)
    const answers = [
      ask(modern('tools/call', { name: 'wait' })),
      ask(legacy('tools/call', { name: 'wait' })),
    ]
    await started.passed
    await Promise.resolve()
    expect(handler.stats().inFlight).toBe(2)
    await handler.close()
    for (const { status, error, response } of await Promise.all(answers)) {
      expect([status, error, response?.['id']]).toEqual([
        503,
        { code: -32603, message: 'Internal error' },
        1,
      ])
    }
    expect(reasons).toHaveLength(2)
    const refused = await ask(legacy('ping'))
    expect([refused.status, refused.error?.['code']]).toEqual([503, -32600])
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })

  test('a call that waits for its context is answered too', async () => {
    const held = gate()
    const { ask, handler } = served(everything(), { context: () => held.passed })
    const answer = ask(modern('tools/list'))
    while (handler.stats().inFlight === 0) await Promise.resolve()
    await handler.close()
    expect((await answer).status).toBe(503)
    held.open()
  })
})

test('a body that someone else has read is our error, and says so to the author', async () => {
  const { server, reported } = quiet()
  const { handler } = served(server)
  const request = legacy('ping')
  await request.text()
  expect((await handler(request)).status).toBe(500)
  expect(String(reported[0]?.error)).toMatch(/body .* was read/)
})
