import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { userMessage } from '../../../src/server/messages.ts'
import type { Context } from '../../../src/server/context.ts'
import { legacy, modern, assertWire } from '../../support/index.ts'
import { quiet, raise } from '../../http/served.ts'
import { ABLE, callTool, drive, questionsOf, sealed, send, stateOf, textOf } from './rounds.ts'

const yes = { message: 'Sure?', schema: z.object({ yes: z.boolean() }) }
const accepted = { action: 'accept', content: { yes: true } }
const hello = { messages: [userMessage('Hello')], maxTokens: 10 }
const said = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }

function serverWith(
  run: (ctx: Context) => unknown,
  config: Record<string, unknown> = {},
): ReturnType<typeof quiet> {
  const made = quiet()
  made.server.tool('ask', config, (_input, ctx) => run(ctx) as string)
  return made
}

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('a question without an answer', () => {
  it('MR-02 MR-03 MR-22 F49 becomes a bare question and a state, without cache hints', async () => {
    const { server } = serverWith(async (ctx) => (await ctx.elicit('ok', yes)).action)
    const { result, status } = await callTool(sealed(server), 'ask')
    expect(status).toBe(200)
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        ok: {
          method: 'elicitation/create',
          params: {
            message: 'Sure?',
            requestedSchema: {
              type: 'object',
              properties: { yes: { type: 'boolean' } },
              required: ['yes'],
            },
          },
        },
      },
      requestState: expect.stringMatching(/^v1\.[\w-]+$/),
      _meta: expect.anything(),
    })
    assertWire('2026-07-28', 'InputRequiredResult', result)
  })

  it('MR-17 MR-18 F62 is asked round by round, over instances that share the key', async () => {
    const { server } = serverWith(async (ctx) => {
      const first = await ctx.elicit('first', yes)
      const { text } = await ctx.sample('second', hello)
      const roots = await ctx.roots('third')
      return [first.action, text, roots[0]?.uri].join(' ')
    })
    const answers = { first: accepted, second: said, third: { roots: [{ uri: 'file:///a' }] } }
    const { final, rounds } = await drive([sealed(server), sealed(server)], 'ask', answers)
    expect(rounds.map((round) => Object.keys(questionsOf(round)))).toEqual([
      ['first'],
      ['second'],
      ['third'],
    ])
    expect(textOf(final)).toBe('accept hi file:///a')
  })

  it('questions asked together travel together, also when branches take a step first', async () => {
    const { server } = serverWith(async (ctx) => {
      const later = async (): Promise<string> => {
        await Promise.resolve()
        return (await ctx.sample('b', hello)).text
      }
      const all = await Promise.allSettled([ctx.elicit('a', yes), later(), ctx.roots('c')])
      return all.map(({ status }) => status).join(' ')
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(Object.keys(questionsOf(first))).toEqual(['a', 'c', 'b'])
    const answers = { a: accepted, b: said, c: { roots: [] } }
    const final = await callTool(handler, 'ask', { answers, state: stateOf(first) })
    expect(textOf(final)).toBe('fulfilled fulfilled fulfilled')
  })

  it('MR-09 HM-15 is asked again when the retry does not answer it', async () => {
    const { server } = serverWith(async (ctx) => {
      const [a] = await Promise.all([ctx.elicit('a', yes), ctx.elicit('b', yes)])
      return a.action
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    const second = await callTool(handler, 'ask', {
      answers: { a: accepted },
      state: stateOf(first),
    })
    expect(Object.keys(questionsOf(second))).toEqual(['b'])
    const third = await callTool(handler, 'ask', {
      answers: { b: accepted },
      state: stateOf(second),
    })
    expect(textOf(third)).toBe('accept')
  })

  it('MR-16 is answered by a first request that brings the answer', async () => {
    const { server } = serverWith(async (ctx) => (await ctx.elicit('ok', yes)).action)
    const answer = await callTool(sealed(server), 'ask', { answers: { ok: { action: 'cancel' } } })
    expect(textOf(answer)).toBe('cancel')
  })

  it('wins over whatever a broad catch made of it', async () => {
    for (const outcome of [
      () => 'fine',
      () => raise(new Error('x')),
      () => raise(new TypeError()),
    ]) {
      const { server, reported } = serverWith(async (ctx) => {
        try {
          return (await ctx.elicit('ok', yes)).action
        } catch {
          return outcome()
        }
      })
      expect(Object.keys(questionsOf(await callTool(sealed(server), 'ask')))).toEqual(['ok'])
      expect(reported).toEqual([])
    }
  })

  it('is no Error, and lets finally blocks run', async () => {
    let caught: unknown
    const done = vi.fn()
    const { server } = serverWith(async (ctx) => {
      try {
        return (await ctx.elicit('ok', yes)).action
      } catch (error) {
        caught = error
        throw error
      } finally {
        done()
      }
    })
    await callTool(sealed(server), 'ask')
    expect(caught).not.toBeInstanceOf(Error)
    expect(done).toHaveBeenCalledOnce()
  })

  it('counts, also when nobody awaits it', async () => {
    const { server } = serverWith(async (ctx) => {
      const helper = async (): Promise<unknown> => ctx.sample('helper', hello)
      void ctx.elicit('direct', yes)
      void helper()
      return 'done'
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(Object.keys(questionsOf(first))).toEqual(['direct', 'helper'])
    const answers = { direct: { action: 'cancel' }, helper: said }
    expect(textOf(await callTool(handler, 'ask', { answers, state: stateOf(first) }))).toBe('done')
  })

  it('ends no process where helpers are awaited one after the other', async () => {
    const { server } = serverWith(async (ctx) => {
      const helper = async (key: string): Promise<string> => (await ctx.elicit(key, yes)).action
      const [a, b, c] = [helper('a'), helper('b'), helper('c')]
      return [await a, await b, await c].join(' ')
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(Object.keys(questionsOf(first))).toEqual(['a', 'b', 'c'])
    const wrong = { a: { action: 'accept' }, b: 7, c: { action: 1 } }
    const failed = await callTool(handler, 'ask', { answers: wrong, state: stateOf(first) })
    expect(failed.error?.['code']).toBe(-32602)
  })
})

describe('what the client cannot answer', () => {
  const capable = async (
    run: (ctx: Context) => unknown,
    capabilities: Record<string, unknown>,
  ): Promise<unknown> => {
    const { server } = serverWith(run)
    const { status, error, result } = await callTool(sealed(server), 'ask', { capabilities })
    if (error === undefined) return Object.keys(result?.['inputRequests'] ?? {})
    expect([status, error['code']]).toEqual([400, -32021])
    return (error['data'] as Record<string, unknown>)['requiredCapabilities']
  }
  const url = { message: 'Go', url: 'https://example.com/' }
  const tools = { ...hello, tools: [{ name: 't', inputSchema: { type: 'object' as const } }] }

  it.each<[string, (ctx: Context) => unknown, Record<string, unknown>, unknown]>([
    ['a form, nothing declared', (ctx) => ctx.elicit('k', yes), {}, { elicitation: { form: {} } }],
    ['MR-05 F52 a form, bare', (ctx) => ctx.elicit('k', yes), { elicitation: {} }, ['k']],
    ['a form, form', (ctx) => ctx.elicit('k', yes), { elicitation: { form: {} } }, ['k']],
    [
      'MR-05 a form, only url',
      (ctx) => ctx.elicit('k', yes),
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    [
      'HM-16 a page, bare',
      (ctx) => ctx.elicitUrl('k', url),
      { elicitation: {} },
      { elicitation: { url: {} } },
    ],
    ['a page', (ctx) => ctx.elicitUrl('k', url), { elicitation: { url: {} } }, ['k']],
    ['HM-16 sampling', (ctx) => ctx.sample('k', hello), {}, { sampling: {} }],
    [
      'EL-11 sampling with tools',
      (ctx) => ctx.sample('k', tools),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    [
      'EL-11 sampling with tools',
      (ctx) => ctx.sample('k', tools),
      { sampling: { tools: {} } },
      ['k'],
    ],
    [
      'EL-17 sampling with context',
      (ctx) => ctx.sample('k', { ...hello, includeContext: 'thisServer' }),
      { sampling: {} },
      { sampling: { context: {} } },
    ],
    [
      'EL-17 sampling without context',
      (ctx) => ctx.sample('k', { ...hello, includeContext: 'none' }),
      { sampling: {} },
      ['k'],
    ],
    ['roots', (ctx) => ctx.roots('k'), {}, { roots: {} }],
  ])('MR-04 %s', async (...[, run, capabilities, outcome]) => {
    expect(await capable(run, capabilities)).toEqual(outcome)
  })

  it('MR-04 F51 names everything that was asked together, parts merged', async () => {
    const together = async (ctx: Context): Promise<unknown> =>
      Promise.all([ctx.elicit('a', yes), ctx.elicitUrl('b', url), ctx.sample('c', tools)])
    expect(await capable(together, { roots: {} })).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
    })
  })

  it('asks nothing where the rest of it cannot be answered', async () => {
    const mixed = (ctx: Context): unknown =>
      Promise.all([ctx.elicit('a', yes), ctx.sample('b', hello)])
    expect(await capable(mixed, { elicitation: {} })).toEqual({ sampling: {} })
  })

  it('lets a handler do without', async () => {
    const without = async (ctx: Context): Promise<unknown> => {
      const sampled = ctx.sample('b', hello).catch(() => undefined)
      return [await ctx.elicit('a', yes), await sampled]
    }
    expect(await capable(without, { elicitation: {} })).toEqual(['a'])
    const instead = async (ctx: Context): Promise<unknown> => {
      await ctx.sample('b', hello).catch(() => undefined)
      return ctx.elicit('a', yes)
    }
    expect(await capable(instead, {})).toEqual({ elicitation: { form: {} } })
  })

  it('does not count where catching everything led to it', async () => {
    const fallback = (ctx: Context): unknown =>
      ctx.elicit('a', yes).catch(() => ctx.sample('b', hello))
    expect(await capable(fallback, { elicitation: {} })).toEqual(['a'])
  })
})

describe('answers', () => {
  const outcome = async (answer: unknown, run: (ctx: Context) => unknown): Promise<unknown> => {
    const { server } = serverWith(run)
    const { error, result } = await callTool(sealed(server), 'ask', { answers: { k: answer } })
    return error?.['code'] ?? textOf(result)
  }
  const form = async (ctx: Context): Promise<string> => JSON.stringify(await ctx.elicit('k', yes))

  it.each([
    [12345, -32602],
    [null, -32602],
    ['accept', -32602],
    [[], -32602],
    [{}, -32602],
    [{ action: 'maybe' }, -32602],
    [{ action: 'accept' }, -32602],
    [{ action: 'accept', content: { yes: 'no' } }, -32602],
    [{ action: 'accept', content: { yes: true } }, '{"action":"accept","content":{"yes":true}}'],
    [{ action: 'decline', content: { yes: 'stale' } }, '{"action":"decline"}'],
    [{ action: 'cancel', content: null }, '{"action":"cancel"}'],
  ])('MR-11 MR-27 HL-22 EL-05 EL-07 %j to a form', async (answer, expected) => {
    expect(await outcome(answer, form)).toBe(expected)
  })

  it.each([
    [{ roots: [{ uri: 'file:///a' }] }, '1'],
    [{ roots: [{ uri: 'https://a' }] }, -32602],
    [{ roots: 'none' }, -32602],
  ])('EL-16 %j to roots', async (answer, expected) => {
    expect(await outcome(answer, async (ctx) => String((await ctx.roots('k')).length))).toBe(
      expected,
    )
  })

  it.each([
    [said, 'hi'],
    [
      {
        ...said,
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'ab',
    ],
    [{ role: 'assistant', content: { type: 'text', text: 'no model' } }, -32602],
    [{ ...said, content: 'text' }, -32602],
    [{ ...said, role: 'system' }, -32602],
  ])('%j to the model', async (answer, expected) => {
    expect(await outcome(answer, async (ctx) => (await ctx.sample('k', hello)).text)).toBe(expected)
  })

  it('MR-10 to nobody are ignored, whatever they are called', async () => {
    const { server } = serverWith(form)
    const answers = JSON.parse('{"__proto__":1,"constructor":null,"x":5,"k":{"action":"cancel"}}')
    expect(textOf(await callTool(sealed(server), 'ask', { answers }))).toBe('{"action":"cancel"}')
  })

  it('never come from a prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const { server } = serverWith(async (ctx) => (await ctx.elicit(key, yes)).action)
      const handler = sealed(server)
      const first = await callTool(handler, 'ask', { answers: {} })
      expect(Object.keys(questionsOf(first))).toEqual([key])
      const answers = JSON.parse(`{${JSON.stringify(key)}:{"action":"decline"}}`)
      expect(textOf(await callTool(handler, 'ask', { answers, state: stateOf(first) }))).toBe(
        'decline',
      )
    }
  })

  it.each([[[]], ['x'], [1], [null]])('%j is no set of answers', async (answers) => {
    const run = vi.fn(form)
    const { error } = await callTool(sealed(serverWith(run).server), 'ask', { answers })
    expect(error?.['code']).toBe(-32602)
    expect(run).not.toHaveBeenCalled()
  })

  it('of an earlier round cannot be changed later', async () => {
    const { server } = serverWith(async (ctx) => {
      const first = await ctx.elicit('first', yes)
      await ctx.elicit('second', yes)
      return first.action
    })
    const handler = sealed(server)
    const one = await callTool(handler, 'ask')
    const two = await callTool(handler, 'ask', {
      answers: { first: accepted },
      state: stateOf(one),
    })
    const answers = { first: { action: 'decline' }, second: accepted }
    expect(textOf(await callTool(handler, 'ask', { answers, state: stateOf(two) }))).toBe('accept')
  })
})

describe('keys', () => {
  it('ask once: the same question under the same key has one answer', async () => {
    const { server } = serverWith(async (ctx) => {
      const [a, b] = await Promise.all([ctx.elicit('k', yes), ctx.elicit('k', yes)])
      return a.action + b.action
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    const answers = { k: { action: 'decline' } }
    expect(textOf(await callTool(handler, 'ask', { answers, state: stateOf(first) }))).toBe(
      'declinedecline',
    )
  })

  it('belong to one question', async () => {
    const { server, reported } = serverWith(async (ctx) => {
      await ctx.elicit('k', yes)
      return ctx.sample('k', hello)
    })
    const answer = await callTool(sealed(server), 'ask', { answers: { k: accepted } })
    expect(answer.result?.['isError']).toBe(true)
    expect(String(reported[0]?.error)).toContain("the key 'k' already belongs to another question")
  })

  it('belong to the same question in every round: nobody answers what was not asked', async () => {
    let target = 'staging'
    const done = vi.fn()
    const { server, reported } = serverWith(async (ctx) => {
      const { action } = await ctx.elicit('k', { ...yes, message: `Deploy to ${target}?` })
      done(action)
      return (await ctx.elicit('next', yes)).action
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    target = 'production'
    const round = { answers: { k: accepted }, state: stateOf(first) }
    expect((await callTool(handler, 'ask', round)).result?.['isError']).toBe(true)
    expect(done).not.toHaveBeenCalled()
    target = 'staging'
    const second = await callTool(handler, 'ask', round)
    target = 'production'
    await callTool(handler, 'ask', { answers: { next: accepted }, state: stateOf(second) })
    expect(done).toHaveBeenCalledOnce()
    expect(reported.map(({ error }) => String(error))).toEqual([
      expect.stringContaining("question 'k' is not what it was in an earlier round"),
      expect.stringContaining("question 'k' is not what it was in an earlier round"),
    ])
  })
})

describe('once', () => {
  it('runs in one round only, and gives every round the same', async () => {
    const effect = vi.fn(() => ({ at: new Date(0), gone: undefined }))
    const seen: unknown[] = []
    const { server } = serverWith(async (ctx) => {
      seen.push(await ctx.once('build', effect), await ctx.once('nothing', () => undefined))
      await ctx.elicit('a', yes)
      await ctx.elicit('b', yes)
      return 'done'
    })
    await drive([sealed(server), sealed(server)], 'ask', { a: accepted, b: accepted })
    expect(effect).toHaveBeenCalledOnce()
    const value = { at: '1970-01-01T00:00:00.000Z' }
    expect(seen).toEqual([value, undefined, value, undefined, value, undefined])
  })

  it('is waited for when a question beside it ends the handler', async () => {
    const effect = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return 'built'
    })
    const { server } = serverWith(async (ctx) => {
      const branch = async (): Promise<string> => {
        const built = await ctx.once('build', effect)
        return built + (await ctx.elicit('after', yes)).action
      }
      return (await Promise.all([ctx.elicit('a', yes), branch()]))[1]
    })
    const { final, rounds } = await drive([sealed(server)], 'ask', { a: accepted, after: accepted })
    expect(Object.keys(questionsOf(rounds[0] ?? final))).toEqual(['a', 'after'])
    expect(effect).toHaveBeenCalledOnce()
    expect(textOf(final)).toBe('builtaccept')
  })

  it('that failed runs again, in this round or the next', async () => {
    const effect = vi.fn(() => 'ok').mockImplementationOnce(() => raise(new Error('busy')))
    const { server } = serverWith(async (ctx) => {
      const first = await ctx.once('x', effect).catch(() => 'failed')
      return first + (await ctx.once('x', effect))
    })
    expect(textOf(await callTool(sealed(server), 'ask'))).toBe('failedok')
  })

  it('may ask; what it asks is answered, and then it is remembered', async () => {
    const { server } = serverWith(async (ctx) => {
      const kept = await ctx.once('x', async () => (await ctx.elicit('inside', yes)).action)
      await ctx.elicit('after', yes)
      return kept
    })
    const { final, rounds } = await drive([sealed(server)], 'ask', {
      inside: accepted,
      after: accepted,
    })
    expect(rounds).toHaveLength(2)
    expect(textOf(final)).toBe('accept')
  })

  it('returns what JSON can hold', async () => {
    const { server, reported } = serverWith((ctx) => ctx.once('x', () => () => 1))
    await callTool(sealed(server), 'ask')
    expect(String(reported[0]?.error)).toContain("once 'x' returned what JSON cannot hold")
  })

  it('runs again with the same callId when a client goes back', async () => {
    const ids: string[] = []
    const { server } = serverWith(async (ctx) => {
      await ctx.elicit('a', yes)
      await ctx.elicit('b', yes)
      await ctx.once('x', () => void ids.push(ctx.callId))
      await ctx.elicit('c', yes)
      return 'done'
    })
    const handler = sealed(server)
    const one = await callTool(handler, 'ask')
    const two = await callTool(handler, 'ask', { answers: { a: accepted }, state: stateOf(one) })
    const retry = { answers: { b: accepted }, state: stateOf(two) }
    const three = await callTool(handler, 'ask', retry)
    await callTool(handler, 'ask', { answers: { c: accepted }, state: stateOf(three) })
    await callTool(handler, 'ask', retry)
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
    await callTool(handler, 'ask', { answers: { a: accepted, b: accepted } })
    expect(ids[2]).not.toBe(ids[0])
  })
})

describe('bounds', () => {
  const failure = async (run: (ctx: Context) => unknown, answers?: unknown): Promise<string> => {
    const { server, reported } = serverWith(run)
    const answer = await callTool(sealed(server), 'ask', { answers })
    expect(answer.result?.['isError'] ?? answer.error).toBeTruthy()
    return String(reported[0]?.error)
  }

  it('rounds', async () => {
    const { server, reported } = serverWith(async (ctx) => {
      for (let turn = 0; ; turn += 1) await ctx.elicit(`k${turn}`, yes)
    })
    const answers = Object.fromEntries(
      Array.from({ length: 40 }, (_, turn) => [`k${turn}`, accepted]),
    )
    const { final, rounds } = await drive([sealed(server)], 'ask', answers)
    expect(rounds).toHaveLength(32)
    expect(final.result?.['isError']).toBe(true)
    expect(String(reported[0]?.error)).toContain('at most 32 rounds')
  })

  it('entries', async () => {
    const many = async (ctx: Context): Promise<unknown> => {
      for (let turn = 0; turn < 129; turn += 1) await ctx.once(`e${turn}`, () => turn)
      return ctx.elicit('k', yes)
    }
    expect(await failure(many)).toContain('at most 128 answers and effects')
  })

  it('size', async () => {
    const large = async (ctx: Context): Promise<unknown> => {
      await ctx.once('e', () => 'x'.repeat(300_000))
      return ctx.elicit('k', yes)
    }
    expect(await failure(large)).toContain('more than 262144 characters between rounds')
  })
})

describe('where it applies', () => {
  it('F49 asks from prompts and resources', async () => {
    const { server } = quiet({ cache: { ttlMs: 1_000, scope: 'public' } })
    server.prompt('p', {}, async (_input, ctx) => [
      userMessage((await ctx.elicit('k', yes)).action),
    ])
    server.resource(
      'a://b',
      { name: 'b' },
      async (_uri, ctx) => (await ctx.elicit('k', yes)).action,
    )
    const handler = sealed(server)
    for (const asked of [
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'a://b' }],
    ] as const) {
      const first = await send(handler, asked)
      expect(first.result?.['resultType']).toBe('input_required')
      expect(first.result).not.toHaveProperty('ttlMs')
      const answers = { k: { action: 'decline' } }
      const final = await send(handler, asked, { answers, state: stateOf(first) })
      expect(JSON.stringify(final.result)).toContain('decline')
      if (asked[0] === 'resources/read') {
        expect(final.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
      }
    }
  })

  it('MR-01 asks from nowhere else', async () => {
    const { server, reported } = quiet()
    server.method('acme/ask', {}, async (_input, ctx) => ({
      action: (await ctx.elicit('k', yes)).action,
    }))
    server.method('acme/raw', {}, () => ({ resultType: 'input_required', requestState: 'x' }))
    const { status, error } = await send(sealed(server), ['acme/ask', {}])
    expect([status, error?.['code']]).toEqual([200, -32603])
    expect(String(reported[0]?.error)).toContain("'acme/ask' cannot ask on this wire")
    expect((await send(sealed(server), ['acme/raw', {}])).error?.['code']).toBe(-32603)
  })

  it('MR-28 F49 leaves output schemas and structured content to the end', async () => {
    const { server } = quiet()
    const output = z.object({ action: z.string() })
    server.tool('ask', { output }, async (_input, ctx) => ({
      action: (await ctx.elicit('k', yes)).action,
    }))
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(first.result).not.toHaveProperty('structuredContent')
    const state = stateOf(first)
    const final = await callTool(handler, 'ask', { answers: { k: { action: 'cancel' } }, state })
    expect(final.result?.['structuredContent']).toEqual({ action: 'cancel' })
  })

  it('EL-09 sends no id of a page', async () => {
    const { server } = serverWith((ctx) =>
      ctx.elicitUrl('k', {
        message: 'Go',
        url: 'https://a.example/',
        elicitationId: crypto.randomUUID(),
      }),
    )
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(questionsOf(first)['k']?.['params']).toEqual({
      mode: 'url',
      message: 'Go',
      url: 'https://a.example/',
    })
    const round = { answers: { k: { action: 'accept' } }, state: stateOf(first) }
    expect((await callTool(handler, 'ask', round)).error).toBeUndefined()
  })

  it('deprecation is said once', async () => {
    const { server, warnings } = serverWith((ctx) =>
      Promise.all([ctx.sample('a', hello), ctx.roots('b')]),
    )
    const handler = sealed(server)
    await callTool(handler, 'ask')
    await callTool(handler, 'ask')
    expect(warnings).toEqual([
      'sampling is deprecated since revision 2026-07-28',
      'roots is deprecated since revision 2026-07-28',
    ])
  })

  it('a client that speaks this wire cannot be pinged', async () => {
    const { server } = serverWith((ctx) => ctx.ping())
    expect((await callTool(sealed(server), 'ask')).error?.['code']).toBe(-32600)
  })

  it('without sessions a legacy client is refused at once', async () => {
    const { server } = serverWith((ctx) => ctx.elicit('k', yes))
    const request = legacy('tools/call', { name: 'ask', arguments: {} })
    const answer = (await (await sealed(server)(request)).json()) as { error: { message: string } }
    expect(answer.error.message).toContain('The client cannot be asked')
  })
})

describe("requestState: 'plain'", () => {
  it.each<[string, (ctx: Context) => unknown]>([
    ['elicit', (ctx) => ctx.elicit('k', yes)],
    ['elicitUrl', (ctx) => ctx.elicitUrl('k', { message: 'Go', url: 'https://a.example' })],
    ['sample', (ctx) => ctx.sample('k', hello)],
    ['roots', (ctx) => ctx.roots('k')],
    ['once', (ctx) => ctx.once('k', () => 1)],
    ['callId', (ctx) => ctx.callId],
  ])('leaves nothing to %s', async (_name, run) => {
    const { server, reported } = serverWith(run)
    const answer = await callTool(sealed(server, { requestState: 'plain' }), 'ask')
    expect(answer.result?.['isError']).toBe(true)
    expect(reported[0]?.error).toBeInstanceOf(TypeError)
    expect(String(reported[0]?.error)).toContain("requestState: 'plain'")
  })
})

it('a state needs to be text', async () => {
  const run = vi.fn((ctx: Context) => ctx.elicit('k', yes))
  const { server } = serverWith(run)
  for (const state of [1, null, {}, []]) {
    for (const requestState of [undefined, 'plain'] as const) {
      const handler = sealed(server, requestState === undefined ? {} : { requestState })
      const request = modern(
        'tools/call',
        { name: 'ask', arguments: {}, requestState: state },
        { capabilities: ABLE },
      )
      const answer = (await (await handler(request)).json()) as { error: { code: number } }
      expect(answer.error.code).toBe(-32602)
    }
  }
  expect(run).not.toHaveBeenCalled()
})
