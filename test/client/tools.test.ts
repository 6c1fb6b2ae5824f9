import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import * as z from 'zod'
import { Client, InvalidResponseError, OutputValidationError } from '../../src/client/index.ts'
import type { ClientOptions, Connector, InputOf } from '../../src/client/index.ts'
import type { ToolTypes } from '../../src/protocol/tools.ts'
import { errorOf, event, legacyServer, modernServer, sse } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

const tool = (name: string, properties: Readonly<Record<string, unknown>>, rest = {}) => ({
  name,
  inputSchema: { type: 'object', properties, ...rest },
})

/** A server with the given tools, which echoes what it is called with. */
const offering = (
  tools: readonly unknown[],
  result: Readonly<Record<string, unknown>> = {},
): FakeServer =>
  modernServer((message) => {
    if (message.method === 'tools/list') return { tools }
    return message.method === 'tools/call' ? { content: [], ...result } : undefined
  })

const mirrored = { type: 'string', 'x-mcp-header': 'Region' }

describe('mirrored arguments', () => {
  it('HD-13 HD-17 mirrors what the listing asks for, at its exact path', async () => {
    const nested = {
      type: 'object',
      properties: { b: { type: 'integer', 'x-mcp-header': 'Deep' } },
    }
    const server = offering([
      tool('t', { region: mirrored, a: nested, on: { type: 'boolean', 'x-mcp-header': 'On' } }),
    ])
    const client = await connect(server)
    await client.callTool('t', { region: 'unlisted' })
    await client.tools()
    await client.callTool('t', { region: '日本', a: { b: 42 }, on: false, 'a.b': 7 })
    await client.callTool('t', { region: null, a: {} })
    const headers = server
      .asked('tools/call')
      .map((seen) => Object.entries(seen.headers).filter(([name]) => name.startsWith('mcp-param-')))
    expect(headers).toEqual([
      [],
      [
        ['mcp-param-deep', '42'],
        ['mcp-param-on', 'false'],
        ['mcp-param-region', '=?base64?5pel5pys?='],
      ],
      [],
    ])
  })

  it('HD-14 HD-15 HD-16 HD-18 HM-19 leaves out each invalid tool, with a warning, and keeps the rest', async () => {
    const annotated = (annotation: unknown, type: unknown = 'string') => ({
      p: { type, 'x-mcp-header': annotation },
    })
    const bad = [
      tool('empty', annotated('')),
      tool('space', annotated('Bad Name')),
      tool('colon', annotated('a:b')),
      tool('breaks', annotated('X\r\nEvil: 1')),
      tool('wide', annotated('Région')),
      tool('no string', annotated(7)),
      tool('number', annotated('N', 'number')),
      tool('object', annotated('O', 'object')),
      tool('types', annotated('T', ['string', 'null'])),
      tool('twice', { a: mirrored, b: { type: 'string', 'x-mcp-header': 'REGION' } }),
      tool('items', { a: { type: 'array', items: mirrored } }),
      tool('anyOf', { a: { anyOf: [mirrored] } }),
      tool('defs', {}, { $defs: { x: mirrored } }),
      tool('if', {}, { if: { properties: { a: mirrored } } }),
    ]
    const onWarning = vi.fn<(error: Error) => void>()
    const server = offering([...bad, tool('good', { region: mirrored }), 7, { name: 'no schema' }])
    const client = await connect(server, { onWarning })
    expect((await client.tools()).map(({ name }) => name)).toEqual(['good'])
    expect(onWarning).toHaveBeenCalledTimes(bad.length + 2)
    for (const [index, { name }] of bad.entries())
      expect(String(onWarning.mock.calls[index]?.[0])).toContain(`"${name}"`)
  })

  it('HD-27 a channel without headers keeps every tool', async () => {
    const tools = [tool('number', { p: { type: 'number', 'x-mcp-header': 'N' } })]
    const connector: Connector = () => ({
      exchange: ({ id, method }) => {
        const found = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
        const result = method === 'server/discover' ? found : { tools }
        return Promise.resolve({ jsonrpc: '2.0', id, result })
      },
      notify: () => Promise.resolve(),
      close: () => Promise.resolve(),
    })
    const client = await Client.connect(connector, me)
    expect(await client.tools()).toHaveLength(1)
  })

  it('HD-28 refuses an integer that readers disagree about', async () => {
    const server = offering([tool('t', { n: { type: 'integer', 'x-mcp-header': 'N' } })])
    const client = await connect(server)
    await client.tools()
    await expect(client.callTool('t', { n: 2 ** 53 })).rejects.toThrow('n must be a integer')
    expect(server.asked('tools/call')).toHaveLength(0)
    await client.callTool('t', { n: -(2 ** 53 - 1) })
  })

  it('HD-23 case CL-11 lists the tools anew after -32020, and repeats the call once', async () => {
    let current = tool('t', {})
    const server = modernServer((message, { headers }) => {
      if (message.method === 'tools/list') return { tools: [current], ttlMs: 60_000 }
      if (message.method !== 'tools/call') return undefined
      return headers['mcp-param-region'] === 'eu'
        ? { content: [] }
        : errorOf(message, -32020, { status: 400 })
    })
    const client = await connect(server)
    await client.tools()
    current = tool('t', { region: mirrored })
    await client.callTool('t', { region: 'eu' })
    expect(server.asked('tools/list')).toHaveLength(2)
    await client.request('tools/call', { name: 't', arguments: { region: 'eu' } })
    expect(server.asked('tools/call')).toHaveLength(3)
    await expect(client.callTool('t', { region: 'us' })).rejects.toMatchObject({ code: -32020 })
    expect(server.asked('tools/call')).toHaveLength(5)
  })

  it('a legacy server gets no mirrored arguments', async () => {
    const server = legacyServer((message) => {
      if (message.method === 'tools/list') return { tools: [tool('t', { region: mirrored })] }
      return message.method === 'tools/call' ? { content: [] } : undefined
    })
    const client = await connect(server)
    await client.tools()
    await client.callTool('t', { region: 'eu' })
    expect(server.asked('tools/call')[0]?.headers).not.toHaveProperty('mcp-param-region')
    expect(server.asked('tools/call')[0]?.headers).not.toHaveProperty('mcp-name')
  })
})

describe('results of tools', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const withOutput = (schema: unknown, result: Readonly<Record<string, unknown>>): FakeServer =>
    offering([{ ...tool('t', {}), outputSchema: schema }], result)

  async function call(server: FakeServer, options: Partial<ClientOptions> = {}): Promise<unknown> {
    const client = await connect(server, options)
    await client.tools()
    return (await client.callTool('t')).structuredContent
  }

  it('FT-05 F181 checks structured output against the listed schema', async () => {
    expect(await call(withOutput(outputSchema, { structuredContent: { n: 1 } }))).toEqual({ n: 1 })
    for (const result of [{ structuredContent: { n: 'x' } }, {}]) {
      const error = await call(withOutput(outputSchema, result)).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(OutputValidationError)
      expect(String(error)).toContain('structured output of t')
    }
  })

  it('FT-09 exempts errors, and everything where validation is off', async () => {
    await call(withOutput(outputSchema, { isError: true }))
    await call(withOutput(outputSchema, {}), { validateOutput: false })
  })

  it('FT-07 output may be any JSON', async () => {
    for (const structuredContent of [[1], 'x', 0, false, null])
      expect(await call(withOutput({}, { structuredContent }))).toEqual(structuredContent)
  })

  it('FT-13 FT-16 a schema that cannot be used is a warning, and nothing is fetched for it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    for (const schema of [
      { $ref: 'https://evil.example/x' },
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    ]) {
      const onWarning = vi.fn<() => void>()
      await call(withOutput(schema, { structuredContent: {} }), { onWarning })
      expect(onWarning).toHaveBeenCalledTimes(1)
    }
    const tuple = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
    }
    await expect(call(withOutput(tuple, { structuredContent: [1] }))).rejects.toThrow(
      OutputValidationError,
    )
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('FT-12 RPC-14 hands tools over with every keyword and member they came with', async () => {
    const inputSchema = {
      type: 'object',
      $schema: 'x',
      $defs: { a: {} },
      $anchor: 'b',
      if: {},
      'x-y': 1,
    }
    const client = await connect(offering([{ name: 't', inputSchema, unknown: { member: 1 } }]))
    expect(await client.tools()).toEqual([{ name: 't', inputSchema, unknown: { member: 1 } }])
  })

  it.each([{ content: 'x' }, { content: [7] }, { content: undefined }])(
    'refuses %o',
    async (result) => {
      const client = await connect(offering([], result))
      await expect(client.callTool('t')).rejects.toThrow(InvalidResponseError)
    },
  )

  it('FT-23 missing resources have the code of their era', async () => {
    for (const code of [-32002, -32602]) {
      const server = modernServer((m) =>
        m.method === 'resources/read' ? errorOf(m, code) : undefined,
      )
      await expect((await connect(server)).readResource('a:1')).rejects.toMatchObject({ code })
    }
  })

  it('types calls from definitions', async () => {
    type Tools = readonly [
      ToolTypes<'forecast', { city: string }, { celsius: number }>,
      ToolTypes<'echo', { text: string }, undefined>,
    ]
    const client = await connect(offering([], { structuredContent: { celsius: 21 } }))
    const typed = client.typed<Tools>()
    const { structuredContent } = await typed.callTool('forecast', { city: 'Oslo' })
    expectTypeOf(structuredContent).toEqualTypeOf<{ celsius: number } | undefined>()
    type Call = (typeof typed)['callTool']
    expectTypeOf<Parameters<Call>[0]>().toEqualTypeOf<'forecast' | 'echo'>()
    expectTypeOf<InputOf<Tools[0]>>().toEqualTypeOf<{ city: string }>()
    expect(structuredContent).toEqual({ celsius: 21 })
  })
})

describe('requests', () => {
  it('a custom request is validated by its schema', async () => {
    const server = modernServer((m) =>
      m.method === 'acme/add' ? { sum: m.params?.['a'] } : undefined,
    )
    const client = await connect(server)
    const schema = z.object({ sum: z.number() })
    expect((await client.request('acme/add', { a: 3 }, { schema })).sum).toBe(3)
    await expect(client.request('acme/add', { a: 'x' }, { schema })).rejects.toThrow('acme/add')
  })

  it('F180 CX-10 progress is asked for only when wanted, and a listener that throws breaks nothing', async () => {
    const onWarning = vi.fn<() => void>()
    const server = modernServer((message) => {
      if (message.method !== 'tools/call') return undefined
      const { progressToken } = (message.params?.['_meta'] ?? {}) as Record<string, unknown>
      if (progressToken === undefined) return { content: [] }
      const report = (progress: number): string =>
        event({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress },
        })
      return sse([
        report(1),
        report(1),
        report(2),
        event({ jsonrpc: '2.0', id: message.id, result: { content: [] } }),
        report(3),
      ])
    })
    const client = await connect(server, { onWarning })
    const seen: number[] = []
    await client.callTool('t')
    await client.callTool(
      't',
      {},
      {
        onProgress: ({ progress }) => {
          seen.push(progress)
          throw new Error('listener')
        },
      },
    )
    expect(seen).toEqual([1, 2])
    expect(onWarning).toHaveBeenCalledTimes(2)
  })

  it('meta, trace context and log level travel in _meta, under the keys of the protocol', async () => {
    const server = offering([])
    const client = await connect(server)
    await client.setLogLevel('warning')
    const meta = { 'com.example/a': 1, 'io.modelcontextprotocol/protocolVersion': 'mine' }
    await client.callTool(
      't',
      {},
      { meta, traceContext: { traceparent: '00-1' }, logLevel: 'debug' },
    )
    await client.callTool('t')
    const [first, second] = server
      .asked('tools/call')
      .map(({ message }) => message?.params?.['_meta'])
    expect(first).toMatchObject({
      'com.example/a': 1,
      traceparent: '00-1',
      'io.modelcontextprotocol/logLevel': 'debug',
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    })
    expect(second).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'warning' })
  })

  it('methods of the other era say what to call instead', async () => {
    const modern = await connect(modernServer())
    await expect(modern.ping()).rejects.toThrow('call discover()')
    await expect(modern.subscribe('a:1')).rejects.toThrow('use listen()')
    expect(await modern.discover()).toMatchObject({ supportedVersions: ['2026-07-28'] })
    const legacy = await connect(legacyServer())
    await expect(legacy.discover()).rejects.toThrow('serverCapabilities')
    await expect(legacy.setLogLevel('info')).rejects.toMatchObject({ code: -32601 })
  })
})

describe('pages', () => {
  const paged = (next: (cursor: unknown) => unknown): FakeServer =>
    modernServer((message) => {
      if (message.method !== 'prompts/list') return undefined
      const cursor = message.params?.['cursor']
      const nextCursor = next(cursor)
      return {
        prompts: [{ name: `after ${String(cursor)}` }],
        ...(nextCursor === undefined ? {} : { nextCursor }),
      }
    })
  const names = async (client: Client): Promise<string[]> =>
    (await client.prompts()).map(({ name }) => name)

  it('FT-29 F178 the empty string is a cursor', async () => {
    const next = new Map<unknown, string>([
      [undefined, ''],
      ['', 'x'],
    ])
    const server = paged((cursor) => next.get(cursor))
    expect(await names(await connect(server))).toEqual(['after undefined', 'after ', 'after x'])
    expect(server.asked('prompts/list')[0]?.message?.params).not.toHaveProperty('cursor')
  })

  it('F177 gives one page when asked for one', async () => {
    const server = paged(() => 'x')
    const page = await (await connect(server)).listPrompts({ cursor: 'c' })
    expect(page).toMatchObject({ prompts: [{ name: 'after c' }], nextCursor: 'x' })
    expect(server.asked('prompts/list')).toHaveLength(1)
  })

  it('FT-31 stops at a cursor that repeats, and at too many pages', async () => {
    await expect(names(await connect(paged(() => 'same')))).rejects.toThrow(
      'prompts/list is invalid: its cursor repeats',
    )
    let count = 0
    const endless = paged(() => String((count += 1)))
    const client = await connect(endless, { maxPages: 5 })
    await expect(names(client)).rejects.toThrow('more than 5 pages')
    expect(endless.asked('prompts/list')).toHaveLength(5)
  })

  it('reads pages only as they are needed', async () => {
    const server = paged((cursor) => (cursor === undefined ? 'x' : undefined))
    for await (const { name } of (await connect(server)).prompts()) {
      expect(name).toBe('after undefined')
      break
    }
    expect(server.asked('prompts/list')).toHaveLength(1)
  })

  it('refuses lists that are none, and takes a null cursor for the end', async () => {
    const odd = modernServer((m) =>
      m.method === 'tools/list' ? { tools: {} } : { resources: [], nextCursor: 7 },
    )
    const client = await connect(odd, { onWarning: () => undefined }).catch(() => undefined)
    expect(client).toBeUndefined()
    const bad = modernServer((m) => {
      if (m.method === 'tools/list') return { tools: {} }
      if (m.method === 'resources/list') return { resources: [], nextCursor: 7 }
      return m.method === 'prompts/list' ? { prompts: [], nextCursor: null } : undefined
    })
    const other = await connect(bad)
    await expect(other.listTools()).rejects.toThrow('its tools is not an array')
    await expect(other.listResources()).rejects.toThrow('nextCursor is not a string')
    expect(await names(other)).toEqual([])
  })
})
