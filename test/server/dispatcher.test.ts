import { describe, expect, test } from 'vitest'
import type { Extension } from '../../src/server/extension.ts'
import { everything, quiet, served } from '../http/served.ts'
import { legacy, listOf, modern } from '../support/index.ts'

describe('capabilities', () => {
  test('MH-14 follow from what is defined', async () => {
    const { ask } = served(everything())
    for (const build of [() => legacy('initialize'), () => modern('server/discover')]) {
      const { result } = await ask(build())
      expect(Object.keys(result?.['capabilities'] as object)).toEqual(
        expect.arrayContaining(['tools', 'resources', 'prompts', 'completions']),
      )
    }
    const bare = await served(quiet().server).ask(legacy('initialize'))
    for (const name of ['tools', 'resources', 'prompts', 'completions']) {
      expect(bare.result?.['capabilities']).not.toHaveProperty(name)
    }
  })

  test('extensions of the option, of use() and of the override are all declared', async () => {
    const { server } = quiet({
      extensions: { 'com.example/a': { x: 1 } },
      capabilities: { extensions: { 'com.example/c': {} } },
    })
    server.use({ id: 'com.example/b', settings: {} })
    const { result } = await served(server).ask(modern('server/discover'))
    expect(result?.['capabilities']).toHaveProperty('extensions', {
      'com.example/a': { x: 1 },
      'com.example/b': {},
      'com.example/c': {},
    })
    expect(() => server.use({ id: 'com.example/a', settings: {} })).toThrow(/already in use/)
    expect(() => server.use({ id: 'bare', settings: {} })).toThrow(/prefix\/name/)
  })
})

describe('extensions', () => {
  const stamp: Extension = {
    id: 'acme/stamp',
    settings: {},
    install: (host) => {
      host.method('acme/stamp', {}, (_input, ctx) => ({ era: ctx.era }))
      for (const method of ['tools/list', 'tools/call', 'resources/read']) {
        host.decorate(method, async (result, { caller }) => ({ ...result, 'acme/era': caller.era }))
      }
    },
  }

  test('add methods and change results, in both eras, also those that are kept as text', async () => {
    const server = everything()
    server.use(stamp)
    const { ask } = served(server)
    for (const [era, build] of [
      ['modern', modern],
      ['legacy', legacy],
    ] as const) {
      expect((await ask(build('acme/stamp'))).result).toMatchObject({ era })
      for (let round = 0; round < 2; round += 1) {
        const answer = await ask(build('tools/list'))
        expect([answer.result?.['acme/era'], listOf(answer, 'tools').length]).toEqual([era, 4])
      }
      expect(
        (await ask(build('tools/call', { name: 'echo', arguments: { text: 'x' } }))).result,
      ).toMatchObject({
        'acme/era': era,
        content: [{ text: 'x' }],
      })
      expect((await ask(build('prompts/list'))).result).not.toHaveProperty('acme/era')
    }
  })

  test('cannot take a method that there is', () => {
    const install: Extension['install'] = (host) => host.method('tools/call', {}, () => ({}))
    expect(() => everything().use({ id: 'acme/x', settings: {}, install })).toThrow(
      /already defined/,
    )
  })
})
