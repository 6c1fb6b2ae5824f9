import { describe, expect, it, vi } from 'vitest'
import { Client, McpError, RequestRejected } from '../../src/client/index.ts'
import type { ClientOptions, ElicitationHandler } from '../../src/client/index.ts'
import { event, legacyServer, modernServer, sse, until } from './fake-server.ts'
import type { FakeServer, Message } from './fake-server.ts'

const me = { name: 'test', version: '1' }

/** Asks on the stream of a call, and keeps the stream open until the answer is in. */
function asking(question: Readonly<Record<string, unknown>>) {
  const server: FakeServer = legacyServer((message) => {
    if (message.method !== 'tools/call') return undefined
    const done = event({ jsonrpc: '2.0', id: message.id, result: { content: [] } })
    return sse([event({ jsonrpc: '2.0', id: 'q1', ...question }), done])
  })
  const answer = async (): Promise<Message> => {
    const find = (): Message | undefined =>
      server.seen.find(({ message }) => message?.['id'] === 'q1')?.message
    await until(() => find() !== undefined)
    return find() ?? {}
  }
  return { server, answer }
}

async function ask(
  question: Readonly<Record<string, unknown>>,
  options: Partial<ClientOptions>,
  register: (client: Client) => void = () => undefined,
): Promise<Message> {
  const { server, answer } = asking(question)
  const client = new Client({ ...me, ...options })
  register(client)
  await client.connect(server, { mode: 'legacy' })
  await client.callTool('x')
  return answer()
}

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ann' },
    age: { type: 'integer', default: 30 },
    note: { type: 'string' },
  },
}
const elicit = (params: Readonly<Record<string, unknown>> = {}) => ({
  method: 'elicitation/create',
  params: { message: 'who?', requestedSchema: FORM, ...params },
})

describe('questions of a legacy server', () => {
  it('EL-01 EL-04 F174 a form without a mode is asked, and completed from its defaults', async () => {
    const onElicitation = vi.fn<ElicitationHandler>(() => ({
      action: 'accept',
      content: { age: 31 },
    }))
    expect(await ask(elicit(), { onElicitation })).toEqual({
      jsonrpc: '2.0',
      id: 'q1',
      result: { action: 'accept', content: { name: 'Ann', age: 31 } },
    })
    expect(onElicitation.mock.calls[0]?.[0]).toMatchObject({ message: 'who?' })
  })

  it.each(['decline', 'cancel'] as const)('MR-27 EL-07 %s carries no content', async (action) => {
    const onElicitation: ElicitationHandler = () => ({ action, content: { name: 'stale' } })
    expect(await ask(elicit(), { onElicitation })).toMatchObject({ result: { action } })
  })

  it('EL-20 a mode that was not declared is -32602', async () => {
    const onElicitation = vi.fn<ElicitationHandler>(() => ({ action: 'accept' }))
    const url = elicit({ mode: 'url', url: 'https://x', elicitationId: '1' })
    expect(await ask(url, { onElicitation })).toMatchObject({ error: { code: -32602 } })
    expect(await ask(elicit({ mode: 'odd' }), { onElicitation })).toMatchObject({
      error: { code: -32602 },
    })
    expect(await ask(elicit({ requestedSchema: 7 }), { onElicitation })).toMatchObject({
      error: { code: -32602 },
    })
    expect(onElicitation).not.toHaveBeenCalled()
  })

  it('EL-08 the handler of a URL gets all of it, and nobody fetches it first', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept' }))
    const question = elicit({ mode: 'url', url: 'https://x/?a=1#b', elicitationId: '1' })
    const answer = await ask(question, {}, (client) => client.onElicitation(handler, { url: true }))
    expect(answer).toMatchObject({ result: { action: 'accept' } })
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ mode: 'url', url: 'https://x/?a=1#b' })
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('EL-18 F172 a question that nobody answers is -32601', async () => {
    expect(await ask({ method: 'acme/ask' }, {})).toMatchObject({ error: { code: -32601 } })
    expect(await ask(elicit(), {})).toMatchObject({ error: { code: -32601 } })
  })

  it('F172 F173 any method can be answered, with any code', async () => {
    const register = (client: Client): void =>
      client.onRequest('acme/ask', ({ n }) => {
        if (n === 1) return { ok: n }
        throw new McpError(-32055, 'no', { data: 1 })
      })
    expect(await ask({ method: 'acme/ask', params: { n: 1 } }, {}, register)).toMatchObject({
      result: { ok: 1 },
    })
    expect(await ask({ method: 'acme/ask' }, {}, register)).toMatchObject({
      error: { code: -32055, message: 'no', data: 1 },
    })
  })

  it('EL-15 F175 a user who says no to sampling is -1', async () => {
    const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
    const onSampling = (): never => {
      throw new RequestRejected()
    }
    expect(await ask(sampling, { onSampling })).toMatchObject({ error: { code: -1 } })
  })

  it('EL-11 tools in sampling need to be declared', async () => {
    const params = { messages: [], maxTokens: 1, tools: [] }
    const handler = vi.fn<() => never>()
    const answer = await ask({ method: 'sampling/createMessage', params }, { onSampling: handler })
    expect(answer).toMatchObject({ error: { code: -32602 } })
    expect(handler).not.toHaveBeenCalled()
  })

  it('RPC-26 what a handler throws stays here, and is reported', async () => {
    const onWarning = vi.fn<(error: Error) => void>()
    const onSampling = (): never => {
      throw new Error('secret')
    }
    const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
    const answer = await ask(sampling, { onSampling, onWarning })
    expect(answer).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(String(onWarning.mock.calls[0]?.[0])).toContain('secret')
  })

  it('EL-16 F63 roots are file URIs', async () => {
    const roots = { method: 'roots/list' }
    expect(await ask(roots, { onRoots: () => [{ uri: 'file:///a' }] })).toMatchObject({
      result: { roots: [{ uri: 'file:///a' }] },
    })
    expect(await ask(roots, { onRoots: () => [{ uri: 'https://a' }] })).toMatchObject({
      error: { code: -32603 },
    })
  })

  it('LC-07 a ping is answered with nothing, and can be sent', async () => {
    expect(await ask({ method: 'ping' }, {})).toEqual({ jsonrpc: '2.0', id: 'q1', result: {} })
    const server = legacyServer((m) => (m.method === 'ping' ? {} : undefined))
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    await client.ping()
    expect(server.asked('ping')).toHaveLength(1)
  })

  it('EL-19 a question on the GET stream is answered too, as the referee demands', async () => {
    const server: FakeServer = legacyServer((_m, { verb }) =>
      verb === 'GET' ? sse([event({ jsonrpc: '2.0', id: 'q1', ...elicit() })], 'open') : undefined,
    )
    const client = await Client.connect(server, {
      ...me,
      mode: 'legacy',
      onElicitation: () => ({ action: 'accept' }),
    })
    await until(() => server.seen.some(({ message }) => message?.id === 'q1'))
    await client.close()
  })

  it('a question that the server cancels is not answered, and its handler learns of it', async () => {
    const aborted = vi.fn<() => void>()
    const onElicitation: ElicitationHandler = (_q, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted()
          resolve({ action: 'cancel' })
        })
      })
    const server: FakeServer = legacyServer((message) => {
      if (message.method !== 'tools/call') return undefined
      return sse([
        event({ jsonrpc: '2.0', id: 'q1', ...elicit() }),
        event({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q1' } }),
        event({ jsonrpc: '2.0', id: message.id, result: { content: [] } }),
      ])
    })
    const client = await Client.connect(server, { ...me, mode: 'legacy', onElicitation })
    await client.callTool('x')
    await until(() => aborted.mock.calls.length === 1)
    expect(server.seen.some(({ message }) => message?.id === 'q1')).toBe(false)
  })
})

describe('capabilities', () => {
  const declaredTo = (server: FakeServer): unknown =>
    server.asked('initialize')[0]?.message?.params?.['capabilities']

  it('CL-09 follow the handlers on the legacy wire', async () => {
    const server = legacyServer()
    const client = new Client({
      ...me,
      capabilities: { experimental: { a: {} } },
      extensions: { 'com.example/x': { y: 1 } },
    })
    client.onElicitation(() => ({ action: 'decline' }), { url: true })
    client.onSampling(() => Promise.reject(new Error()), { tools: true, context: true })
    client.onRoots(() => [])
    await client.connect(server, { mode: 'legacy' })
    expect(declaredTo(server)).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {}, context: {} },
      roots: { listChanged: true },
      experimental: { a: {} },
      extensions: { 'com.example/x': { y: 1 } },
    })
    await client.close()
  })

  it('CL-09 follow the handlers with each modern request, also those registered later', async () => {
    const server = modernServer()
    const client = await Client.connect(server, me)
    client.onRoots(() => [])
    await client.tools()
    const declared = server.seen.map(({ message }) => {
      const meta = message?.params?.['_meta']
      return (meta as Record<string, unknown>)['io.modelcontextprotocol/clientCapabilities']
    })
    expect(declared).toEqual([{}, { roots: {} }])
  })

  it('registering a kind of question after a legacy connection is a mistake that says so', async () => {
    const client = await Client.connect(legacyServer(), { ...me, mode: 'legacy' })
    expect(() => client.onRoots(() => [])).toThrow(TypeError)
    expect(() => client.onRoots(() => [])).toThrow('before connect()')
    expect(() => client.onElicitation(() => ({ action: 'cancel' }))).toThrow('elicitation/create')
    expect(() => client.onRequest('acme/x', () => ({}))).toThrow('acme/x')
  })

  it('a handler that was there may be replaced', async () => {
    const options = { ...me, mode: 'legacy', onRoots: () => [] } as const
    const client = await Client.connect(legacyServer(), options)
    client.onRoots(() => [{ uri: 'file:///b' }])
    await client.close()
  })

  it('rootsChanged() tells a legacy server and spares a modern one', async () => {
    const old = legacyServer()
    await (await Client.connect(old, { ...me, mode: 'legacy' })).rootsChanged()
    expect(old.asked('notifications/roots/list_changed')).toHaveLength(1)
    const modern = modernServer()
    await (await Client.connect(modern, me)).rootsChanged()
    expect(modern.seen).toHaveLength(1)
  })
})
