import { expect, test } from 'vitest'
import { ServerCore } from '../../src/server/core.ts'
import { Registry } from '../../src/server/registry.ts'
import { quiet, served } from '../http/served.ts'
import { legacy, listOf, modern } from '../support/index.ts'

const core = new ServerCore({ name: 'x', version: '1' })
const first = { listed: () => '1' }
const second = { listed: () => '2' }

test('order is that of insertion, a taken key is a TypeError, changes are told', () => {
  let changes = 0
  const changed = () => {
    changes += 1
  }
  const registry = new Registry(core, { kind: 'thing', member: 'tools', changed })
  registry.add('b', first)
  registry.add('a', second)
  expect(() => registry.add('a', first)).toThrow(/^thing 'a' is already defined$/)
  expect(registry.values()).toEqual([first, second])
  expect([registry.size, registry.get('a'), changes]).toEqual([2, second, 2])
  expect([registry.remove('b'), registry.remove('b'), changes]).toEqual([true, false, 3])
})

test('names of prototypes are plain keys', () => {
  const registry = new Registry(core, { kind: 'thing', member: 'tools', changed: () => undefined })
  expect(registry.get('__proto__')).toBeUndefined()
  registry.add('constructor', first)
  expect([registry.get('constructor'), registry.remove('toString')]).toEqual([first, false])
})

test('what is kept is dropped when a definition comes or goes', async () => {
  const { server } = quiet()
  server.tool('a', {}, () => 'x')
  const { ask } = served(server)
  const names = async () => listOf(await ask(modern('tools/list')), 'tools').map(({ name }) => name)
  expect(await names()).toEqual(['a'])
  const b = { kind: 'tool', name: 'b', config: {}, handler: () => 'x' } as const
  server.add(b)
  expect(await names()).toEqual(['a', 'b'])
  server.remove(b)
  expect(await names()).toEqual(['a'])
})

test('readers of each revision get their own form, in any order', async () => {
  const { server } = quiet()
  server.tool('a', { output: undefined }, () => 'x')
  const { ask } = served(server)
  for (let round = 0; round < 2; round += 1) {
    expect((await ask(modern('tools/list'))).result).toHaveProperty('resultType')
    expect((await ask(legacy('tools/list'))).result).not.toHaveProperty('resultType')
  }
})

test('a long list is right the first time and every time after', async () => {
  const { server } = quiet()
  for (let index = 0; index < 1_000; index += 1) {
    server.tool(`tool_${index}`, { description: 'ü'.repeat(100) }, () => 'x')
  }
  const { ask } = served(server)
  for (const id of ['ä', 2]) {
    for (const build of [modern, legacy]) {
      const answer = await ask(build('tools/list', {}, { id }))
      expect([answer.response?.['id'], listOf(answer, 'tools').length]).toEqual([id, 1_000])
    }
    const streamed = await ask(
      modern('tools/list', {}, { id, headers: { accept: 'text/event-stream' } }),
    )
    expect(streamed.result?.['tools']).toHaveLength(1_000)
  }
})
