import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { assistantMessage, userMessage } from '../../../src/server/messages.ts'
import { quiet, served } from '../../http/served.ts'
import { legacy, modern } from '../../support/index.ts'

describe('getting', () => {
  test('messages, or an object with more', async () => {
    const { server } = quiet()
    server.prompt('list', {}, () => [userMessage('a'), assistantMessage('b')])
    server.prompt('more', {}, () => ({
      messages: [userMessage('a')],
      description: 'D',
      meta: { x: 1 },
    }))
    const { ask } = served(server)
    expect((await ask(legacy('prompts/get', { name: 'list' }))).result).toEqual({
      messages: [
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'assistant', content: { type: 'text', text: 'b' } },
      ],
    })
    expect((await ask(legacy('prompts/get', { name: 'more' }))).result).toMatchObject({
      description: 'D',
      _meta: { x: 1 },
    })
  })

  const bad: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ name: 'review' }, /file/],
    [{ name: 'review', arguments: {} }, /file/],
    [{ name: 'review', arguments: { file: 5 } }, /file/],
    [{ name: 'review', arguments: ['a'] }, /'arguments' must be an object/],
    [{ name: 'Review', arguments: { file: 'a' } }, /Unknown prompt: Review/],
    [{ name: 5 }, /'name' must be a string/],
    [{}, /'name' must be a string/],
  ]
  test.each(bad)('FT-24 %j is -32602 and says why', async (params, message) => {
    const { server } = quiet()
    server.prompt('review', { input: z.object({ file: z.string() }) }, ({ file }) => [
      userMessage(file),
    ])
    const { ask } = served(server)
    for (const request of [modern('prompts/get', params), legacy('prompts/get', params)]) {
      const answer = await ask(request)
      expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
      expect(answer.error?.['message']).toMatch(message)
    }
  })

  test.each([
    'text',
    undefined,
    {},
    { messages: 'x' },
    [{ role: 'system', content: { type: 'text', text: 'x' } }],
    [{ role: 'user', content: 'bare' }],
    [{ role: 'user', content: [{ type: 'text', text: 'FT-25 a list' }] }],
    [{ role: 'user', content: { type: 'text' } }],
  ])('FT-25 a return of %j is our mistake, masked and reported', async (returned) => {
    const { server, reported } = quiet()
    server.prompt('odd', {}, (() => returned) as never)
    const { error } = await served(server).ask(modern('prompts/get', { name: 'odd' }))
    expect(error).toEqual({ code: -32603, message: 'Internal error' })
    expect(String(reported[0]?.error)).toContain("prompt 'odd'")
  })
})

describe('defining', () => {
  test('arguments are listed with titles, descriptions and what is required', async () => {
    const { server } = quiet()
    const input = z.object({
      file: z.string().meta({ title: 'File', description: 'which' }),
      style: z.string().optional(),
    })
    server.prompt(
      'review',
      { title: 'Review', description: 'D', icons: [], meta: { a: 1 }, input },
      () => [],
    )
    const { result } = await served(server).ask(modern('prompts/list'))
    expect(result?.['prompts']).toEqual([
      {
        name: 'review',
        title: 'Review',
        description: 'D',
        _meta: { a: 1 },
        arguments: [
          { name: 'file', title: 'File', description: 'which', required: true },
          { name: 'style' },
        ],
      },
    ])
  })

  test('mistakes are TypeErrors where the definition stands', () => {
    const { server } = quiet()
    const wrong: readonly (readonly [() => void, RegExp])[] = [
      [
        () => server.prompt('p', { input: z.object({ n: z.number() }) }, () => []),
        /'n' must be a string/,
      ],
      [() => server.prompt('', {}, () => []), /name of a prompt/],
      [() => server.prompt('p', { complete: { x: () => [] } }, () => []), /has no 'x' to complete/],
      [() => server.prompt('p', {}, 'x' as never), /handler/],
    ]
    for (const [define, message] of wrong) {
      expect(define).toThrow(TypeError)
      expect(define).toThrow(message)
    }
  })
})
