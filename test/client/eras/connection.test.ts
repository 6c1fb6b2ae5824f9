import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { Connector } from '../../../src/client/index.ts'
import { fakeClock } from '../../support/clock.ts'
import { errorOf, json, legacyServer, modernServer } from '../fake-server.ts'

const me = { name: 'test', version: '1' }

/** A channel whose server answers the probe as told, and any handshake properly. */
function channel(onProbe: (id: unknown) => Record<string, unknown> | 'silence' | 'exit') {
  const asked: string[] = []
  let started = 0
  const connector: Connector = (host) => {
    started += 1
    return {
      exchange: (request) => {
        asked.push(request.method)
        const { id } = request
        if (request.method === 'initialize') {
          const { protocolVersion } = request.params ?? {}
          const result = { protocolVersion, capabilities: {}, serverInfo: me }
          return Promise.resolve({ jsonrpc: '2.0', id, result })
        }
        const reply = onProbe(id)
        if (reply === 'exit') host.closed(new Error('died'))
        if (typeof reply === 'string') return new Promise(() => undefined)
        return Promise.resolve({ jsonrpc: '2.0', id, ...reply } as never)
      },
      notify: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
  }
  return { connector, asked, starts: () => started }
}

describe('negotiation over a channel', () => {
  it.each([-32601, -32602, -32600, -32000, -32700])(
    'CL-05 ST-10 falls back to the handshake after %s',
    async (code) => {
      const { connector, asked } = channel(() => ({ error: { code, message: 'what?' } }))
      const client = await Client.connect(connector, me)
      expect(client.era).toBe('legacy')
      expect(asked).toEqual(['server/discover', 'initialize'])
    },
  )

  it('F16 CL-05 ST-10 takes five seconds of silence for age', async () => {
    const clock = fakeClock()
    const { connector, asked } = channel(() => 'silence')
    const connecting = Client.connect(connector, { ...me, clock })
    await clock.advance(4_999)
    expect(asked).toEqual(['server/discover'])
    await clock.advance(1)
    expect((await connecting).era).toBe('legacy')
    expect(clock.armed()).toBe(0)
  })

  it.each([-32022, -32020, -32021])('CL-04 ST-10 stays modern after %s', async (code) => {
    const { connector, asked } = channel(() => ({ error: { code, message: 'no', data: {} } }))
    await expect(Client.connect(connector, me)).rejects.toThrow()
    expect(asked).toEqual(['server/discover'])
  })

  it('starts a process again that did not survive the probe, once', async () => {
    const { connector, asked, starts } = channel(() => 'exit')
    expect((await Client.connect(connector, me)).era).toBe('legacy')
    expect(asked).toEqual(['server/discover', 'initialize'])
    expect(starts()).toBe(2)
  })
})

describe('a verdict that was kept', () => {
  const legacy = legacyServer((message) => {
    const meta = message.params?.['_meta']
    if (meta !== undefined) return json('Bad Request: no session', { status: 400 })
    return message.method === 'resources/subscribe' ? {} : undefined
  })

  it.each(['shared', 'request'] as const)(
    'CL-07 is dropped when a modern server turns out to be an old one (%s)',
    async (singleFlight) => {
      const modern = await Client.connect(modernServer(), me)
      const { verdict } = modern
      const client = await Client.connect(legacy, { ...me, verdict, singleFlight })
      expect(client.era).toBe('modern')
      const lists = await Promise.all(Array.from({ length: 5 }, () => client.listTools()))
      expect(lists).toEqual(Array.from({ length: 5 }, () => ({ tools: [] })))
      expect(client.era).toBe('legacy')
      expect(client.verdict?.protocolVersion).toBe('2025-11-25')
    },
  )

  it('CL-07 is dropped by listen() too', async () => {
    const { verdict } = await Client.connect(modernServer(), me)
    const client = await Client.connect(legacy, { ...me, verdict })
    await client.listen({}).acknowledged
    expect(client.era).toBe('legacy')
    await client.close()
  })

  it('CL-07 is dropped when an old server has become a modern one', async () => {
    const { verdict } = await Client.connect(legacyServer(), me)
    const server = modernServer((m) =>
      m.method === 'initialize' ? errorOf(m, -32022, { status: 400 }) : undefined,
    )
    const client = await Client.connect(server, { ...me, verdict })
    expect(client.era).toBe('modern')
    expect(await client.tools()).toEqual([])
  })

  it('CL-06 CL-07 stays after an outage, a mistake of ours, and any success', async () => {
    const { verdict } = await Client.connect(modernServer(), me)
    const replies = [500, 401, 400]
    const server = modernServer((m) => {
      if (m.method === 'prompts/get') return errorOf(m, -32602, { status: 400 })
      return m.method === 'acme/x'
        ? new Response('no', { status: replies.shift() ?? 400 })
        : undefined
    })
    const client = await Client.connect(server, { ...me, verdict })
    await expect(client.request('acme/x')).rejects.toThrow('HTTP 500')
    await expect(client.request('acme/x')).rejects.toThrow('HTTP 401')
    expect(server.asked('server/discover')).toHaveLength(0)
    await expect(client.getPrompt('x')).rejects.toMatchObject({ code: -32602 })
    expect(server.asked('server/discover')).toHaveLength(1)
    await client.tools()
    await expect(client.getPrompt('x')).rejects.toMatchObject({ code: -32602 })
    await expect(client.request('acme/x')).rejects.toThrow('HTTP 400')
    expect(server.asked('server/discover')).toHaveLength(1)
    expect(client.era).toBe('modern')
  })

  it('CL-07 an era that is insisted on is not looked into', async () => {
    const { verdict } = await Client.connect(modernServer(), me)
    const client = await Client.connect(legacy, { ...me, verdict, mode: 'modern' })
    await expect(client.tools()).rejects.toThrow('HTTP 400')
    expect(client.era).toBe('modern')
  })
})
