import { describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/index.ts'
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
