import { expect, test } from 'vitest'
import { quiet, served } from '../http/served.ts'
import { legacy, listOf, modern } from '../support/index.ts'

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
