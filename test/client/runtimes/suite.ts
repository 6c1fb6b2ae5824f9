/**
 * What has to hold for a client on every runtime: plain functions, no test runner, no Node.
 *
 * @module
 */
import {
  Client,
  InvalidResponseError,
  MessageTooLargeError,
  OutputValidationError,
} from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { createHandler, McpServer } from '../../../src/index.ts'
import { jsonSchema } from '../../../src/json-schema/index.ts'
import { event, json, legacyServer, modernServer, sse } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

/** How one case ended. */
export interface Outcome {
  readonly name: string
  readonly problem?: string | undefined
}

const me = { name: 'suite', version: '1' }

/** A server with a tool for each way a call can go. */
export function suiteServer(): McpServer {
  const server = new McpServer({ name: 'suite', version: '1' })
  const text = jsonSchema<{ text: string }>({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  })
  server.tool('echo', { input: text }, ({ text: said }) => said)
  server.tool('steps', {}, async (_input, ctx) => {
    for (const step of [1, 2, 3]) await ctx.progress(step, { total: 3 })
    return 'done'
  })
  server.tool('ask', {}, async (_input, ctx) => {
    const yes = jsonSchema<{ yes: boolean }>({
      type: 'object',
      properties: { yes: { type: 'boolean', default: true } },
    })
    const answer = await ctx.elicit('q', { message: 'ok?', schema: yes })
    return answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action
  })
  server.tool(
    'hang',
    {},
    (_input, ctx) =>
      new Promise<string>((resolve) => {
        ctx.signal.addEventListener('abort', () => resolve('aborted'))
      }),
  )
  server.resource('suite:a', { name: 'a' }, () => 'a')
  return server
}

type Connect = (options?: Partial<ClientOptions & ConnectOptions>) => Promise<Client>

async function calls(connect: Connect): Promise<void> {
  const client = await connect({ onElicitation: () => ({ action: 'accept' }) })
  same(
    (await client.tools()).map(({ name }) => name),
    ['echo', 'steps', 'ask', 'hang'],
  )
  same((await client.callTool('echo', { text: 'é漢😀' })).content, [
    { type: 'text', text: 'é漢😀' },
  ])
  const seen: number[] = []
  await client.callTool('steps', {}, { onProgress: ({ progress }) => void seen.push(progress) })
  same(seen, [1, 2, 3])
  same((await client.callTool('ask')).content, [{ type: 'text', text: '{"yes":true}' }])
  same((await client.readResource('suite:a')).contents.length, 1)
  const controller = new AbortController()
  const hanging = client.callTool('hang', {}, { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 50)
  await fails(hanging, (error) => String(error).includes('enough'))
  await fails(client.callTool('hang', {}, { timeoutMs: 30 }), (error) =>
    String(error).includes('30 ms'),
  )
  await client.close()
}

async function listens(connect: Connect, server: McpServer): Promise<void> {
  const client = await connect()
  const changes = client.listen({ resourceSubscriptions: ['suite:a'] })
  await changes.acknowledged
  await server.notify.resourceUpdated('suite:a')
  for await (const change of changes) {
    same(change, { kind: 'resourceUpdated', uri: 'suite:a' })
    break
  }
  await client.close()
}

/** Twenty requests at once, of which the first finds the session lost; none waits for another. */
async function losesSession(): Promise<void> {
  let lost = false
  const server = legacyServer(
    (message, { headers }) => {
      if (message.method !== 'acme/x') return undefined
      if (headers['mcp-session-id'] === 's0' && !lost) {
        lost = true
        return new Response(null, { status: 404 })
      }
      return { ok: true }
    },
    { sessions: Array.from({ length: 30 }, (_, n) => `s${n}`) },
  )
  const client = await Client.connect(server, { ...me, mode: 'legacy', singleFlight: 'request' })
  const results = await Promise.all(Array.from({ length: 20 }, () => client.request('acme/x')))
  same(results.length, 20)
  await client.close()
}

async function survives(): Promise<void> {
  const answers = [
    () => json('{"a":'),
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    () => sse([`data: ${'x'.repeat(9_000)}`, 'x'.repeat(9_000)], 'open'),
  ]
  const server: FakeServer = modernServer((message) =>
    message.method === 'acme/x' ? answers.shift()?.() : undefined,
  )
  const client = await Client.connect(server, { ...me, maxMessageBytes: 8_192 })
  await fails(client.request('acme/x'), (error) => error instanceof InvalidResponseError)
  await fails(client.request('acme/x'), (error) => error instanceof InvalidResponseError)
  await fails(client.request('acme/x'), (error) => error instanceof MessageTooLargeError)
  same(await client.tools(), [])
}

async function validates(): Promise<void> {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const server = modernServer((message) => {
    if (message.method === 'tools/list')
      return { tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] }
    return message.method === 'tools/call'
      ? { content: [], structuredContent: { n: 'x' } }
      : undefined
  })
  const client = await Client.connect(server, me)
  await client.tools()
  await fails(client.callTool('t'), (error) => error instanceof OutputValidationError)
}

async function resumes(): Promise<void> {
  let id: unknown
  const server = legacyServer((message, { verb, headers }) => {
    if (message.method === 'acme/x') {
      id = message.id
      return sse(['retry: 100\nid: a\ndata:\n\n'])
    }
    if (verb !== 'GET') return undefined
    return headers['last-event-id'] === 'a'
      ? sse([event({ jsonrpc: '2.0', id, result: { ok: true } })])
      : undefined
  })
  const client = await Client.connect(server, { ...me, mode: 'legacy' })
  same(await client.request('acme/x'), { ok: true })
}

/**
 * Runs every case.
 *
 * @param url A server on the network; undefined where there is none to reach.
 */
export async function runSuite(url: string | undefined): Promise<readonly Outcome[]> {
  const server = suiteServer()
  const handler = createHandler(server)
  const local = { fetch: (request: Request) => handler(request) }
  const inProcess =
    (mode: ConnectOptions['mode']): Connect =>
    (options) =>
      Client.connect(local, { ...me, mode, ...options })
  const remote =
    (mode: ConnectOptions['mode']): Connect =>
    (options) =>
      Client.connect(url ?? '', { ...me, mode, ...options })
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    'in process, modern': () => calls(inProcess('auto')),
    'in process, legacy': () => calls(inProcess('legacy')),
    'listen, modern': () => listens(inProcess('auto'), server),
    'listen, legacy': () => listens(inProcess('legacy'), server),
    'a lost session and twenty requests': losesSession,
    'bad servers': survives,
    'output schemas': validates,
    resumption: resumes,
    ...(url === undefined
      ? {}
      : {
          'network, modern': () => calls(remote('auto')),
          'network, legacy': () => calls(remote('legacy')),
        }),
  }
  const outcomes: Outcome[] = []
  for (const [name, run] of Object.entries(cases)) outcomes.push(await outcomeOf(name, run))
  await handler.close()
  return outcomes
}

async function outcomeOf(name: string, run: () => Promise<void>): Promise<Outcome> {
  try {
    await within(10_000, run())
    return { name }
  } catch (error) {
    return { name, problem: error instanceof Error ? `${error.name}: ${error.message}` : 'odd' }
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function same(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (left !== right) throw new Error(`${left} is not ${right}`)
}

async function fails(work: Promise<unknown>, rightly: (error: unknown) => boolean): Promise<void> {
  try {
    await work
  } catch (error) {
    if (rightly(error)) return
    throw error
  }
  throw new Error('it did not fail')
}
