import { describe, expect, it } from 'vitest'
import { Client } from '../../src/client/index.ts'
import { legacyServer, modernServer } from './fake-server.ts'
import type { FakeServer, Message } from './fake-server.ts'

const me = { name: 'test', version: '1' }

/** Answers each method of the core protocol with the least that it may be. */
const least = (message: Message): Readonly<Record<string, unknown>> | undefined =>
  ({
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [] },
    'resources/list': { resources: [{ uri: 'a:1', name: 'a' }] },
    'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{x}', name: 'a' }] },
    'resources/read': { contents: [] },
    'resources/subscribe': {},
    'resources/unsubscribe': {},
    'prompts/list': { prompts: [{ name: 'p' }] },
    'prompts/get': { messages: [] },
    'completion/complete': { completion: { values: ['x'], total: 1 } },
    'logging/setLevel': {},
    ping: {},
  })[message.method ?? '']

const servers: Readonly<Record<string, () => FakeServer>> = {
  modern: () => modernServer(least),
  legacy: () => legacyServer(least),
}

describe.each(['modern', 'legacy'])('the methods of a client of a %s server', (era) => {
  const connect = async (): Promise<{ client: Client; server: FakeServer }> => {
    const server = servers[era]?.() ?? modernServer()
    return { server, client: await Client.connect(server, me) }
  }

  it('CL-08 send what they say, with the parameters they are given', async () => {
    const { client, server } = await connect()
    expect(await client.tools()).toHaveLength(1)
    expect(await client.resources()).toHaveLength(1)
    expect(await client.resourceTemplates()).toHaveLength(1)
    expect(await client.prompts()).toHaveLength(1)
    await client.callTool('t', { a: 1 })
    await client.callTool('t')
    await client.readResource('a:1')
    await client.getPrompt('p', { x: '1' })
    await client.getPrompt('p')
    const ref = { type: 'ref/prompt', name: 'p' } as const
    const { completion } = await client.complete({
      ref,
      argument: { name: 'x', value: '' },
      context: { arguments: { y: '2' } },
    })
    expect(completion).toEqual({ values: ['x'], total: 1 })
    const sent = server.seen.map(({ message }) => {
      const { _meta, ...params } = message?.params ?? {}
      return [message?.method, params]
    })
    expect(sent.slice(era === 'modern' ? 1 : 3)).toEqual([
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ['tools/call', { name: 't', arguments: { a: 1 } }],
      ['tools/call', { name: 't', arguments: {} }],
      ['resources/read', { uri: 'a:1' }],
      ['prompts/get', { name: 'p', arguments: { x: '1' } }],
      ['prompts/get', { name: 'p' }],
      [
        'completion/complete',
        { ref, argument: { name: 'x', value: '' }, context: { arguments: { y: '2' } } },
      ],
    ])
  })

  it('F15 readers work in both eras, and know nothing before', async () => {
    const { client } = await connect()
    expect(client.era).toBe(era)
    expect(client.serverCapabilities).toHaveProperty('tools')
    expect(client.serverInfo).toHaveProperty('name')
    expect(client.instructions).toBeUndefined()
    expect(client.verdict).toMatchObject({ era, protocolVersion: client.protocolVersion })
    await client.close()
    expect([client.connected, client.era, client.verdict]).toEqual([false, undefined, undefined])
  })

  it('notify() sends any notification', async () => {
    const { client, server } = await connect()
    await client.notify('acme/x', { a: 1 })
    expect(server.asked('acme/x')[0]?.message?.params).toMatchObject({ a: 1 })
    expect(server.asked('acme/x')[0]?.message).not.toHaveProperty('id')
  })
})

it('subscribe(), unsubscribe() and setLogLevel() work on a legacy server', async () => {
  const server = legacyServer(least)
  const client = await Client.connect(server, me)
  await client.subscribe('a:1')
  await client.unsubscribe('a:1')
  await client.setLogLevel('error')
  expect(server.seen.slice(-3).map(({ message }) => message?.params)).toEqual([
    { uri: 'a:1' },
    { uri: 'a:1' },
    { level: 'error' },
  ])
})
