import { describe, expect, it, vi } from 'vitest'
import {
  Client,
  ConnectionClosedError,
  HttpError,
  InvalidResponseError,
  McpError,
  MessageTooLargeError,
  RequestTimeoutError,
  StreamBrokenError,
} from '../../../src/client/index.ts'
import type { AuthProvider, ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { fakeClock, settle } from '../../support/clock.ts'
import {
  errorOf,
  event,
  json,
  legacyServer,
  modernServer,
  resultOf,
  sse,
  until,
} from '../fake-server.ts'
import type { Answer, FakeServer, Message, Reply } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** Answers `acme/x` as told and everything else by default. */
const onCustom =
  (reply: (message: Message) => Reply | Promise<Reply>): Answer =>
  (message) =>
    message.method === 'acme/x' ? reply(message) : undefined

const okEvent = (message: Message): string =>
  event({ jsonrpc: '2.0', id: message.id, result: { ok: true } })

describe('answers', () => {
  it.each<[string, (message: Message) => Response]>([
    ['JSON', (m) => resultOf(m, { ok: true })],
    [
      'JSON with parameters',
      (m) =>
        json(
          { jsonrpc: '2.0', id: m.id, result: { ok: true } },
          { headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
        ),
    ],
    [
      'JSON with a mark',
      (m) => json(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { ok: true } })}`),
    ],
    ['a stream', (m) => sse([okEvent(m)])],
    ['a stream that stays open', (m) => sse([okEvent(m)], 'open')],
    [
      'a stream with comments, notifications and noise first',
      (m) =>
        sse([
          ': hi\n\n',
          event('{not json'),
          event({ jsonrpc: '2.0', method: 'notifications/x' }),
          event({ jsonrpc: '2.0', id: 'other', result: {} }),
          okEvent(m),
        ]),
    ],
    [
      'a stream in single bytes',
      (m) => sse([...new TextEncoder().encode(okEvent(m))].map((byte) => Uint8Array.of(byte))),
    ],
  ])('CL-11 are read from %s', async (_name, reply) => {
    for (const server of [modernServer(onCustom(reply)), legacyServer(onCustom(reply))]) {
      const client = await connect(server)
      expect(await client.request('acme/x')).toMatchObject({ ok: true })
    }
  })

  it.each<[string, (message: Message) => Response, unknown, string]>([
    ['an empty 200', () => new Response(null), InvalidResponseError, 'it is empty'],
    ['an empty JSON 200', () => json(''), InvalidResponseError, 'it is empty'],
    [
      '202',
      () => new Response(null, { status: 202 }),
      InvalidResponseError,
      'accepts it and does not answer',
    ],
    ['204', () => new Response(null, { status: 204 }), InvalidResponseError, 'does not answer'],
    [
      'HTML',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      InvalidResponseError,
      'an HTML page',
    ],
    [
      'an HTML error',
      () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
      HttpError,
      'HTTP 502: an HTML page',
    ],
    ['broken JSON', () => json('{"a":'), InvalidResponseError, 'not JSON'],
    ['deep JSON', () => json('['.repeat(2_000)), InvalidResponseError, 'nests deeper'],
    [
      'an array',
      (m) => json([{ jsonrpc: '2.0', id: m.id, result: {} }]),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'another id',
      () => json({ jsonrpc: '2.0', id: 99, result: {} }),
      InvalidResponseError,
      'it answers the id 99',
    ],
    [
      'the id as a string',
      (m) => json({ jsonrpc: '2.0', id: String(m.id), result: {} }),
      InvalidResponseError,
      'it answers the id',
    ],
    [
      'a result that is no object',
      (m) => json({ jsonrpc: '2.0', id: m.id, result: 7 }),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'result and error',
      (m) => json({ jsonrpc: '2.0', id: m.id, result: {}, error: { code: 1, message: '' } }),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'a request',
      (m) => json({ jsonrpc: '2.0', id: m.id, method: 'x' }),
      InvalidResponseError,
      'it is a request',
    ],
    ['a stream that ends at once', () => sse([]), StreamBrokenError, 'it was closed'],
    [
      'a stream that breaks',
      () => sse([': x\n\n'], 'break'),
      StreamBrokenError,
      'the network failed',
    ],
    [
      'SS-08 a stream that ends within an event',
      (m) => sse([okEvent(m).trimEnd()]),
      StreamBrokenError,
      'it was closed',
    ],
    [
      'an invalid answer on a stream',
      (m) => sse([event({ jsonrpc: '2.0', id: m.id, result: 7 })]),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'a JSON body beyond the bound',
      () => json(JSON.stringify('x'.repeat(9_000))),
      MessageTooLargeError,
      'larger than 4096 bytes',
    ],
    [
      'an event beyond the bound',
      () => sse([`data: ${'x'.repeat(5_000)}`, 'x'.repeat(9_000)], 'open'),
      MessageTooLargeError,
      'larger than 4096 bytes',
    ],
  ])(
    'CL-15 %s fails its own call and leaves the client usable',
    async (...[, reply, kind, why]) => {
      const server = modernServer(onCustom(reply))
      const client = await connect(server, { maxMessageBytes: 4_096 })
      const error = await client.request('acme/x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(kind)
      expect(String(error)).toContain(why)
      expect(String(error)).toContain('acme/x')
      expect(await client.tools()).toEqual([])
    },
  )

  it('F164 a 192 MiB event without an end stops at the bound', async () => {
    const chunk = new Uint8Array(1 << 20).fill(0x78)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1
        if (sent > 192) controller.close()
        else controller.enqueue(sent === 1 ? new TextEncoder().encode('data: x') : chunk)
      },
    })
    const reply = (): Response =>
      new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const client = await connect(modernServer(onCustom(reply)))
    await expect(client.request('acme/x')).rejects.toThrow(MessageTooLargeError)
    expect(sent).toBeLessThan(10)
  })

  it('RPC-23 nesting a million deep is refused, not parsed', async () => {
    const client = await connect(modernServer(onCustom(() => json('['.repeat(1_000_000)))))
    await expect(client.request('acme/x')).rejects.toThrow('nests deeper than 64')
  })

  it('does not trust the length of an encoded body', async () => {
    const reply = (): Response =>
      json(`"${'x'.repeat(9_000)}"`, {
        headers: { 'content-length': '40', 'content-encoding': 'gzip' },
      })
    const client = await connect(modernServer(onCustom(reply)), { maxMessageBytes: 4_096 })
    await expect(client.request('acme/x')).rejects.toThrow(MessageTooLargeError)
  })

  it.each([400, 404, 409, 422, 500, 503])(
    'CL-10 surfaces the code and data of an error with HTTP %i',
    async (status) => {
      const reply = (m: Message): Response => errorOf(m, -32055, { status, data: { why: 1 } })
      const client = await connect(modernServer(onCustom(reply)))
      const error = await client.request('acme/x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(McpError)
      expect(error).toMatchObject({ code: -32055, data: { why: 1 } })
    },
  )

  it('CL-10 takes an error without a readable id, absent or null, as the answer', async () => {
    for (const id of [{}, { id: null }]) {
      const reply = (): Response =>
        json({ jsonrpc: '2.0', ...id, error: { code: -32700, message: 'what?' } }, { status: 400 })
      const client = await connect(modernServer(onCustom(reply)))
      await expect(client.request('acme/x')).rejects.toMatchObject({ code: -32700 })
    }
  })

  it('CL-12 sends a broken modern request again only when told to, under a new id', async () => {
    let calls = 0
    const reply = (m: Message): Response =>
      (calls += 1) === 1 ? sse([], 'break') : resultOf(m, { ok: true })
    const server = modernServer(onCustom(reply))
    const client = await connect(server)
    await expect(client.request('acme/x')).rejects.toThrow(StreamBrokenError)
    await client.request('acme/x')
    const ids = server.asked('acme/x').map(({ message }) => message?.id)
    expect(ids).toHaveLength(2)
    expect(ids[0]).not.toBe(ids[1])
    expect(server.seen.every(({ verb }) => verb === 'POST')).toBe(true)
  })

  it('CL-16 CL-13 ignores and reports a request of a modern server, and answers nothing', async () => {
    const onWarning = vi.fn<(error: Error) => void>()
    const ask = event({ jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: {} })
    const server = modernServer(onCustom((m) => sse([ask, okEvent(m)])))
    const onElicitation = vi.fn<() => { action: 'decline' }>(() => ({ action: 'decline' }))
    const client = await connect(server, { onWarning, onElicitation })
    await client.request('acme/x')
    await settle()
    expect(String(onWarning.mock.calls[0]?.[0])).toContain('elicitation/create')
    expect(onElicitation).not.toHaveBeenCalled()
    expect(server.seen.every(({ message }) => message?.method !== undefined)).toBe(true)
  })
})

describe('headers', () => {
  it('CL-08 CL-18 every modern request has its envelope and headers, and no session', async () => {
    const server = modernServer((m) => {
      const extra = { headers: { 'mcp-session-id': 'nobody-asked' } }
      return m.method === 'tools/list'
        ? json({ jsonrpc: '2.0', id: m.id, result: { tools: [] } }, extra)
        : undefined
    })
    const client = await connect(server)
    await client.listTools()
    await client.listTools({ cursor: 'x' })
    for (const { headers, message } of server.seen) {
      expect(headers['mcp-protocol-version']).toBe('2026-07-28')
      expect(headers['mcp-method']).toBe(message?.method)
      expect(headers['accept']).toBe('application/json, text/event-stream')
      expect(headers['content-type']).toBe('application/json')
      expect(headers['mcp-session-id']).toBeUndefined()
      expect(message?.params?.['_meta']).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': me,
      })
    }
  })

  it('HD-10 HD-11 HD-12 encodes names that a header cannot carry', async () => {
    const server = modernServer((m) => (m.method === 'tools/call' ? { content: [] } : undefined))
    const client = await connect(server)
    for (const name of [
      'plain',
      'Hello, 世界',
      ' padded ',
      'a\tb',
      'a\r\nX-Evil: 1',
      '=?base64?literal?=',
    ])
      await client.callTool(name)
    expect(server.asked('tools/call').map(({ headers }) => headers['mcp-name'])).toEqual([
      'plain',
      '=?base64?SGVsbG8sIOS4lueVjA==?=',
      '=?base64?IHBhZGRlZCA=?=',
      '=?base64?YQli?=',
      '=?base64?YQ0KWC1FdmlsOiAx?=',
      '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=',
    ])
  })

  it.each<[string, ConnectOptions['headers']]>([
    [
      'Headers',
      new Headers({ 'X-Key': '1', accept: 'application/json', 'content-type': 'text/plain' }),
    ],
    [
      'tuples',
      [
        ['x-key', '1'],
        ['Accept', 'application/json'],
        ['MCP-Protocol-Version', 'mine'],
      ],
    ],
    ['a record', { 'x-key': '1', accept: 'application/json', 'MCP-Session-Id': 'mine' }],
    ['a function', async () => ({ 'x-key': '1', accept: 'application/json' })],
  ])('case CL-06 the application gives %s, the protocol wins', async (_name, headers) => {
    const server = legacyServer(() => undefined, { sessions: ['s1'] })
    const client = await connect(server, { mode: 'legacy', headers, onLog: () => undefined })
    await client.listTools()
    await client.close()
    expect(server.seen.map(({ verb }) => verb)).toEqual(['POST', 'POST', 'GET', 'POST', 'DELETE'])
    for (const [index, seen] of server.seen.entries()) {
      expect(seen.headers['x-key']).toBe('1')
      expect(seen.headers['accept']).toBe('application/json')
      if (seen.verb === 'POST') expect(seen.headers['content-type']).toBe('application/json')
      if (index > 0) expect(seen.headers['mcp-session-id']).toBe('s1')
    }
  })

  it('LH-13 sends the negotiated revision on everything after initialize', async () => {
    const server = legacyServer(() => undefined, { sessions: ['s1'] })
    const client = await connect(server, { mode: '2025-06-18', onLog: () => undefined })
    await client.listTools()
    await client.close()
    expect(server.seen.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => '2025-06-18'),
    ])
  })

  it('LH-13 sends no revision before there was a header for it', async () => {
    const server = legacyServer()
    const client = await connect(server, { mode: '2025-03-26' })
    await client.listTools()
    expect(server.seen.every(({ headers }) => headers['mcp-protocol-version'] === undefined)).toBe(
      true,
    )
  })
})

describe('redirects and authorization', () => {
  const moved = (status: number, location: string) => (request: Request) =>
    new URL(request.url).pathname === '/mcp'
      ? new Response(null, { status, headers: { location } })
      : undefined

  it.each([307, 308])('follows %i within the origin with method and body', async (status) => {
    const server = modernServer()
    const redirect = moved(status, '/mcp/')
    const fetch = async (request: Request): Promise<Response> =>
      redirect(request) ?? server.fetch(request)
    const client = await Client.connect('http://127.0.0.1:9/mcp', {
      ...me,
      fetch,
      headers: { authorization: 'x' },
    })
    expect(client.era).toBe('modern')
    expect(server.seen[0]).toMatchObject({
      verb: 'POST',
      url: 'http://127.0.0.1:9/mcp/',
      headers: { authorization: 'x' },
    })
  })

  it.each<[number, string, string]>([
    [307, 'https://evil.example/mcp', 'another origin'],
    [308, 'http://127.0.0.1:10/mcp/', 'another origin'],
    [301, '/mcp/', 'drops its body'],
    [303, '/mcp/', 'drops its body'],
    [307, '/mcp', 'more than 3 times'],
    [307, 'http://', 'unknown place'],
  ])('refuses %i to %s', async (status, location, why) => {
    const fetch = vi.fn<(request: Request) => Response>(
      (r) => moved(status, location)(r) ?? new Response(null),
    )
    const connecting = Client.connect('http://127.0.0.1:9/mcp', {
      ...me,
      fetch,
      headers: { authorization: 'x' },
    })
    await expect(connecting).rejects.toThrow(why)
    for (const [request] of fetch.mock.calls)
      expect(new URL(request.url).origin).toBe('http://127.0.0.1:9')
  })

  const guarded = (token: () => string): FakeServer =>
    modernServer((_m, { headers }) =>
      headers['authorization'] === `Bearer ${token()}`
        ? undefined
        : new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="x"' } }),
    )

  it('asks its provider after a 401, and repeats the request', async () => {
    let token = 'old'
    const challenge = vi.fn<AuthProvider['challenge']>(async () => {
      token = 'new'
      return 'retry'
    })
    const auth: AuthProvider = {
      headers: async () => ({ authorization: `Bearer ${token}` }),
      challenge,
    }
    const server = guarded(() => 'new')
    await connect(server, { auth })
    expect(challenge).toHaveBeenCalledTimes(1)
    expect(challenge.mock.calls[0]?.[0]).toMatchObject({
      url: 'http://localhost/mcp',
      status: 401,
      wwwAuthenticate: 'Bearer error="x"',
      sent: { authorization: 'Bearer old' },
      attempt: 1,
    })
  })

  it('stops asking a provider that never succeeds', async () => {
    const challenge = vi.fn<AuthProvider['challenge']>(async () => 'retry')
    const auth: AuthProvider = { headers: async () => ({}), challenge }
    await expect(
      connect(
        guarded(() => 'x'),
        { auth },
      ),
    ).rejects.toThrow('HTTP 401')
    expect(challenge).toHaveBeenCalledTimes(3)
  })
})

describe('sessions', () => {
  const forgetting = (options: { readonly forget: number }): FakeServer => {
    let lost = 0
    return legacyServer(
      (message, { headers }) => {
        if (message.method !== 'acme/x') return undefined
        if (headers['mcp-session-id'] === 's1' && lost < options.forget) {
          lost += 1
          return new Response(null, { status: 404 })
        }
        return { session: headers['mcp-session-id'] }
      },
      { sessions: ['s1', 's2', 's3'] },
    )
  }

  it.each(['shared', 'request'] as const)(
    'LH-08 F171 opens a lost session anew and repeats the request once (%s)',
    async (singleFlight) => {
      const server = forgetting({ forget: 1 })
      const client = await connect(server, { mode: 'legacy', singleFlight })
      expect(await client.request('acme/x')).toEqual({ session: 's2' })
      const initializations = server.asked('initialize')
      expect(initializations).toHaveLength(2)
      expect(initializations[1]?.headers['mcp-session-id']).toBeUndefined()
      expect(server.asked('acme/x')).toHaveLength(2)
    },
  )

  it('LH-08 twenty requests share one new session', async () => {
    const server = forgetting({ forget: 20 })
    const client = await connect(server, { mode: 'legacy' })
    const results = await Promise.all(Array.from({ length: 20 }, () => client.request('acme/x')))
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ session: 's2' })))
    expect(server.asked('initialize')).toHaveLength(2)
  })

  it('LH-08 gives up when the new session is lost too', async () => {
    const server = legacyServer(
      (m) => (m.method === 'acme/x' ? new Response(null, { status: 404 }) : undefined),
      { sessions: ['s1', 's2', 's3'] },
    )
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x')).rejects.toThrow('the session is gone')
    expect(server.asked('acme/x')).toHaveLength(2)
  })

  it('a 404 without a session is an ordinary failure', async () => {
    const server = legacyServer((m) =>
      m.method === 'acme/x' ? new Response('no', { status: 404 }) : undefined,
    )
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x')).rejects.toThrow('HTTP 404: no')
    expect(server.asked('initialize')).toHaveLength(1)
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['204', () => new Response(null, { status: 204 })],
    ['405', () => new Response(null, { status: 405 })],
    ['404', () => new Response(null, { status: 404 })],
    ['500', () => new Response('x', { status: 500 })],
    ['nothing', () => new Promise(() => undefined)],
  ])(
    'case CL-09 close() ends session and stream once when DELETE is answered with %s',
    async (_name, reply) => {
      const clock = fakeClock()
      const cancelled = vi.fn<() => void>()
      const server = legacyServer(
        (_m, { verb }) => {
          if (verb === 'GET') return sse([], 'open', cancelled)
          return verb === 'DELETE' ? reply() : undefined
        },
        { sessions: ['s1'] },
      )
      const client = await connect(server, { mode: 'legacy', clock, onLog: () => undefined })
      const closing = client.close()
      await clock.advance(2_000)
      await closing
      await client.close()
      const deletes = server.seen.filter(({ verb }) => verb === 'DELETE')
      expect(deletes).toHaveLength(1)
      expect(deletes[0]?.headers).toMatchObject({
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-11-25',
      })
      await until(() => cancelled.mock.calls.length === 1)
      expect(clock.armed()).toBe(0)
    },
  )

  it('refuses a session id that a header could not carry back', async () => {
    const server = legacyServer(() => undefined, { sessions: ['a b'] })
    await expect(connect(server, { mode: 'legacy' })).rejects.toThrow('visible ASCII')
  })
})

describe('cancellation and time', () => {
  const hanging = (): FakeServer => {
    const server: FakeServer = legacyServer((m) =>
      m.method === 'acme/x' ? sse([': hi\n\n'], 'open') : undefined,
    )
    return server
  }

  it('CX-01 case CL-08 aborting a modern request closes its stream and sends nothing', async () => {
    const cancelled = vi.fn<() => void>()
    const server = modernServer(onCustom(() => sse([': hi\n\n'], 'open', cancelled)))
    const client = await connect(server)
    const controller = new AbortController()
    const calling = client.request('acme/x', {}, { signal: controller.signal })
    await until(() => server.asked('acme/x').length === 1)
    controller.abort('why')
    await expect(calling).rejects.toBe('why')
    await until(() => cancelled.mock.calls.length === 1)
    expect(server.asked('notifications/cancelled')).toHaveLength(0)
  })

  it('CX-03 case CL-08 aborting a legacy request tells the server which and why', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const controller = new AbortController()
    const calling = client.request('acme/x', {}, { signal: controller.signal })
    await until(() => server.asked('acme/x').length === 1)
    controller.abort(new Error('changed my mind'))
    await expect(calling).rejects.toThrow('changed my mind')
    await until(() => server.asked('notifications/cancelled').length === 1)
    expect(server.asked('notifications/cancelled')[0]?.message?.params).toEqual({
      requestId: server.asked('acme/x')[0]?.message?.id,
      reason: 'changed my mind',
    })
  })

  it('case CL-08 sends nothing for a signal that has fired, whatever its reason', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const before = server.seen.length
    const signal = AbortSignal.abort(null)
    await expect(client.request('acme/x', {}, { signal })).rejects.toBe(null)
    expect(server.seen).toHaveLength(before)
  })

  it('case CL-08 never cancels initialize on the wire', async () => {
    const server = legacyServer((m) => (m.method === 'initialize' ? sse([], 'open') : undefined))
    const controller = new AbortController()
    const connecting = connect(server, { mode: 'legacy', signal: controller.signal })
    await until(() => server.seen.length === 1)
    controller.abort(new Error('stop'))
    await expect(connecting).rejects.toThrow('stop')
    await settle()
    expect(server.seen).toHaveLength(1)
  })

  it('CX-11 CX-12 a timeout cancels, and the client stays usable', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    await expect(client.request('acme/x', {}, { timeoutMs: 10 })).rejects.toThrow(
      RequestTimeoutError,
    )
    await until(() => server.asked('notifications/cancelled').length === 1)
    expect(await client.tools()).toEqual([])
  })

  it('case CL-09 closing fails what is in flight, and sends no cancellations', async () => {
    const server = hanging()
    const client = await connect(server, { mode: 'legacy' })
    const calling = client.request('acme/x')
    const failing = expect(calling).rejects.toThrow(ConnectionClosedError)
    await until(() => server.asked('acme/x').length === 1)
    await client.close()
    await failing
    await settle()
    expect(server.asked('notifications/cancelled')).toHaveLength(0)
  })
})

describe('resumption', () => {
  /** Drops the POST stream after a primed event; GETs are answered in turn. */
  const dropping = (gets: readonly (() => Response)[], first = 'retry: 500\nid: a1\ndata:\n\n') => {
    let turn = 0
    return legacyServer(
      (message, { verb }) => {
        if (message.method === 'acme/x') return sse([first])
        if (verb !== 'GET') return undefined
        turn += 1
        return gets[Math.min(turn, gets.length) - 1]?.()
      },
      { sessions: ['s1'] },
    )
  }
  const answered = (): Response =>
    sse([event({ jsonrpc: '2.0', id: 2, result: { ok: true } }, 'a2')])
  const gets = (server: FakeServer) => server.seen.filter(({ verb }) => verb === 'GET')

  it('LH-23 LH-24 F170 waits as long as told, then resumes by GET after the last event', async () => {
    const clock = fakeClock()
    const server = dropping([answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(499)
    expect(gets(server)).toHaveLength(0)
    await clock.advance(1)
    expect(await calling).toEqual({ ok: true })
    expect(gets(server)[0]?.headers).toMatchObject({
      'last-event-id': 'a1',
      accept: 'text/event-stream',
      'mcp-session-id': 's1',
    })
    expect(clock.armed()).toBe(0)
  })

  it('SS-12 does not resume after the answer', async () => {
    const server = legacyServer((m) =>
      m.method === 'acme/x'
        ? sse(['id: 1\ndata:\n\n', event({ jsonrpc: '2.0', id: m.id, result: {} }, '2')])
        : undefined,
    )
    const clock = fakeClock()
    const client = await connect(server, { mode: 'legacy', clock })
    await client.request('acme/x')
    await clock.advance(5_000)
    expect(gets(server)).toHaveLength(0)
  })

  it('SS-12 does not resume after close()', async () => {
    const clock = fakeClock()
    const server = dropping([answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow(ConnectionClosedError)
    await clock.advance(100)
    await client.close()
    await failing
    await clock.advance(60_000)
    expect(gets(server)).toHaveLength(0)
  })

  it('F166 raises retry: 0 to a floor', async () => {
    const clock = fakeClock()
    const server = dropping([answered], 'retry: 0\nid: a1\ndata:\n\n')
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(99)
    expect(gets(server)).toHaveLength(0)
    await clock.advance(1)
    await calling
  })

  it('CL-17 F165 does not wait a day', async () => {
    const clock = fakeClock()
    const server = dropping([answered], 'retry: 86400000\nid: a1\ndata:\n\n')
    const client = await connect(server, { mode: 'legacy', clock })
    await expect(client.request('acme/x')).rejects.toThrow('asks to wait 86400000 ms')
    expect(gets(server)).toHaveLength(0)
  })

  it('CL-17 F169 gives up after two attempts without an event', async () => {
    const clock = fakeClock()
    const server = dropping([() => sse([])])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow('in 2 attempts')
    await clock.advance(5_000)
    await failing
    expect(gets(server)).toHaveLength(2)
  })

  it('F169 an event starts the count anew', async () => {
    const clock = fakeClock()
    const primed = (): Response => sse(['id: b\ndata:\n\n'])
    const server = dropping([() => sse([]), primed, () => sse([]), answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(10_000)
    expect(await calling).toEqual({ ok: true })
    expect(gets(server).map(({ headers }) => headers['last-event-id'])).toEqual([
      'a1',
      'a1',
      'b',
      'b',
    ])
  })

  it('case CL-10 tries again after a 503, as late as it asks', async () => {
    const clock = fakeClock()
    const busy = (): Response =>
      new Response(null, { status: 503, headers: { 'retry-after': '3' } })
    const server = dropping([busy, answered])
    const client = await connect(server, { mode: 'legacy', clock })
    const calling = client.request('acme/x')
    await clock.advance(3_499)
    expect(gets(server)).toHaveLength(1)
    await clock.advance(1)
    expect(await calling).toEqual({ ok: true })
  })

  it.each([400, 404, 405])('a resumption answered with %i fails the request', async (status) => {
    const clock = fakeClock()
    const server = dropping([() => new Response(null, { status })])
    const client = await connect(server, { mode: 'legacy', clock })
    const failing = expect(client.request('acme/x')).rejects.toThrow(`HTTP ${status}`)
    await clock.advance(500)
    await failing
    expect(await client.tools()).toEqual([])
  })
})

describe('the GET stream', () => {
  const withGet = (get: () => Response): FakeServer =>
    legacyServer((_m, { verb }) => (verb === 'GET' ? get() : undefined), { sessions: ['s1'] })
  const gets = (server: FakeServer) => server.seen.filter(({ verb }) => verb === 'GET')

  it('F167 is opened only when something needs it', async () => {
    const server = withGet(() => sse([], 'open'))
    const client = await connect(server, { mode: 'legacy' })
    expect(gets(server)).toHaveLength(0)
    client.onNotification(() => undefined)
    await until(() => gets(server).length === 1)
    await client.close()
  })

  it('case CL-03 F168 a 405 is final and silent', async () => {
    const clock = fakeClock()
    const onWarning = vi.fn<() => void>()
    const server = withGet(() => new Response(null, { status: 405 }))
    await connect(server, { mode: 'legacy', clock, onWarning, onLog: () => undefined })
    await clock.advance(600_000)
    expect(gets(server)).toHaveLength(1)
    expect(onWarning).not.toHaveBeenCalled()
    expect(clock.armed()).toBe(0)
  })

  it.each<[string, () => Response]>([
    ['404', () => new Response(null, { status: 404 })],
    ['406', () => new Response(null, { status: 406 })],
    ['400', () => new Response(null, { status: 400 })],
    ['501', () => new Response(null, { status: 501 })],
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('case CL-02 %s leaves the connection usable, with one warning', async (_name, reply) => {
    const clock = fakeClock()
    const onWarning = vi.fn<(error: Error) => void>()
    const server = withGet(reply)
    const client = await connect(server, {
      mode: 'legacy',
      clock,
      onWarning,
      onLog: () => undefined,
    })
    await clock.advance(600_000)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(gets(server)).toHaveLength(1)
    expect(await client.tools()).toEqual([])
    expect(server.asked('initialize')).toHaveLength(1)
  })

  it('case CL-10 is opened again after transient failures, and given up once', async () => {
    const clock = fakeClock()
    const onWarning = vi.fn<(error: Error) => void>()
    const server = withGet(() => new Response(null, { status: 503 }))
    const connecting = connect(server, { mode: 'legacy', clock, onWarning, onLog: () => undefined })
    await clock.advance(600_000)
    const client = await connecting
    expect(gets(server)).toHaveLength(3)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(await client.tools()).toEqual([])
  })

  it('closing at once is not a reason to ask without end', async () => {
    const clock = fakeClock()
    const server = withGet(() => sse([]))
    const client = await connect(server, { mode: 'legacy', clock, onLog: () => undefined })
    await clock.advance(600_000)
    expect(gets(server)).toHaveLength(3)
    await client.close()
  })

  it('carries logs and notifications, and survives what it should not carry', async () => {
    const logs: unknown[] = []
    const others: string[] = []
    const onWarning = vi.fn<() => void>()
    const server = withGet(() =>
      sse(
        [
          event({
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'info', data: 1 },
          }),
          event({
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'loud', data: 2 },
          }),
          event({ jsonrpc: '2.0', id: 1, result: {} }),
          event('nonsense'),
          event({ jsonrpc: '2.0', method: 'acme/hello', params: { x: 1 } }),
        ],
        'open',
      ),
    )
    const client = await connect(server, {
      mode: 'legacy',
      onWarning,
      onLog: ({ data }) => void logs.push(data),
      onNotification: ({ method }) => void others.push(method),
    })
    await until(() => others.length === 1)
    expect(logs).toEqual([1])
    expect(others).toEqual(['acme/hello'])
    expect(onWarning).toHaveBeenCalledTimes(2)
    await client.close()
  })
})
