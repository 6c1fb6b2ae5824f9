/**
 * The Worker that the tests run in workerd: a small server behind `workers()`, the objects with a door
 * for the tests, and the contract suites.
 *
 * @module
 */
import { McpServer, ToolError } from 'mcp-edge'
import { jsonSchema } from 'mcp-edge/json-schema'
import * as library from 'mcp-edge/workers'
import { outcomesOf } from './contracts.ts'
import type { Env, TestState } from './platform.ts'

/** Plain data, so that requests may share it: what happened in this isolate. */
const seen = {
  aborted: 0,
  finished: 0,
  started: 0,
  errors: [] as string[],
  touched: 0,
  offset: 0,
  waiting: 0,
}

addEventListener('unhandledrejection', ({ reason }) =>
  seen.errors.push(`unhandled: ${String(reason)}`),
)

/** The time of the objects; tests move it. */
const now = (): number => Date.now() + seen.offset

/** A session object that lets tests look at its rows, and counts how often one is made. */
export class McpSession extends library.McpSession {
  readonly #door: TestDoor

  constructor(state: TestState) {
    super(state)
    seen.touched += 1
    this.#door = new TestDoor(state)
  }

  override now(): number {
    return now()
  }

  override async fetch(request: Request): Promise<Response> {
    return (await this.#door.open(request, () => this.alarm())) ?? super.fetch(request)
  }
}

/** A hub that lets tests look at it. */
export class McpHub extends library.McpHub {
  readonly #door: TestDoor

  constructor(state: TestState) {
    super(state)
    this.#door = new TestDoor(state)
  }

  override async fetch(request: Request): Promise<Response> {
    return (await this.#door.open(request, async () => undefined)) ?? super.fetch(request)
  }
}

class TestDoor {
  readonly #state: TestState
  readonly #incarnation = crypto.randomUUID()

  constructor(state: TestState) {
    this.#state = state
  }

  async open(request: Request, alarm: () => Promise<void>): Promise<Response | undefined> {
    switch (new URL(request.url).pathname) {
      case '/test/abort':
        this.#state.abort('the test wants it')
        return new Response()
      case '/test/alarm':
        await alarm()
        return Response.json({})
      case '/test/look':
        return Response.json(await this.#look())
      default:
        return undefined
    }
  }

  async #look(): Promise<unknown> {
    const { sql } = this.#state.storage
    const tables = sql
      .exec(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .toArray()
      .map(({ name }) => String(name))
    const rows = tables.map((name) => [
      name,
      Number(sql.exec(`SELECT COUNT(*) AS count FROM ${name}`).toArray()[0]?.['count']),
    ])
    return {
      incarnation: this.#incarnation,
      sockets: this.#state.getWebSockets().length,
      rows: Object.fromEntries(rows),
      alarm: await this.#state.storage.getAlarm(),
    }
  }
}

const server = new McpServer<{ env: Env }>({
  name: 'workerd',
  version: '1.0.0',
  onError: (error) => seen.errors.push(String(error)),
  onWarning: (warning) => seen.errors.push(warning),
})

const TEXT = jsonSchema<{ text?: string }>({
  type: 'object',
  properties: { text: { type: 'string' } },
})

server.tool('echo', { input: TEXT }, ({ text = '' }) => text)

server.tool('slow', {}, async (_input, ctx) => {
  seen.started += 1
  ctx.signal.addEventListener('abort', () => (seen.aborted += 1))
  for (let step = 1; step <= 400 && !ctx.signal.aborted; step += 1) {
    await ctx.progress(step)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  seen.finished += 1
  return 'done'
})

server.tool('steps', { input: TEXT }, async ({ text = '3' }, ctx) => {
  for (let step = 1; step <= Number(text); step += 1) {
    await ctx.progress(step)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return `${text} steps`
})

server.tool('ask', {}, async (_input, ctx) => {
  const schema = {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  }
  const answer = await ctx.elicit('name', { message: 'Who are you?', schema })
  if (answer.action !== 'accept') throw new ToolError('Nobody')
  return `Hello ${String(answer.content['name'])}`
})

server.tool('touch', { input: TEXT }, async ({ text = 'counter://a' }, ctx) => {
  await ctx.notify.resourceUpdated(text)
  return 'published'
})

/** Not awaited, on purpose: an answer must not outrun what its handler publishes. */
server.tool('touch-and-go', {}, (_input, ctx) => {
  void ctx.notify.resourceUpdated('counter://a')
  return 'gone'
})

server.tool('env', {}, (_input, ctx) => String(ctx.env.GREETING))

server.resource('counter://a', { name: 'a' }, () => '0')

const worker = library.workers(server, (env) => ({
  keepaliveMs: Number(env.KEEPALIVE_MS ?? 1_000),
  ...(env.AUTH === undefined ? {} : { authenticate: principalIn }),
  ...(env.MODE === 'memory' ? { sessions: memory() } : {}),
  ...(env.MODE === 'kv'
    ? { sessions: library.kvSessions(env.MCP_KV, { keys: [String(env.MCP_STATE_KEYS)] }) }
    : {}),
  ...(env.MODE === 'kv' ? { bus: library.kvBus(env.MCP_KV, { pollMs: 100 }) } : {}),
  ...(env.MODE === 'named' ? { bindings: { sessions: 'MY_SESSIONS' } } : {}),
  ...(env.IDLE_MS === undefined
    ? {}
    : {
        sessions: library.durableObjectSessions(env.MCP_SESSIONS, {
          keys: [String(env.MCP_STATE_KEYS)],
          idleTimeoutMs: Number(env.IDLE_MS),
          maxPerPrincipal: 3,
        }),
        events: library.durableObjectEvents(env.MCP_SESSIONS),
      }),
}))

function principalIn(request: Request): { subject: string; scopes: string[] } | 'anonymous' {
  const subject = request.headers.get('authorization')
  return subject === null ? 'anonymous' : { subject, scopes: [] }
}

/** What `memorySessions()` says of itself. */
function memory(): never {
  const store: unknown = { reach: 'process' }
  return store as never
}

export default {
  async fetch(request: Request, env: Env, execution: library.ExecutionContext): Promise<Response> {
    const url = new URL(request.url)
    if (!url.pathname.startsWith('/test/')) return worker.fetch(request, env, counting(execution))
    return (await control(url, env)) ?? new Response('no such test', { status: 404 })
  },
}

/** Counts what a request keeps the platform waiting for. */
function counting(execution: library.ExecutionContext): library.ExecutionContext {
  return {
    waitUntil: (work) => {
      seen.waiting += 1
      execution.waitUntil(work.finally(() => (seen.waiting -= 1)))
    },
  }
}

async function control(url: URL, env: Env): Promise<Response | undefined> {
  const name = url.searchParams.get('name') ?? ''
  switch (url.pathname) {
    case '/test/seen':
      return Response.json(seen)
    case '/test/advance':
      seen.offset += Number(url.searchParams.get('ms'))
      return Response.json(seen)
    case '/test/session':
      return inside(env.MCP_SESSIONS, name, url.searchParams.get('do') ?? 'look')
    case '/test/hub':
      return inside(env.MCP_HUB, name, url.searchParams.get('do') ?? 'look')
    case '/test/publish':
      return publish(env, url)
    case '/test/flood':
      return flood(env, url)
    case '/test/contract':
      return Response.json(
        await outcomesOf(name, env, { now, advance: (ms) => void (seen.offset += ms) }),
      )
    default:
      return undefined
  }
}

async function inside(namespace: Env['MCP_HUB'], name: string, action: string): Promise<Response> {
  if (namespace === undefined) return new Response('not bound', { status: 500 })
  const answer = await namespace
    .get(namespace.idFromName(name))
    .fetch(`https://test/test/${action}`)
    .catch((error: unknown) => new Response(String(error)))
  return new Response(await answer.text(), { status: answer.status })
}

/** Requests that are well formed, each with a session id that somebody made up. */
async function flood(env: Env, { searchParams }: URL): Promise<Response> {
  const [version, key, , expiry, mac] = (searchParams.get('session') ?? '').split('.')
  const statuses: Record<string, number> = {}
  for (let sent = 0; sent < Number(searchParams.get('count')); sent += 1) {
    const random = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
    const request = new Request('https://mcp.example/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        'mcp-session-id': [version, key, random, expiry, mac].join('.'),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'ping' }),
    })
    const { status } = await worker.fetch(request, env)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return Response.json(statuses)
}

async function publish(env: Env, { searchParams }: URL): Promise<Response> {
  const uri = searchParams.get('uri') ?? 'counter://a'
  const count = Number(searchParams.get('count') ?? 1)
  const from = Number(searchParams.get('from') ?? 0)
  const pad = 'x'.repeat(Number(searchParams.get('pad') ?? 0))
  const bus = library.durableObjectBus(env.MCP_HUB)
  const reset = searchParams.get('reset')
  if (reset !== null) await inside(env.MCP_HUB, reset, 'abort')
  if (searchParams.has('many')) {
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    await bus.publishMany(numbers.map((number) => event(uri, { number, pad })))
    return Response.json({ published: count })
  }
  const notify = worker.notify(env)
  for (let done = 0; done < count; done += 1) await notify.resourceUpdated(uri)
  return Response.json({ published: count })
}

function event(uri: string, extra: object): { topic: string; data: string } {
  const params = { uri, ...extra }
  const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params }
  return { topic: `resource/${uri}`, data: JSON.stringify(message) }
}
