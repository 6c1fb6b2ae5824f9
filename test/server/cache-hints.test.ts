import { describe, expect, test } from 'vitest'
import { checkHints, toCacheHints } from '../../src/server/cache-hints.ts'
import { everything, quiet, served } from '../http/served.ts'
import { legacy, modern } from '../support/index.ts'

const CACHEABLE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'config://app' }],
  ['prompts/list', {}],
]

describe('hints', () => {
  test.each(CACHEABLE)(
    'FT-32 FT-35 HM-20 %s says 0 and private unless the server says more',
    async (method, params) => {
      const hints = async (options = {}) => {
        const { result } = await served(everything(options)).ask(modern(method, params))
        return [result?.['ttlMs'], result?.['cacheScope']]
      }
      expect(await hints()).toEqual([0, 'private'])
      expect(await hints({ cache: { ttlMs: 60_000 } })).toEqual([60_000, 'private'])
      expect(await hints({ cache: { ttlMs: 5, scope: 'public' } })).toEqual([5, 'public'])
    },
  )

  test.each([
    ['tools/call', { name: 'echo', arguments: { text: 'x' } }],
    ['prompts/get', { name: 'review', arguments: { file: 'x' } }],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'users://{id}' }, argument: { name: 'id', value: '' } },
    ],
    ['acme/add', { a: 1, b: 2 }],
  ])('FT-33 HM-20 %s has none', async (method, params) => {
    const { result } = await served(everything({ cache: { ttlMs: 5 } })).ask(modern(method, params))
    expect(result).not.toHaveProperty('ttlMs')
    expect(result).not.toHaveProperty('cacheScope')
  })

  test('a reader says more about its own resource than the server', async () => {
    const { server } = quiet({ cache: { ttlMs: 60_000, scope: 'public' } })
    server.resource('a://b', { name: 'a' }, () => ({ contents: 'x', ttlMs: 1 }))
    const { result } = await served(server).ask(modern('resources/read', { uri: 'a://b' }))
    expect([result?.['ttlMs'], result?.['cacheScope']]).toEqual([1, 'private'])
  })

  test('legacy clients see hints only where an author gave some', async () => {
    const { result } = await served(everything({ cache: { ttlMs: 5 } })).ask(legacy('tools/list'))
    expect([result?.['ttlMs'], result?.['cacheScope']]).toEqual([5, 'private'])
    expect((await served(everything()).ask(legacy('tools/list'))).result).not.toHaveProperty(
      'ttlMs',
    )
  })
})

test('options that are no hints are TypeErrors', () => {
  for (const ttlMs of [-1, 1.5, Number.NaN, Infinity, '5']) {
    expect(() => toCacheHints({ ttlMs: ttlMs as never, scope: 'public' })).toThrow(/ttlMs/)
    expect(() => quiet({ cache: { ttlMs: ttlMs as never } })).toThrow(/ttlMs/)
  }
  expect(() => checkHints(1, 'shared')).toThrow(/scope/)
  expect(toCacheHints({})).toEqual({ ttlMs: 0, cacheScope: 'private' })
})
