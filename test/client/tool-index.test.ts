import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/index.ts'
import type { ClientOptions, Connector } from '../../src/client/index.ts'
import { errorOf, legacyServer, modernServer } from './fake-server.ts'
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
    expect(onWarning).toHaveBeenCalledTimes(bad.length + 1)
    const warnings = onWarning.mock.calls.map(([error]) => error.message)
    expect(warnings[0]).toContain('no name or no input schema')
    for (const [index, { name }] of bad.entries())
      expect(warnings[index + 1]).toContain(`"${name}"`)
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
