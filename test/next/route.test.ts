import { expect, test } from 'vitest'
import { McpServer, memoryBus, memorySessions } from '../../src/index.ts'
import type { HandlerOptions } from '../../src/http/options.ts'
import { bearerAuth, protectedResourceMetadata } from '../../src/auth/index.ts'
import { route } from '../../src/next/index.ts'
import type { RouteHandlers } from '../../src/next/index.ts'
import { fakeClock, legacy, modern, read, streamOf } from '../support/index.ts'

const URL_HERE = 'http://localhost:3000/api/mcp'
const at = { url: URL_HERE }

function greeter(): McpServer {
  const server = new McpServer({ name: 'next', version: '1.0.0' })
  server.tool('hello', {}, () => 'hi')
  server.tool('wait', {}, async (_input, ctx) => {
    await ctx.progress(1)
    await new Promise((resolve) => {
      ctx.signal.addEventListener('abort', resolve)
    })
    return 'left'
  })
  return server
}

function ask({ POST }: RouteHandlers, request: Request): ReturnType<typeof read> {
  return POST(request).then(read)
}

test('NX-01 HEAD is exported, and answered without a body', async () => {
  const handlers = route(greeter())
  expect(Object.keys(handlers).toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST'])
  const response = await handlers.HEAD(new Request(URL_HERE, { method: 'HEAD' }))
  expect(response.status).toBe(405)
  expect(response.body).toBeNull()
})

test('NX-01 HEAD does not open a stream where GET would', async () => {
  const handlers = route(greeter(), { sessions: memorySessions(), bus: memoryBus() })
  const opened = await ask(handlers, legacy('initialize', {}, at))
  const session = opened.headers.get('mcp-session-id') ?? ''
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session }
  const head = await handlers.HEAD(new Request(URL_HERE, { method: 'HEAD', headers }))
  expect(head.body).toBeNull()
  const get = await handlers.GET(new Request(URL_HERE, { headers }))
  expect(get.headers.get('content-type')).toBe('text/event-stream')
  await get.body?.cancel()
})

test('both eras are served by the same exports', async () => {
  const handlers = route(greeter())
  for (const build of [modern, legacy]) {
    const answer = await ask(handlers, build('tools/call', { name: 'hello', arguments: {} }, at))
    expect(answer.result).toMatchObject({ content: [{ text: 'hi' }] })
  }
})

test('nothing is kept by default: no session, and no listening to be had', async () => {
  const handlers = route(greeter())
  const opened = await ask(handlers, legacy('initialize', {}, at))
  expect(opened.headers.get('mcp-session-id')).toBeNull()
  const discovered = await ask(handlers, modern('server/discover', {}, at))
  expect(discovered.result).not.toHaveProperty('capabilities.tools.listChanged')
  const filter = { notifications: { toolsListChanged: true } }
  const refused = await ask(handlers, modern('subscriptions/listen', filter, at))
  expect(refused.error).toMatchObject({ code: -32601 })
})

test('with a bus of one process, listening works', async () => {
  const server = greeter()
  const { POST } = route(server, { bus: memoryBus() })
  const filter = { notifications: { toolsListChanged: true } }
  const response = await POST(modern('subscriptions/listen', filter, at))
  const stream = streamOf(response)
  expect((await stream.next()).value).toMatchObject({ kind: 'event' })
  server.tool('new', {}, () => 'x')
  const changed = await stream.next()
  expect(JSON.stringify(changed.value)).toContain('notifications/tools/list_changed')
  await stream.return(undefined)
})

test('NX-03 behind a proxy the configured resource is what the world is told', async () => {
  const resource = 'https://mcp.example.com/api/mcp'
  const issuer = 'https://as.example.com'
  const { POST } = route(greeter(), { authenticate: bearerAuth({ issuer, resource }) })
  const forwarded = { 'x-forwarded-host': 'mcp.example.com', 'x-forwarded-proto': 'https' }
  const refused = await POST(modern('tools/list', {}, { ...at, headers: forwarded }))
  expect(refused.status).toBe(401)
  const metadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource/api/mcp'
  expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${metadataUrl}"`)
  const inner = 'http://localhost:3000/.well-known/oauth-protected-resource/api/mcp'
  const answer = protectedResourceMetadata({ issuer, resource })(new Request(inner))
  expect(await answer?.json()).toMatchObject({ resource })
})

test("who is signed in with Next's own means reaches the tool", async () => {
  const server = new McpServer<{ data: { user: string } }>({ name: 'own', version: '1.0.0' })
  server.tool('who', {}, (_input, ctx) => `${ctx.data.user}, ${ctx.auth?.subject}`)
  const signedIn = (request: Request): string | undefined =>
    /session=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  const handlers = route(server, {
    authenticate: async (request) => {
      const subject = signedIn(request)
      return subject === undefined
        ? new Response('sign in', { status: 401 })
        : { subject, scopes: [] }
    },
    context: (request) => ({ user: signedIn(request) ?? 'nobody' }),
  })
  const params = { name: 'who', arguments: {} }
  expect((await handlers.POST(modern('tools/call', params, at))).status).toBe(401)
  const headers = { cookie: 'session=ada' }
  const answer = await ask(handlers, modern('tools/call', params, { ...at, headers }))
  expect(answer.result).toMatchObject({ content: [{ text: 'ada, ada' }] })
})

test('an environment that the server declares is the one it gets', async () => {
  const server = new McpServer<{ env: { region: string } }>({ name: 'env', version: '1.0.0' })
  server.tool('where', {}, (_input, ctx) => ctx.env.region)
  const { POST } = route(server, { env: { region: 'fra1' } })
  const request = modern('tools/call', { name: 'where', arguments: {} }, at)
  const second: RouteWithContext = POST
  const answer = await read(await second(request, { params: Promise.resolve({}) }))
  expect(answer.result).toMatchObject({ content: [{ text: 'fra1' }] })
})

/** Next passes a second argument, which is not an environment. */
type RouteWithContext = (request: Request, context: unknown) => Promise<Response>

test('NX-05 without sessions a GET is refused and pins nothing', async () => {
  const { GET } = route(greeter())
  const response = await GET(new Request(URL_HERE, { headers: { accept: 'text/event-stream' } }))
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toContain('POST')
})

test('NX-05 streams end five seconds before maxDuration', async () => {
  const clock = fakeClock()
  const { POST } = route(greeter(), { bus: memoryBus(), maxDuration: 60, clock })
  const filter = { notifications: { toolsListChanged: true } }
  const ended = read(await POST(modern('subscriptions/listen', filter, at)))
  await clock.advance(55_000)
  const { result } = await ended
  expect(result).toBeDefined()
})

test('NX-05 a hundred visitors of a warm instance leave no timer and no subscriber', async () => {
  const clock = fakeClock()
  const bus = memoryBus()
  const watched = counted(bus)
  const handlers = route(greeter(), { bus: watched.bus, maxDuration: 60, clock })
  const filter = { notifications: { toolsListChanged: true } }
  const meta = { progressToken: 1 }
  for (let visit = 0; visit < 100; visit += 1) {
    const call = { name: 'wait', arguments: {} }
    const response = await handlers.POST(
      visit % 2 === 0
        ? modern('subscriptions/listen', filter, at)
        : modern('tools/call', call, { ...at, meta }),
    )
    const stream = streamOf(response)
    await stream.next()
    await stream.return(undefined)
  }
  await clock.advance(0)
  expect(watched.subscribers()).toBe(0)
  expect(clock.armed()).toBe(0)
})

test.each([0, 5, 2.5, Number.NaN])('maxDuration %s is a mistake', (maxDuration) => {
  expect(() => route(greeter(), { maxDuration })).toThrow("option 'maxDuration'")
})

test('an own limit of the age of streams wins', async () => {
  const clock = fakeClock()
  const limits = { maxStreamAgeMs: 1_000 }
  const { POST } = route(greeter(), { bus: memoryBus(), maxDuration: 60, limits, clock })
  const filter = { notifications: { toolsListChanged: true } }
  const ended = read(await POST(modern('subscriptions/listen', filter, at)))
  await clock.advance(1_000)
  expect((await ended).result).toBeDefined()
})

type Bus = NonNullable<HandlerOptions['bus']>

/** A bus that knows how many have subscribed and not left. */
function counted(inner: Bus): { readonly bus: Bus; readonly subscribers: () => number } {
  const signals: AbortSignal[] = []
  const bus: Bus = {
    publish: (event) => inner.publish(event),
    subscribe: (topics, deliver, signal) => {
      signals.push(signal)
      return inner.subscribe(topics, deliver, signal)
    },
  }
  return { bus, subscribers: () => signals.filter(({ aborted }) => !aborted).length }
}
