import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import { errorOf, legacyServer, until } from '../fake-server.ts'

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

  it.each(['shared', 'request'] as const)(
    'LH-08 requests that start while a session is renewed find the new one (%s)',
    async (singleFlight) => {
      const alive = new Set<string>()
      const renewing = Promise.withResolvers<void>()
      const renewed = Promise.withResolvers<undefined>()
      const server = legacyServer(
        async (message, { headers, verb }) => {
          const session = headers['mcp-session-id']
          if (message.method === 'initialize') {
            expect(session).toBeUndefined()
            if (alive.size > 0) renewing.resolve()
            alive.add(`s${alive.size + 1}`)
            return alive.size > 1 ? renewed.promise : undefined
          }
          if (message.method !== 'tools/list' || verb !== 'POST') return undefined
          if (session === undefined) return errorOf(message, -32600, { status: 400 })
          return session === 's1' ? new Response(null, { status: 404 }) : undefined
        },
        { sessions: ['s1', 's2', 's3', 's4'] },
      )
      const client = await Client.connect(server, { ...me, mode: 'legacy', singleFlight })
      const first = client.tools().then((tools) => tools)
      await renewing.promise
      const second = client.tools().then((tools) => tools)
      await until(() => server.asked('tools/list').length === 2)
      renewed.resolve(undefined)
      expect(await Promise.all([first, second])).toEqual([[], []])
    },
  )

  it('a request stops waiting for a new session when its signal says so', async () => {
    let lost = false
    const server = legacyServer(
      (message) => {
        if (!lost) return undefined
        if (message.method === 'initialize') return new Promise(() => undefined)
        return new Response(null, { status: 404 })
      },
      { sessions: ['s1'] },
    )
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    lost = true
    const controller = new AbortController()
    const failure = expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toThrow(
      'enough',
    )
    await until(() => server.asked('initialize').length === 2)
    controller.abort(new Error('enough'))
    await failure
    await client.close()
  })

  it('a subscription that is closed while it is made ends, and takes nothing from another', async () => {
    const server = legacyServer(
      ({ method, params }) => {
        if (method === 'resources/unsubscribe') return {}
        if (method !== 'resources/subscribe') return undefined
        return params?.['uri'] === 'a:slow' ? new Promise(() => undefined) : {}
      },
      { capabilities: { resources: { subscribe: true } }, sessions: ['s1'] },
    )
    const client = await Client.connect(server, { ...me, mode: 'legacy' })
    const kept = client.listen({ resourceSubscriptions: ['a:shared'] })
    await kept.acknowledged
    const closed = client.listen({ resourceSubscriptions: ['a:slow', 'a:shared'] })
    await until(() => server.asked('resources/subscribe').length === 2)
    closed.close()
    await expect(closed.acknowledged).rejects.toThrow('ended')
    await until(() => server.asked('resources/unsubscribe').length === 1)
    const dropped = server.asked('resources/unsubscribe')
    expect(dropped.map(({ message }) => message?.params?.['uri'])).toEqual(['a:slow'])
    await client.close()
  })
})
