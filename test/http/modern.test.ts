/**
 * The modern wire: envelope, headers and answers (WIRE D.1 to D.6, D.8 to D.10).
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  HeaderMismatchError,
  McpError,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
} from '../../src/protocol/errors.ts'
import { encodeMirrored, legacy, MODERN, modern } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT = 'io.modelcontextprotocol/clientInfo'
const LEVEL = 'io.modelcontextprotocol/logLevel'

const full = {
  [VERSION]: MODERN,
  [CAPABILITIES]: {},
  [CLIENT]: { name: 'c', version: '1' },
}

function withParams(params: unknown, headers: Record<string, string | null> = {}): Request {
  const body = {
    jsonrpc: '2.0',
    id: 'e1',
    method: 'tools/list',
    ...(params === undefined ? {} : { params }),
  }
  return modern('tools/list', {}, { body, headers })
}

describe('the envelope', () => {
  const incomplete: readonly (readonly [string, unknown, RegExp])[] = [
    ['no params', undefined, /_meta/],
    ['no _meta', {}, /_meta/],
    ['_meta null', { _meta: null }, /_meta/],
    ['_meta an array', { _meta: [] }, /_meta/],
    ['no protocolVersion', { _meta: { ...full, [VERSION]: undefined } }, /protocolVersion/],
    [
      'no clientCapabilities',
      { _meta: { ...full, [CAPABILITIES]: undefined } },
      /clientCapabilities/,
    ],
  ]
  test.each(incomplete)('MH-01 %s is 400 -32602 with the id', async (_what, params, names) => {
    const answer = await served(everything()).ask(withParams(params))
    expect(answer.status).toBe(400)
    expect(answer.response?.['id']).toBe('e1')
    expect(answer.error?.['code']).toBe(-32602)
    expect(answer.error?.['message']).toMatch(names)
  })

  test('MH-02 HM-06 a modern header with an envelope that lacks the version is -32602, not -32020', async () => {
    const { ask } = served(everything())
    const answer = await ask(withParams({ _meta: { [CAPABILITIES]: {} } }))
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32602])
  })

  test('MH-03 a request without clientInfo is served', async () => {
    const answer = await served(everything()).ask(
      modern('tools/list', {}, { meta: { [CLIENT]: undefined } }),
    )
    expect(answer.status).toBe(200)
    expect(answer.result?.['tools']).toHaveLength(4)
  })

  const illTyped: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['version a number', { [VERSION]: 5 }, /protocolVersion/],
    ['version null', { [VERSION]: null }, /protocolVersion/],
    ['capabilities an array', { [CAPABILITIES]: [] }, /clientCapabilities/],
    ['capabilities a string', { [CAPABILITIES]: 'all' }, /clientCapabilities/],
    [
      'a capability that is no object',
      { [CAPABILITIES]: { sampling: true } },
      /clientCapabilities/,
    ],
    ['clientInfo a string', { [CLIENT]: 'me' }, /clientInfo/],
    ['clientInfo without a version', { [CLIENT]: { name: 'me' } }, /clientInfo/],
    ['an unknown level', { [LEVEL]: 'loud' }, /logLevel/],
    ['progressToken an object', { progressToken: {} }, /progressToken/],
    ['progressToken a fraction', { progressToken: 1.5 }, /progressToken/],
  ]
  test.each(illTyped)('MH-04 %s is 400 -32602 and names the key', async (_what, meta, names) => {
    const answer = await served(everything()).ask(modern('tools/list', {}, { meta, id: 9 }))
    expect([answer.status, answer.error?.['code'], answer.response?.['id']]).toEqual([
      400, -32602, 9,
    ])
    expect(answer.error?.['message']).toMatch(names)
  })

  test('MH-05 a header that differs from the envelope is -32020, even when the version is unknown', async () => {
    const { ask } = served(everything())
    for (const version of ['v999', '2025-11-25']) {
      const answer = await ask(modern('tools/list', {}, { meta: { [VERSION]: version } }), {
        wire: false,
      })
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32020])
      expect(answer.error?.['message']).toMatch(/mcp-protocol-version/i)
    }
  })

  test('MH-06 HM-06 a version nobody knows is -32022 with what is served and what was asked', async () => {
    const { ask } = served(everything())
    const answer = await ask(modern('tools/list', {}, { revision: '2099-01-01', id: 3 }), {
      wire: false,
    })
    expect([answer.status, answer.response?.['id']]).toEqual([400, 3])
    expect(answer.error).toMatchObject({
      code: -32022,
      data: { supported: [MODERN], requested: '2099-01-01' },
    })
  })

  test('MH-07 a legacy version in the envelope is -32022', async () => {
    const answer = await served(everything()).ask(
      modern('tools/list', {}, { revision: '2025-11-25' }),
    )
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32022])
  })

  test('MH-23 a malformed claim never falls back to the legacy wire', async () => {
    const { ask } = served(everything())
    for (const meta of [{ [VERSION]: 5 }, { [VERSION]: null }, { [VERSION]: MODERN }]) {
      const request = modern(
        'tools/list',
        {},
        {
          body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } },
          headers: { 'mcp-protocol-version': null, 'mcp-method': null },
        },
      )
      const answer = await ask(request)
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32602])
    }
  })
})

describe('methods', () => {
  test('MH-08 RPC-08 HM-05 a method that is not implemented is 404 -32601 with the id', async () => {
    const answer = await served(everything()).ask(modern('foo/bar', {}, { id: 3 }))
    expect([answer.status, answer.response?.['id']]).toEqual([404, 3])
    expect(answer.error).toEqual({ code: -32601, message: 'Method not found: foo/bar' })
  })

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
  ])('MH-09 HM-05 %s is gone: 404 -32601', async (method) => {
    const params = { uri: 'config://app', level: 'info', protocolVersion: MODERN }
    const answer = await served(everything()).ask(modern(method, params))
    expect([answer.status, answer.error?.['code']]).toEqual([404, -32601])
    if (method === 'initialize') expect(answer.error?.['message']).toContain(MODERN)
  })

  test.each([
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ])('MH-10 MH-14 %s of an undeclared capability is 404 -32601', async (method) => {
    const { server } = quiet()
    const params = {
      name: 'x',
      uri: 'x://y',
      ref: { type: 'ref/prompt', name: 'x' },
      argument: { name: 'a', value: '' },
    }
    const answer = await served(server).ask(modern(method, params))
    expect([answer.status, answer.error?.['code']]).toEqual([404, -32601])
  })

  test('MH-19 a posted answer is refused', async () => {
    const body = { jsonrpc: '2.0', id: 1, result: {} }
    const answer = await served(everything()).ask(modern('x', {}, { body }))
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
  })

  test.each(['notifications/cancelled', 'notifications/initialized', 'acme/anything'])(
    'MH-20 %s gets 202 and no body',
    async (method) => {
      const { handler } = served(everything())
      const response = await handler(modern(method, { requestId: 1 }, { id: null }))
      expect([response.status, await response.text()]).toEqual([202, ''])
    },
  )

  test('MH-21 a posted cancel reaches nobody, not even its sender', async () => {
    const { server } = quiet()
    const seen: AbortSignal[] = []
    const { promise, resolve } = Promise.withResolvers<string>()
    server.tool('wait', {}, (_input, ctx) => {
      seen.push(ctx.signal)
      return promise
    })
    const { ask } = served(server)
    const answers = [
      ask(modern('tools/call', { name: 'wait' })),
      ask(modern('tools/call', { name: 'wait' })),
    ]
    const cancel = await ask(modern('notifications/cancelled', { requestId: 1 }, { id: null }))
    expect(cancel.status).toBe(202)
    resolve('still here')
    for (const answer of await Promise.all(answers))
      expect(answer.result?.['isError']).toBeUndefined()
    expect(seen.map(({ aborted }) => aborted)).toEqual([false, false])
  })
})

describe('notifications', () => {
  test('a custom one is dispatched with the envelope it brings, or with none', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.notification('acme/ping', { input: z.object({ n: z.number() }) }, ({ n }, ctx) => {
      seen.push([n, ctx.era, ctx.client.info?.name])
    })
    const { ask } = served(server)
    await ask(
      modern(
        'acme/ping',
        { n: 1 },
        { id: null, body: { jsonrpc: '2.0', method: 'acme/ping', params: { n: 1, _meta: full } } },
      ),
    )
    const bare = { jsonrpc: '2.0', method: 'acme/ping', params: { n: 2 } }
    await ask(modern('acme/ping', {}, { body: bare }))
    expect(seen).toEqual([
      [1, 'modern', 'c'],
      [2, 'modern', undefined],
    ])
  })

  test('headers that differ, and versions that are not served, are refused', async () => {
    const { ask } = served(everything())
    const differing = await ask(
      modern('acme/ping', {}, { id: null, headers: { 'mcp-method': 'acme/pong' } }),
    )
    expect([differing.status, differing.error?.['code']]).toEqual([400, -32020])
    const body = {
      jsonrpc: '2.0',
      method: 'acme/ping',
      params: { _meta: { ...full, [VERSION]: '2099-01-01' } },
    }
    const crossed = await ask(modern('acme/ping', {}, { body }), { wire: false })
    expect([crossed.status, crossed.error?.['code']]).toEqual([400, -32020])
    const unknown = await ask(
      modern('acme/ping', {}, { body, headers: { 'mcp-protocol-version': '2099-01-01' } }),
      { wire: false },
    )
    expect([unknown.status, unknown.error?.['code']]).toEqual([400, -32022])
  })

  test('a handler that takes its time does not hold the answer up', async () => {
    const { server, reported } = quiet()
    const { promise, reject } = Promise.withResolvers<void>()
    server.notification('acme/slow', {}, () => promise)
    const { ask } = served(server)
    expect((await ask(modern('acme/slow', {}, { id: null }))).status).toBe(202)
    reject(new Error('late'))
    await promise.catch(() => undefined)
    await Promise.resolve()
    expect(reported).toMatchObject([{ where: { notification: { method: 'acme/slow' } } }])
  })
})

describe('discovery', () => {
  test('MH-11 server/discover needs the envelope', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'server/discover' }
    const answer = await served(everything()).ask(modern('server/discover', {}, { body }))
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32602])
  })

  test('MH-12 MH-13 HM-07 it lists versions and capabilities; the server is named in _meta only', async () => {
    const server = everything({ instructions: 'Ask first.', title: 'Test' })
    const { result } = await served(server).ask(modern('server/discover'))
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: expect.objectContaining({ tools: expect.anything(), completions: {} }),
      instructions: 'Ask first.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': {
          name: 'test-server',
          version: '1.2.3',
          title: 'Test',
        },
      },
    })
  })

  test('MH-14 what is declared is served, also when nothing is defined', async () => {
    const { server } = quiet({
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    })
    const { ask } = served(server)
    const { result } = await ask(modern('server/discover'))
    expect(result?.['capabilities']).toMatchObject({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    })
    for (const [method, member] of [
      ['tools/list', 'tools'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
      ['prompts/list', 'prompts'],
    ] as const) {
      const answer = await ask(modern(method))
      expect([answer.status, answer.result?.[member]]).toEqual([200, []])
    }
    const called = await ask(modern('tools/call', { name: 'x' }))
    expect([called.status, called.error?.['code']]).toEqual([200, -32602])
  })

  test('MH-15 change flags are not promised where nothing delivers them, whoever declares them', async () => {
    const capabilities = {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    }
    for (const server of [everything(), everything({ capabilities })]) {
      const { ask } = served(server, { responses: 'json' })
      const { result } = await ask(legacy('initialize'))
      expect(JSON.stringify(result?.['capabilities'])).not.toMatch(/listChanged|subscribe/)
    }
  })

  test('HM-07 an endpoint that does not serve the modern revision says so', async () => {
    for (const { ask } of [
      served(everything(), { modern: false }),
      served(everything({ revisions: ['2025-06-18', '2025-11-25'] })),
    ]) {
      const answer = await ask(modern('server/discover'))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32022])
      expect(answer.error?.['data']).toMatchObject({
        requested: MODERN,
        supported: expect.arrayContaining(['2025-11-25']),
      })
      const bare = await ask(
        modern('tools/list', {}, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      )
      expect([bare.status, bare.error?.['code']]).toEqual([400, -32022])
    }
  })
})

describe('a modern-only endpoint', () => {
  test.each(['GET', 'DELETE', 'PUT'])('MH-16 %s is 405 with Allow', async (method) => {
    const { handler } = served(everything(), { legacy: 'off', cors: false })
    const response = await handler(new Request('http://localhost/mcp', { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('MH-25 it names its versions to whoever opens with a handshake', async () => {
    for (const { ask } of [
      served(everything(), { legacy: 'off' }),
      served(everything({ revisions: [MODERN] })),
    ]) {
      const answer = await ask(legacy('initialize', { protocolVersion: '2025-06-18' }), {
        revision: '2025-11-25',
      })
      expect([answer.status, answer.response?.['id']]).toEqual([400, 1])
      expect(answer.error).toMatchObject({
        code: -32022,
        data: { supported: [MODERN], requested: '2025-06-18' },
      })
    }
  })

  test('anything else without an envelope is 400', async () => {
    const { ask } = served(everything(), { legacy: 'off' })
    const answer = await ask(legacy('tools/list'))
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32602])
  })
})

describe('headers of other times', () => {
  test('MH-17 MH-18 session ids and event ids are ignored, and none is minted', async () => {
    const headers = { 'mcp-session-id': 'made-up', 'last-event-id': '7' }
    const answer = await served(everything()).ask(modern('tools/list', {}, { headers }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  test('MH-26 nothing of one request is remembered for the next', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.tool('who', {}, (_input, ctx) => {
      seen.push([ctx.client.info?.name, Object.keys(ctx.client.capabilities)])
      ctx.log.debug('noise')
      return 'ok'
    })
    const { ask } = served(server)
    const rich = { capabilities: { sampling: {} }, meta: { [LEVEL]: 'debug' } }
    expect((await ask(modern('tools/call', { name: 'who' }, rich))).notifications).toHaveLength(1)
    const bare = { meta: { [CLIENT]: undefined } }
    expect((await ask(modern('tools/call', { name: 'who' }, bare))).notifications).toHaveLength(0)
    expect(seen).toEqual([
      ['test', ['sampling']],
      [undefined, []],
    ])
  })

  test('MH-27 lists are the same for every connection', async () => {
    const { ask } = served(everything())
    const texts = new Set<string>()
    for (const id of ['a', 'b']) {
      const capabilities = id === 'a' ? {} : { sampling: {}, roots: {} }
      const { result } = await ask(
        modern('tools/list', {}, { capabilities, headers: { 'user-agent': id } }),
      )
      texts.add(JSON.stringify(result))
    }
    expect(texts.size).toBe(1)
  })

  test('MH-40 trace context reaches the handler and is echoed nowhere', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.tool('trace', {}, (_input, ctx) => {
      seen.push(ctx.traceContext)
      return 'ok'
    })
    const meta = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=1',
      baggage: 'k=v',
    }
    const answer = await served(server).ask(modern('tools/call', { name: 'trace' }, { meta }))
    expect(seen).toEqual([meta])
    expect(answer.text).not.toContain('traceparent')
  })
})

describe('mirrored headers', () => {
  test('HD-01 no version header is -32020', async () => {
    const answer = await served(everything()).ask(
      modern('tools/list', {}, { headers: { 'mcp-protocol-version': null } }),
    )
    expect([answer.status, answer.error?.['code'], answer.response?.['id']]).toEqual([
      400, -32020, 1,
    ])
    expect(answer.error?.['message']).toMatch(/mcp-protocol-version/i)
  })

  test.each([
    ['missing', null],
    ['different', 'tools/call'],
    ['in capitals', 'TOOLS/LIST'],
    ['twice', 'tools/list, tools/list'],
    ['empty', ''],
  ])('HD-02 Mcp-Method %s is -32020', async (_what, value) => {
    const answer = await served(everything()).ask(
      modern('tools/list', {}, { headers: { 'mcp-method': value } }),
    )
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32020])
    expect(answer.error?.['message']).toMatch(/mcp-method/i)
  })

  const named: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['tools/call', { name: 'echo', arguments: { text: 'x' } }, 'echo'],
    ['prompts/get', { name: 'review', arguments: { file: 'x' } }, 'review'],
    ['resources/read', { uri: 'config://app' }, 'config://app'],
  ]
  test.each(named)('HD-03 Mcp-Name of %s must be there and match', async (method, params, name) => {
    const { ask } = served(everything())
    for (const value of [null, 'other', name.toUpperCase(), `${name}, ${name}`]) {
      const answer = await ask(modern(method, params, { headers: { 'mcp-name': value } }))
      expect([answer.status, answer.error?.['code']]).toEqual([400, -32020])
      expect(answer.error?.['message']).toMatch(/mcp-name/i)
    }
    expect(
      (await ask(modern(method, params, { headers: { 'mcp-name': `  ${name} ` } }))).status,
    ).toBe(200)
  })

  test('HD-04 a read compares the uri only', async () => {
    const params = { uri: 'config://app', name: 'other' }
    const answer = await served(everything()).ask(modern('resources/read', params))
    expect(answer.result?.['contents']).toHaveLength(1)
  })

  test('HD-05 header names have no case, values do', async () => {
    const headers = { 'mcp-method': null, 'MCP-METHOD': 'tools/list' }
    expect((await served(everything()).ask(modern('tools/list', {}, { headers }))).status).toBe(200)
  })

  test.each([
    '=?base64?***?=',
    '=?base64?/w==?=',
    '=?BASE64?ZWNobw==?=',
    '=?base64?ZWNobw?=',
    '',
    'ec\u00e9ho',
  ])('HM-03 Mcp-Name %j is -32020', async (value) => {
    const params = { name: 'echo', arguments: { text: 'x' } }
    const answer = await served(everything()).ask(
      modern('tools/call', params, { headers: { 'mcp-name': value } }),
    )
    expect([answer.status, answer.error?.['code']]).toEqual([400, -32020])
  })

  test('names beyond ASCII travel wrapped', async () => {
    const { server } = quiet()
    server.tool('日本語', {}, () => 'はい')
    const { ask } = served(server)
    const answer = await ask(modern('tools/call', { name: '日本語' }))
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'はい' }])
    expect(encodeMirrored('日本語')).toBe('=?base64?5pel5pys6Kqe?=')
  })

  test('a body without the source value skips the name and answers for the parameters', async () => {
    const answer = await served(everything()).ask(modern('tools/call', { name: 5 }))
    expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
  })

  test('HD-24 parameter headers that no tool declares are ignored', async () => {
    const params = { name: 'echo', arguments: { text: 'x' } }
    const answer = await served(everything()).ask(
      modern('tools/call', params, { headers: { 'mcp-param-region': 'x' } }),
    )
    expect(answer.status).toBe(200)
  })
})

describe('arguments in headers', () => {
  function regional() {
    const { server } = quiet()
    server.tool(
      'deploy',
      {
        input: z.object({
          region: z.string().nullish().meta({ type: 'string', 'x-mcp-header': 'Region' }),
          count: z.int().optional().meta({ 'x-mcp-header': 'Count' }),
          deep: z.object({ flag: z.boolean().meta({ 'x-mcp-header': 'Flag' }) }).optional(),
        }),
      },
      (input) => JSON.stringify(input),
    )
    return served(server)
  }

  const rows: readonly (readonly [
    string,
    Record<string, unknown>,
    Record<string, string>,
    number,
  ])[] = [
    ['HD-19 a value without its header', { count: 1 }, {}, 400],
    ['HD-20 a differing value', { count: 1 }, { 'mcp-param-count': '2' }, 400],
    ['HD-20 an undecodable one', { count: 1 }, { 'mcp-param-count': '=?base64?!?=' }, 400],
    ['HD-20 integers compare as numbers', { count: 42 }, { 'mcp-param-count': '42.0' }, 200],
    ['HD-21 no argument, no header', {}, {}, 200],
    ['HD-22 a header without its argument', {}, { 'mcp-param-count': '1' }, 400],
    ['HD-17 a nested argument', { deep: { flag: true } }, { 'mcp-param-flag': 'true' }, 200],
    [
      'HD-17 a nested argument that differs',
      { deep: { flag: true } },
      { 'mcp-param-flag': 'TRUE' },
      400,
    ],
  ]
  test.each(rows)('%s', async (...row) => {
    const [, args, headers, status] = row
    const answer = await regional().ask(
      modern('tools/call', { name: 'deploy', arguments: args }, { headers }),
    )
    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.error?.['code']).toBe(-32020)
      expect(String(answer.error?.['message'])).toMatch(/mcp-param-(count|flag)/i)
    }
  })

  test('the legacy wire has no such headers', async () => {
    const answer = await regional().ask(
      legacy('tools/call', { name: 'deploy', arguments: { count: 1 } }),
    )
    expect(answer.result?.['isError']).toBeUndefined()
  })
})

describe('errors of handlers', () => {
  function failing(error: Error) {
    const { server } = quiet()
    server.tool('fail', {}, () => {
      throw error
    })
    return served(server).ask(modern('tools/call', { name: 'fail' }))
  }

  test('MH-31 MH-35 a missing capability found inside a handler is 400 with an object', async () => {
    const { server } = quiet()
    server.tool('ask', {}, async (_input, ctx) => {
      await Promise.resolve()
      ctx.requireCapability({ sampling: {}, elicitation: { url: {} } })
      return 'never'
    })
    const { ask } = served(server)
    const capabilities = { elicitation: {} }
    const answer = await ask(
      modern('tools/call', { name: 'ask' }, { capabilities, meta: { progressToken: 1 } }),
    )
    expect([answer.status, answer.form]).toEqual([400, 'json'])
    expect(answer.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {}, elicitation: { url: {} } } },
    })
  })

  test('MH-36 an unknown tool is 200', async () => {
    const answer = await served(everything()).ask(modern('tools/call', { name: 'nope' }))
    expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
  })

  test('MH-37 codes of other servers that a handler lets pass stay 200; -32021 is 400', async () => {
    const relayed: readonly (readonly [Error, number])[] = [
      [new HeaderMismatchError('elsewhere'), 200],
      [new UnsupportedProtocolVersionError('x', ['y']), 200],
      [new McpError(-32601, 'Method not found: elsewhere'), 200],
      [new MissingRequiredClientCapabilityError({ roots: {} }), 400],
    ]
    for (const [error, status] of relayed) {
      const answer = await failing(error)
      expect([answer.status, answer.error?.['message']]).toEqual([status, error.message])
    }
  })

  test('RPC-20 retired codes never reach the modern wire', async () => {
    const old = await failing(new McpError(-32002, 'gone', { data: { uri: 'a://b' } }))
    expect(old.error).toEqual({ code: -32602, message: 'gone', data: { uri: 'a://b' } })
    expect((await failing(new McpError(-32042, 'visit'))).error?.['code']).toBe(-32603)
    expect((await failing(new ResourceNotFoundError('a://b'))).error?.['code']).toBe(-32602)
  })

  test('RPC-19 reserved codes that the specification has not given out are not sent', async () => {
    for (const code of [-32023, -32050, -32099]) {
      expect((await failing(new McpError(code, 'made up'))).error).toEqual({
        code: -32603,
        message: 'Internal error',
      })
    }
    expect((await failing(new McpError(-31000, 'ours'))).error?.['code']).toBe(-31000)
  })
})

test('MH-39 media, acceptance and size are refused as on the legacy wire', async () => {
  const { ask } = served(everything(), { limits: { requestBytes: 300 } })
  const rows: readonly (readonly [Record<string, string>, unknown, number])[] = [
    [{ 'content-type': 'text/plain' }, {}, 415],
    [{ accept: 'text/html' }, {}, 406],
    [{}, { pad: 'x'.repeat(400) }, 413],
  ]
  for (const [headers, params, status] of rows) {
    const answer = await ask(modern('tools/list', params as Record<string, unknown>, { headers }))
    expect([answer.status, answer.error?.['code']]).toEqual([status, -32600])
    expect(answer.response).not.toHaveProperty('id')
  }
})
