import { describe, expect, it } from 'vitest'
import { Client } from '../../src/client/index.ts'
import type { ClientOptions } from '../../src/client/index.ts'
import { json, modernServer } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

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

it('a page may have more items than a call has arguments', async () => {
  const items = '0,'.repeat(300_000)
  const server = modernServer((message) =>
    message.method === 'resources/list'
      ? json(`{"jsonrpc":"2.0","id":${String(message.id)},"result":{"resources":[${items}0]}}`)
      : undefined,
  )
  expect(await (await connect(server)).resources()).toHaveLength(300_001)
})
