/**
 * The legacy wire without sessions, and what both wires share below it (WIRE B, C).
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { McpError } from '../../src/protocol/errors.ts'
import { legacy, modern } from '../support/index.ts'
import { everything, quiet, raise, served } from './served.ts'

const BATCHES = '2025-03-26'

function posted(body: unknown, revision?: string): Request {
  return legacy('x', {}, { body, ...(revision === undefined ? {} : { revision }) })
}

describe('messages', () => {
  test.each([0, -1, 1, '', '1', 'a:b/1', 'ü', 9_007_199_254_740_991])(
    'RPC-01 the id %j comes back as it was sent',
    async (id) => {
      const { ask } = served(everything())
      expect((await ask(legacy('ping', {}, { id }))).response?.['id']).toBe(id)
      expect((await ask(modern('server/discover', {}, { id }))).response?.['id']).toBe(id)
    },
  )

  test.each([null, true, {}, [1], 1.5])(
    'RPC-02 HL-08 the id %j is refused, and not taken for a notification',
    async (id) => {
      const answer = await served(everything()).ask(
        posted({ jsonrpc: '2.0', id, method: 'tools/list' }),
      )
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
      expect(answer.response).not.toHaveProperty('id')
    },
  )

  const noMessage: readonly (readonly [unknown, unknown])[] = [
    [{ id: 99, method: 'tools/list', params: {} }, 99],
    [{ jsonrpc: '1.0', id: 96, method: 'tools/list' }, 96],
    [{ jsonrpc: '2.0', id: 98, method: 5 }, 98],
    [{ jsonrpc: '2.0', id: 97, method: 'tools/list', params: [1] }, 97],
    [{ jsonrpc: '2.0', id: 95, method: 'tools/list', params: null }, 95],
    [{ jsonrpc: '2.0', id: 94, result: {}, error: { code: 1, message: 'x' } }, 94],
    ['"hello"', undefined],
    [42, undefined],
    ['null', undefined],
    [{}, undefined],
  ]
  test.each(noMessage)(
    'RPC-06 HL-06 %j is 400 -32600, with the id where it can be read',
    async (body, id) => {
      const answer = await served(everything()).ask(posted(body))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
      expect(answer.response?.['id']).toBe(id)
    },
  )

  test.each(['{', '{"jsonrpc":"2.0","id":1,', '', 'undefined', "{'a':1}", '\u0000'])(
    'RPC-05 RPC-07 HL-06 the body %j is 400 -32700 without an id member',
    async (body) => {
      const answer = await served(everything()).ask(posted(body))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32700])
      expect(answer.response).not.toHaveProperty('id')
    },
  )

  test('RPC-04 every refusal of a readable request carries its id', async () => {
    const { ask } = served(everything())
    const id = 'keep me'
    const requests = [
      legacy('nope', {}, { id }),
      legacy('tools/call', { name: 5 }, { id }),
      legacy('tools/list', { cursor: 'x' }, { id }),
      legacy(
        'tools/list',
        {},
        { id, revision: '1999-01-01', headers: { 'mcp-protocol-version': '1999-01-01' } },
      ),
      legacy('initialize', { protocolVersion: 5 }, { id }),
      modern('nope', {}, { id }),
      modern('tools/list', {}, { id, headers: { 'mcp-method': null } }),
      modern('tools/list', {}, { id, revision: '2099-01-01' }),
    ]
    for (const request of requests) {
      const answer = await ask(request, { wire: false })
      expect([answer.response?.['id'], typeof answer.error?.['code']]).toEqual([id, 'number'])
    }
  })

  test('RPC-14 unknown members are ignored at every level', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      x: 1,
      params: { name: 'echo', arguments: { text: 'hi', x: 1 }, x: 1, _meta: { x: 1 } },
    }
    const answer = await served(everything()).ask(posted(body))
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'hi' }])
  })

  test('RPC-08 an unknown method is 200 -32601 here', async () => {
    const answer = await served(everything()).ask(legacy('foo/bar'))
    expect([answer.status, answer.error?.['code']]).toEqual([200, -32601])
  })

  test('RPC-23 bodies beyond the bounds are refused on real bytes and real depth', async () => {
    const { ask } = served(everything(), { limits: { requestBytes: 2_000, jsonDepth: 8 } })
    const text = 'x'.repeat(3_000)
    expect((await ask(legacy('tools/call', { name: 'echo', arguments: { text } }))).status).toBe(
      413,
    )
    const streamed = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect((await ask(streamed)).status).toBe(413)
    const deep = await ask(
      posted(
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(9)}1${'}'.repeat(9)}}`,
      ),
    )
    expect([deep.status, deep.error?.['code']]).toEqual([400, -32700])
  })

  test('a body that breaks off, or is no UTF-8, is the peer’s mistake', async () => {
    const { server, reported } = quiet()
    const { handler } = served(server)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' }
    const broken = new ReadableStream({ pull: () => raise(new Error('reset')) })
    const bad = new Blob([new Uint8Array([0x22, 0xff, 0x22])]).stream()
    for (const body of [broken, bad]) {
      const response = await handler(new Request('http://localhost/mcp', { ...init, body }))
      expect([response.status, (await response.json()).error.code]).toEqual([400, -32700])
    }
    expect(reported).toEqual([])
  })
})

describe('202', () => {
  test.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'srv-1', result: {} },
    { jsonrpc: '2.0', id: 'srv-1', error: { code: -1, message: 'no' } },
    { jsonrpc: '2.0', method: 'notifications/unknown_thing' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ])('RPC-03 HL-10 %j gets an empty body', async (body) => {
    const { handler } = served(everything())
    const response = await handler(posted(body))
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test('a handler of a custom notification runs, and what it throws is reported', async () => {
    const { server, reported } = quiet()
    const seen: unknown[] = []
    server.notification('acme/n', { input: z.object({ n: z.number() }) }, ({ n }) => {
      seen.push(n)
      if (n > 1) throw new Error('secret')
    })
    const { handler } = served(server)
    for (const n of [1, 2, 'three']) await handler(legacy('acme/n', { n }, { id: null }))
    await Promise.resolve()
    expect(seen).toEqual([1, 2])
    expect(reported.map(({ where }) => where)).toEqual([
      { notification: { method: 'acme/n' } },
      { notification: { method: 'acme/n' } },
    ])
  })
})

describe('batches', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  test('RPC-09 requests in a batch are answered in one array, matched by id', async () => {
    const { server } = quiet()
    server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
    const { handler, ask } = served(server)
    const call = {
      jsonrpc: '2.0',
      id: 'b',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'hi' } },
    }
    const answer = await ask(
      posted([ping, { jsonrpc: '2.0', method: 'notifications/initialized' }, call], BATCHES),
    )
    expect([answer.status, answer.form]).toEqual([200, 'json'])
    expect(new Set(answer.messages.map(({ id }) => id))).toEqual(new Set([1, 'b']))
    const single = await handler(posted([ping], BATCHES))
    expect(await single.json()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('RPC-09 a client that takes only streams gets one with every answer', async () => {
    const answer = await served(everything()).ask(
      legacy(
        'x',
        {},
        {
          body: [ping, { ...ping, id: 2 }],
          revision: BATCHES,
          headers: { accept: 'text/event-stream' },
        },
      ),
    )
    expect([answer.form, answer.messages.map(({ id }) => id)]).toEqual(['sse', [1, 2]])
  })

  test('RPC-10 notifications and answers alone get 202', async () => {
    const { handler } = served(everything())
    const response = await handler(
      posted(
        [
          { jsonrpc: '2.0', method: 'a/b' },
          { jsonrpc: '2.0', id: 1, result: {} },
        ],
        BATCHES,
      ),
    )
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test('RPC-11 initialize and what is no message are refused by element', async () => {
    const answer = await served(everything()).ask(
      posted([{ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }, 5, ping], BATCHES),
    )
    expect(
      answer.messages.map((message) => [
        message['id'],
        (message['error'] as { code?: number } | undefined)?.code,
      ]),
    ).toEqual([
      [7, -32600],
      [undefined, -32600],
      [1, undefined],
    ])
  })

  test.each(['2025-06-18', '2025-11-25'])(
    'RPC-12 from %s on an array is 400 -32600',
    async (revision) => {
      const answer = await served(everything()).ask(posted([ping], revision))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
    },
  )

  test('RPC-12 so it is on the modern wire, by header or by envelope', async () => {
    const { ask } = served(everything())
    const claim = {
      ...ping,
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    }
    for (const request of [modern('x', {}, { body: [ping] }), posted([ping, claim], BATCHES)]) {
      const answer = await ask(request)
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
    }
  })

  test('RPC-13 the empty array is 400 -32600', async () => {
    const answer = await served(everything()).ask(posted([], BATCHES))
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
  })

  test('a batch of more than a hundred is refused', async () => {
    const many = Array.from({ length: 101 }, (_value, id) => ({ ...ping, id }))
    expect((await served(everything()).ask(posted(many, BATCHES))).status).toBe(400)
  })
})

describe('initialize', () => {
  test('MH-22 MH-24 without an envelope it is a handshake, whatever the version header says', async () => {
    const { ask } = served(everything({ instructions: 'Ask first.' }))
    for (const header of [null, '2025-06-18', '2026-07-28', 'nonsense']) {
      const answer = await ask(
        legacy('initialize', {}, { headers: { 'mcp-protocol-version': header } }),
        {
          revision: '2025-11-25',
        },
      )
      expect(answer.result).toMatchObject({
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'test-server', version: '1.2.3' },
        instructions: 'Ask first.',
      })
      expect(answer.headers.get('mcp-session-id')).toBeNull()
    }
  })

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '%s is spoken when asked for',
    async (revision) => {
      const answer = await served(everything()).ask(legacy('initialize', {}, { revision }))
      expect(answer.result?.['protocolVersion']).toBe(revision)
    },
  )

  test('anything else is answered with our newest', async () => {
    const { ask } = served(everything())
    for (const protocolVersion of ['2026-07-28', '1999-01-01', 'draft']) {
      expect(
        (await ask(legacy('initialize', { protocolVersion }))).result?.['protocolVersion'],
      ).toBe('2025-11-25')
    }
  })

  test.each([
    [{ protocolVersion: 5 }, /protocolVersion/],
    [{ capabilities: [] }, /capabilities/],
    [{ clientInfo: { name: 'x' } }, /clientInfo/],
  ])('%j is -32602 and names the member', async (params, names) => {
    const answer = await served(everything()).ask(legacy('initialize', params))
    expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
    expect(answer.error?.['message']).toMatch(names)
  })
})

describe('revisions', () => {
  test('a header that names no served revision is 400 -32022 with data', async () => {
    const { ask } = served(everything({ revisions: ['2025-06-18', '2026-07-28'] }))
    for (const revision of ['2025-11-25', '1999-01-01']) {
      const answer = await ask(
        legacy('tools/list', {}, { revision, headers: { 'mcp-protocol-version': revision } }),
        { wire: false },
      )
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32022])
      expect(answer.error?.['data']).toMatchObject({ requested: revision })
    }
    const assumed = await ask(legacy('tools/list', {}, { revision: '2025-03-26' }))
    expect([assumed.status, assumed.error?.['data']]).toMatchObject([
      400,
      { requested: '2025-03-26' },
    ])
    expect((await ask(legacy('tools/list', {}, { revision: '2025-06-18' }))).status).toBe(200)
  })

  test('a notification of an unknown revision is refused too', async () => {
    const { ask } = served(everything())
    const headers = { 'mcp-protocol-version': '1999-01-01' }
    const answer = await ask(legacy('a/b', {}, { id: null, headers }), { wire: false })
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32022])
  })
})

describe('results of both eras', () => {
  const methods: readonly (readonly [string, Record<string, unknown>])[] = [
    ['tools/list', {}],
    ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
    ['tools/call', { name: 'echo', arguments: {} }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'config://app' }],
    ['prompts/list', {}],
    ['prompts/get', { name: 'review', arguments: { file: 'a.ts' } }],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'users://{id}' }, argument: { name: 'id', value: 'a' } },
    ],
    ['acme/add', { a: 1, b: 2 }],
  ]

  test.each(methods)(
    'RPC-15 RPC-18 RPC-22 %s says resultType and serverInfo to modern clients only',
    async (method, params) => {
      const { ask } = served(everything())
      const now = (await ask(modern(method, params))).result
      expect(now?.['resultType']).toBe('complete')
      expect(now?.['_meta']).toEqual({
        'io.modelcontextprotocol/serverInfo': { name: 'test-server', version: '1.2.3' },
      })
      const before = (await ask(legacy(method, params))).result ?? {}
      expect(Object.keys(before)).not.toEqual(expect.arrayContaining(['resultType']))
      for (const key of ['resultType', 'ttlMs', 'cacheScope', '_meta'])
        expect(before).not.toHaveProperty(key)
    },
  )

  test('RPC-18 serverInfo is merged with the _meta of a result', async () => {
    const { server } = quiet()
    server.method('acme/meta', {}, () => ({ _meta: { a: 1 } }))
    const { ask } = served(server)
    expect((await ask(modern('acme/meta'))).result?.['_meta']).toEqual({
      a: 1,
      'io.modelcontextprotocol/serverInfo': { name: 'test-server', version: '1.2.3' },
    })
    expect((await ask(legacy('acme/meta'))).result?.['_meta']).toEqual({ a: 1 })
  })

  test('RPC-21 no refusal of ours uses a code of the old server range', async () => {
    const { ask } = served(everything(), { limits: { requestBytes: 1_000 } })
    const requests = [
      legacy('nope'),
      legacy('tools/list', {}, { headers: { accept: 'image/png' } }),
      legacy('tools/list', {}, { headers: { 'content-type': 'x/y' } }),
      legacy('tools/list', {}, { headers: { host: 'evil.example' } }),
      legacy('tools/list', {}, { headers: { origin: 'https://evil.example' } }),
      legacy('tools/call', { pad: 'x'.repeat(2_000) }),
      posted('{'),
      modern('tools/list', {}, { headers: { 'mcp-method': 'x' } }),
    ]
    for (const request of requests) {
      const code = Number((await ask(request)).error?.['code'])
      expect(code <= -32000 && code >= -32019).toBe(false)
    }
  })

  test('RPC-26 what a method throws is masked, what is meant for the peer is not', async () => {
    const { server, reported } = quiet()
    server.method('acme/boom', {}, () => {
      throw new Error('secret')
    })
    server.method('acme/told', {}, () => {
      throw new McpError(-31000, 'told', { data: { why: 'because' } })
    })
    const { ask } = served(server)
    for (const request of [legacy('acme/boom'), modern('acme/boom')]) {
      const answer = await ask(request)
      expect([answer.status, answer.error]).toEqual([
        200,
        { code: -32603, message: 'Internal error' },
      ])
    }
    expect((await ask(legacy('acme/told'))).error).toEqual({
      code: -31000,
      message: 'told',
      data: { why: 'because' },
    })
    expect(reported.map(({ where }) => where)).toEqual([
      { request: { method: 'acme/boom', id: 1 } },
      { request: { method: 'acme/boom', id: 1 } },
    ])
  })
})
