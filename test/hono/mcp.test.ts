import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { McpServer, memoryBus } from '../../src/index.ts'
import { protectedResourceMetadata } from '../../src/auth/index.ts'
import { mcp } from '../../src/hono/index.ts'
import { legacy, modern, read, streamOf } from '../support/index.ts'

const HOST = 'http://localhost'

function greeter(): McpServer {
  const server = new McpServer({ name: 'hono', version: '1.0.0' })
  server.tool('hello', {}, () => 'hi')
  server.resource('config://app', { name: 'config' }, () => '{}')
  return server
}

function callTo(url: string, name = 'hello'): Request {
  return modern('tools/call', { name, arguments: {} }, { url })
}

test.each([
  ['/', '/mcp', '/mcp'],
  ['/', '/', '/'],
  ['/api/v1', '/mcp', '/api/v1/mcp'],
  ['/tenants/:tenant', '/agent', '/tenants/7/agent'],
])('mounted at %s with path %s it answers at %s and nowhere else', async (base, path, full) => {
  const app = new Hono().route(base, mcp(greeter(), {}, { path }))
  const answer = await read(await app.request(callTo(HOST + full)))
  expect(answer.result).toMatchObject({ content: [{ text: 'hi' }] })
  expect((await app.request(callTo(`${HOST}/elsewhere`))).status).toBe(404)
})

test('every verb reaches the handler: sessions open, stream and end', async () => {
  const app = mcp(greeter())
  const url = `${HOST}/mcp`
  const opened = await read(await app.request(legacy('initialize', {}, { url })))
  const session = opened.headers.get('mcp-session-id') ?? ''
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session }
  const stream = await app.request(new Request(url, { headers }))
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  await stream.body?.cancel()
  const ended = await app.request(new Request(url, { method: 'DELETE', headers }))
  expect(ended.ok).toBe(true)
  const gone = await app.request(legacy('tools/list', {}, { url, session }))
  expect(gone.status).toBe(404)
})

test('CORS is the handler’s: preflight and exposed headers for allowed origins only', async () => {
  const origin = 'https://app.example.com'
  const app = mcp(greeter(), { allowedOrigins: [origin], cors: true })
  const preflight = (from: string): Request =>
    new Request(`${HOST}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    })
  const allowed = await app.request(preflight(origin))
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin)
  const refused = await app.request(preflight('https://evil.example'))
  expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  const listed = await app.request(
    modern('tools/list', {}, { url: `${HOST}/mcp`, headers: { origin } }),
  )
  expect(listed.headers.get('access-control-expose-headers')?.toLowerCase()).toContain(
    'mcp-session-id',
  )
})

test('metadata of the protected resource stands at the well-known paths', async () => {
  const options = { issuer: 'https://as.example.com', resource: `${HOST}/mcp` }
  const app = mcp(greeter(), {}, { metadata: protectedResourceMetadata(options) })
  const well = '/.well-known/oauth-protected-resource'
  for (const path of [well, `${well}/mcp`]) {
    const response = await app.request(path)
    expect(await response.json()).toMatchObject({ resource: `${HOST}/mcp` })
  }
  expect((await app.request('/.well-known/security.txt')).status).toBe(404)
  expect((await mcp(greeter()).request(well)).status).toBe(404)
})

test('below a base path the metadata still stands at the root, where clients look', async () => {
  const resource = `${HOST}/api/mcp`
  const metadata = protectedResourceMetadata({ issuer: 'https://as.example.com', resource })
  const app = new Hono()
    .route('/api', mcp(greeter()))
    .all('/.well-known/*', (c) => metadata(c.req.raw) ?? c.notFound())
  const response = await app.request('/.well-known/oauth-protected-resource/api/mcp')
  expect(await response.json()).toMatchObject({ resource })
})

test('health says ok', async () => {
  const response = await mcp(greeter()).request('/health')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
})

function notice(body: unknown, key = 'secret'): Request {
  return new Request(`${HOST}/notify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const authorize = (c: { readonly req: { header(name: string): string | undefined } }): boolean =>
  c.req.header('x-key') === 'secret'

test('without notify there is no webhook', async () => {
  expect((await mcp(greeter()).request(notice({ kind: 'tools' }))).status).toBe(404)
})

test('the webhook looks at who asks before it looks at what is asked', async () => {
  const app = mcp(greeter(), {}, { notify: { authorize } })
  for (const body of [{ kind: 'tools' }, { kind: 'nonsense' }, '{']) {
    expect((await app.request(notice(body, 'wrong'))).status).toBe(401)
  }
})

test.each([{}, { kind: 'nonsense' }, { kind: 'resource' }, { kind: 'resource', uri: '' }, '{'])(
  'the webhook refuses %j',
  async (body) => {
    const app = mcp(greeter(), {}, { notify: { authorize: async () => true } })
    expect((await app.request(notice(body))).status).toBe(400)
  },
)

test.each([
  [{ kind: 'tools' }, 'notifications/tools/list_changed'],
  [{ kind: 'prompts' }, 'notifications/prompts/list_changed'],
  [{ kind: 'resources' }, 'notifications/resources/list_changed'],
  [{ kind: 'resource', uri: 'config://app' }, 'notifications/resources/updated'],
])('the webhook publishes %j', async (body, method) => {
  const server = greeter()
  server.prompt('any', {}, () => [])
  const app = mcp(server, { bus: memoryBus() }, { notify: { authorize } })
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['config://app'],
  }
  const filter = { notifications }
  const url = `${HOST}/mcp`
  const stream = streamOf(await app.request(modern('subscriptions/listen', filter, { url })))
  await stream.next()
  expect((await app.request(notice(body))).status).toBe(202)
  expect(JSON.stringify((await stream.next()).value)).toContain(method)
  await stream.return(undefined)
})

interface Variables {
  readonly Variables: { readonly user: string }
}

test("variables of Hono's context reach the tool", async () => {
  const server = new McpServer<{ data: { user: string } }>({ name: 'vars', version: '1.0.0' })
  server.tool('who', {}, (_input, ctx) => ctx.data.user)
  const app = new Hono<Variables>()
  app.use(async (c, next) => {
    c.set('user', c.req.header('x-user') ?? 'nobody')
    await next()
  })
  app.route('/', mcp(server, {}, { data: (c) => ({ user: String(c.get('user')) }) }))
  const users = ['ada', 'alan', 'grace']
  const answers = users.map(async (user) => {
    const request = callTo(`${HOST}/mcp`, 'who')
    request.headers.set('x-user', user)
    return (await read(await app.request(request))).result
  })
  expect(await Promise.all(answers)).toMatchObject(
    users.map((user) => ({ content: [{ text: user }] })),
  )
})

test('options may be a function of the environment that Hono hands over, as on Workers', async () => {
  const server = new McpServer<{ env: { region: string }; data: { path: string } }>({
    name: 'env',
    version: '1.0.0',
  })
  server.tool('where', {}, (_input, ctx) => `${ctx.env.region} ${ctx.data.path}`)
  const made: unknown[] = []
  const app = mcp(
    server,
    (env) => {
      made.push(env)
      return { legacy: 'stateless' }
    },
    { data: (c) => ({ path: c.req.path }) },
  )
  const env = { region: 'fra1' }
  for (let call = 0; call < 2; call += 1) {
    const answer = await read(await app.request(callTo(`${HOST}/mcp`, 'where'), {}, env))
    expect(answer.result).toMatchObject({ content: [{ text: 'fra1 /mcp' }] })
  }
  expect(made).toEqual([env])
})

test('what the platform gives to outlive an answer is handed on', async () => {
  const server = new McpServer({ name: 'later', version: '1.0.0' })
  const later: Promise<unknown>[] = []
  server.tool('later', {}, (_input, ctx) => {
    ctx.waitUntil(Promise.resolve('done'))
    return 'soon'
  })
  const execution = {
    waitUntil: (promise: Promise<unknown>): void => void later.push(promise),
    passThroughOnException: (): void => undefined,
    props: {},
  }
  await read(await mcp(server).request(callTo(`${HOST}/mcp`, 'later'), {}, {}, execution))
  expect(await Promise.all(later)).toContain('done')
})
