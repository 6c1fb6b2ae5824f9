import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { CompletionValues } from '../../../src/server/definitions.ts'
import { quiet, served } from '../../http/served.ts'
import { legacy, modern } from '../../support/index.ts'

const many = Array.from({ length: 150 }, (_value, index) => `v${index}`)

function completing(complete: CompletionValues | (() => CompletionValues)) {
  const { server, reported } = quiet()
  const completer = typeof complete === 'function' ? complete : () => complete
  server.prompt(
    'p',
    { input: z.object({ a: z.string(), b: z.string() }), complete: { a: completer } },
    () => [],
  )
  return { ask: served(server).ask, reported, server }
}

const prompt = { type: 'ref/prompt', name: 'p' }
const a = { name: 'a', value: 'v' }

describe('values', () => {
  test('FT-26 at most a hundred are sent, and more are announced', async () => {
    const { ask } = completing(many)
    const { result } = await ask(modern('completion/complete', { ref: prompt, argument: a }))
    expect(result?.['completion']).toEqual({
      values: many.slice(0, 100),
      total: 150,
      hasMore: true,
    })
  })

  test.each<readonly [CompletionValues, object]>([
    [['x'], { values: ['x'] }],
    [
      { values: ['x'], total: 7 },
      { values: ['x'], total: 7 },
    ],
    [
      { values: ['x'], hasMore: true },
      { values: ['x'], hasMore: true },
    ],
    [
      { values: many, total: 999, hasMore: false },
      { values: many.slice(0, 100), total: 999, hasMore: true },
    ],
    [[], { values: [] }],
  ])('%# the form of return is kept', async (returned, completion) => {
    const { ask } = completing(returned)
    const { result } = await ask(legacy('completion/complete', { ref: prompt, argument: a }))
    expect(result?.['completion']).toEqual(completion)
  })

  test.each([undefined, 5, { values: [1] }, [null]])(
    'a return of %j is masked',
    async (returned) => {
      const { ask, reported } = completing((() => returned) as never)
      const { error } = await ask(modern('completion/complete', { ref: prompt, argument: a }))
      expect(error).toEqual({ code: -32603, message: 'Internal error' })
      expect(reported).toHaveLength(1)
    },
  )

  test('FT-27 what is known of the other arguments reaches the completer', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.resourceTemplate(
      't://{x}/{y}',
      {
        name: 't',
        complete: {
          y: async (typed, context) => {
            seen.push(typed, context)
            return ['ok']
          },
        },
      },
      () => 'x',
    )
    const params = {
      ref: { type: 'ref/resource', uri: 't://{x}/{y}' },
      argument: { name: 'y', value: 'o' },
      context: { arguments: { x: '1', bad: 5 } },
    }
    await served(server).ask(legacy('completion/complete', params))
    expect(seen).toEqual(['o', { arguments: { x: '1' } }])
  })
})

describe('references', () => {
  const bad: readonly (readonly [unknown, unknown, RegExp])[] = [
    [{ type: 'ref/prompt', name: 'nope' }, a, /Unknown ref: nope/],
    [{ type: 'ref/resource', uri: 't://{no}' }, a, /Unknown ref/],
    [{ type: 'ref/tool', name: 'p' }, a, /'ref'/],
    [{ type: 'ref/prompt' }, a, /'ref'/],
    [undefined, a, /'ref'/],
    [prompt, { name: 'zzz', value: '' }, /Unknown argument: zzz/],
    [prompt, { name: 'a' }, /'argument'/],
    [prompt, undefined, /'argument'/],
    [prompt, { name: 'a', value: 5 }, /'argument'/],
  ]
  test.each(bad)('FT-28 ref %j with argument %j is -32602', async (ref, argument, message) => {
    const { ask } = completing(['x'])
    const answer = await ask(modern('completion/complete', { ref, argument }))
    expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
    expect(answer.error?.['message']).toMatch(message)
  })

  test('FT-28 without the capability the method does not exist', async () => {
    const { server } = quiet()
    server.prompt('p', {}, () => [])
    const { ask } = served(server)
    const params = { ref: prompt, argument: a }
    expect((await ask(modern('completion/complete', params))).status).toBe(404)
    expect((await ask(legacy('completion/complete', params))).error?.['code']).toBe(-32601)
  })

  test('an argument without a completer has no values', async () => {
    const { ask } = completing(['x'])
    const { result } = await ask(
      legacy('completion/complete', { ref: prompt, argument: { name: 'b', value: '' } }),
    )
    expect(result?.['completion']).toEqual({ values: [] })
  })

  test('the fallback answers for everything else, and there is one', async () => {
    const { ask, server } = completing(['own'])
    server.complete((ref, argument, context) => [JSON.stringify([ref, argument, context])])
    const ask2 = async (ref: unknown, argument: unknown) =>
      (await ask(modern('completion/complete', { ref, argument }))).result?.['completion']
    expect(await ask2(prompt, a)).toEqual({ values: ['own'] })
    const other = { type: 'ref/prompt', name: 'other' }
    expect(await ask2(other, { name: 'q', value: '' })).toEqual({
      values: [JSON.stringify([other, { name: 'q', value: '' }, { arguments: {} }])],
    })
    expect(() => server.complete(() => [])).toThrow(/complete/)
  })
})
