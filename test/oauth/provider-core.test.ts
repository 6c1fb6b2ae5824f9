import { expect, test } from 'vitest'
import { clientGrant } from '../../src/oauth/client-grant.ts'
import { grantKey } from '../../src/oauth/grant-record.ts'
import { createCore, type ProviderOptions } from '../../src/oauth/provider-core.ts'
import { memoryTokens } from '../../src/oauth/storage.ts'
import { settle } from '../support/clock.ts'
import { SERVER } from './world.ts'

const grant = clientGrant({ clientId: 'c' }, async () => ({}))

function core(options: ProviderOptions = {}) {
  return createCore(grant, options)
}

test('AU-18 the first URL is pinned, whatever its fragment; another one is refused', () => {
  const { pin, server } = core()
  expect(server()).toBe('')
  expect(pin(`${SERVER}#one`).href).toBe(SERVER)
  expect(pin(`${SERVER}#two`).href).toBe(SERVER)
  expect(() => pin(`${SERVER}/x?token=secret`)).toThrow(
    expect.objectContaining({ step: 'server', url: `${SERVER}/x` }),
  )
  expect(server()).toBe(SERVER)
})

test('a URL that is not secure pins nothing', () => {
  const { pin, server } = core()
  expect(() => pin('http://mcp.example.com')).toThrow(/^The MCP server/)
  expect(server()).toBe('')
})

/** Work that ends when it is told to, and what is under way. */
function works() {
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async (): Promise<string> => {
    running.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  return { running, work, end: (name: string) => ends.get(name)?.() }
}

test('one piece of work at a time, under the lock of the storage, for this server', async () => {
  const keys: string[] = []
  const storage = {
    ...memoryTokens(),
    lock: <T>(key: string, work: () => Promise<T>): Promise<T> => {
      keys.push(key)
      return work()
    },
  }
  const { pin, locked } = core({ storage })
  pin(SERVER)
  const { running, work, end } = works()
  const one = locked(work('one'))
  const two = locked(work('two'))
  await settle()
  expect(running).toEqual(['one'])
  end('one')
  expect(await one).toBe('one')
  await settle()
  expect(running).toEqual(['one', 'two'])
  end('two')
  expect(await two).toBe('two')
  expect(keys).toEqual([grantKey(SERVER), grantKey(SERVER)])
})

test('work that fails does not hold up the next', async () => {
  const { locked } = core()
  await expect(locked(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await locked(async () => 'yes')).toBe('yes')
})

test('request by request nothing waits, and a renewal ends with its request', async () => {
  const { pin, locked, renewal } = core({ singleFlight: 'request' })
  pin(SERVER)
  const { running, work, end } = works()
  const all = Promise.all([locked(work('one')), locked(work('two'))])
  await settle()
  expect(running).toEqual(['one', 'two'])
  end('one')
  end('two')
  await all
  const { signal } = new AbortController()
  expect(renewal(undefined, signal).signal).toBe(signal)
})

test('shared work outlives the request that started it', () => {
  const { pin, renewal } = core({ scopes: ['mcp'] })
  pin(SERVER)
  const made = renewal(undefined, AbortSignal.abort())
  expect(made.signal).toBeUndefined()
  expect(made).toMatchObject({ grant, scopes: ['mcp'], scopeOnRefresh: false })
})
