import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { Client } from '../../src/client/index.ts'
import type { ClientOptions } from '../../src/client/index.ts'
import { event, legacyServer, modernServer, sse } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** A server with the given tools, which echoes what it is called with. */
const offering = (
  tools: readonly unknown[],
  result: Readonly<Record<string, unknown>> = {},
): FakeServer =>
  modernServer((message) => {
    if (message.method === 'tools/list') return { tools }
    return message.method === 'tools/call' ? { content: [], ...result } : undefined
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
