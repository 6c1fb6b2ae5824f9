import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import { legacyServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }

describe('a legacy session', () => {
  it('sends no _meta and no params that nobody asked for', async () => {
    const server = legacyServer()
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    await client.tools()
    await client.listTools({ meta: { 'com.example/a': 1 } })
    expect(server.asked('tools/list').map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { _meta: { 'com.example/a': 1 } } },
    ])
  })

  it('LH-08 a new session gets the log level of the old one', async () => {
    const lost = new Set<string>()
    const server = legacyServer(
      (message, { headers }) => {
        if (lost.has(headers['mcp-session-id'] ?? '')) return new Response(null, { status: 404 })
        return message.method === 'logging/setLevel' ? {} : undefined
      },
      { sessions: ['s1', 's2'] },
    )
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    await client.setLogLevel('warning')
    lost.add('s1')
    await client.tools()
    const levels = server.asked('logging/setLevel')
    expect(levels.map(({ headers }) => headers['mcp-session-id'])).toEqual(['s1', 's2'])
    expect(levels[1]?.message?.params).toEqual({ level: 'warning' })
  })

  it('LH-08 a notification survives a lost session too', async () => {
    const server = legacyServer(
      (message, { headers }) =>
        message.method === 'acme/x' && headers['mcp-session-id'] === 's1'
          ? new Response(null, { status: 404 })
          : undefined,
      { sessions: ['s1', 's2'] },
    )
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    await client.notify('acme/x')
    expect(server.asked('acme/x').map(({ headers }) => headers['mcp-session-id'])).toEqual([
      's1',
      's2',
    ])
    expect(server.asked('initialize')).toHaveLength(2)
  })
})
