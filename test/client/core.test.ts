import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/index.ts'
import type { Connector } from '../../src/client/index.ts'
import { legacyServer, modernServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }

describe('a client', () => {
  it('can be connected again after a failure and after close', async () => {
    const client = new Client(me)
    await expect(
      client.connect({ fetch: async () => new Response(null, { status: 500 }) }),
    ).rejects.toThrow()
    await client.connect(modernServer())
    await expect(client.connect(modernServer())).rejects.toThrow('connected already')
    await client.close()
    await expect(client.callTool('x')).rejects.toThrow('not connected')
    await client.connect(legacyServer())
    expect(client.era).toBe('legacy')
  })

  it('close() ends an attempt to connect, and the connection it would have made', async () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<undefined>()
    const slow = modernServer(async () => {
      asked.resolve()
      return answer.promise
    })
    const client = new Client(me)
    const connecting = client.connect(slow)
    await asked.promise
    const failure = expect(connecting).rejects.toThrow('closed')
    await client.close()
    await client.connect(legacyServer())
    answer.resolve(undefined)
    await failure
    expect(client.era).toBe('legacy')
    expect(await client.tools()).toEqual([])
  })

  it('a transport that is there too late is closed', async () => {
    const made = Promise.withResolvers<void>()
    const close = vi.fn<() => Promise<void>>(async () => undefined)
    const connector: Connector = async () => {
      await made.promise
      return { exchange: () => new Promise(() => undefined), notify: async () => undefined, close }
    }
    const client = new Client(me)
    const connecting = expect(client.connect(connector)).rejects.toThrow('was closed')
    await client.close()
    made.resolve()
    await connecting
    expect(close).toHaveBeenCalledTimes(1)
  })

  it('an option that is found wrong late connects nothing', async () => {
    const server = modernServer()
    const client = new Client({ ...me, maxRounds: 0 })
    await expect(client.connect(server)).rejects.toThrow('maxRounds')
    expect(server.seen).toEqual([])
  })

  it('refuses options that are not what they have to be, by name', () => {
    expect(() => new Client({ ...me, maxPages: 0 })).toThrow('maxPages')
    expect(() => new Client({ name: '', version: '1' })).toThrow('name and version')
    expect(
      () =>
        new Client({
          ...me,
          onElicitation: () => ({ action: 'cancel' }),
          elicitation: { form: false },
        }),
    ).toThrow('form or url')
  })

  it('refuses a mode that is no mode', async () => {
    const mode = JSON.parse('"2030-01-01"')
    await expect(Client.connect(modernServer(), { ...me, mode })).rejects.toThrow(
      'neither an era nor',
    )
  })

  it('tells the server who it is, and nothing of how it behaves', async () => {
    const server = legacyServer()
    const identity = { ...me, title: 'T', description: 'D', websiteUrl: 'https://x', icons: [] }
    await Client.connect(server, { ...identity, mode: 'legacy', maxRounds: 3, onRoots: () => [] })
    expect(server.asked('initialize')[0]?.message?.params?.['clientInfo']).toEqual(identity)
  })

  it('a listener that throws breaks nothing, and is reported', async () => {
    const onWarning = vi.fn<() => never>(() => {
      throw new Error('twice')
    })
    const server = modernServer((message) =>
      message.method === 'tools/list' ? { tools: [7] } : undefined,
    )
    const client = await Client.connect(server, { ...me, onWarning })
    expect(await client.tools()).toEqual([])
    expect(onWarning).toHaveBeenCalledTimes(1)
  })
})
