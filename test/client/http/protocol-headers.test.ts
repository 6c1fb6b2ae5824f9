import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { json, legacyServer, modernServer } from '../fake-server.ts'
import type { FakeServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

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
