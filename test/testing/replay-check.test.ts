import { expect, it } from 'vitest'
import * as z from 'zod'
import { replayCheck } from 'mcp-edge/testing'
import type { Context } from '../../src/server/context.ts'
import { inputRequired } from '../../src/server/input-required/result.ts'
import { userMessage } from '../../src/server/messages.ts'
import { quiet } from '../http/served.ts'

const yes = { message: 'Sure?', schema: z.object({ yes: z.boolean() }) }
const accept = { action: 'accept', content: { yes: true } }
const answers = {
  a: accept,
  b: accept,
  s: { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
}

function check(run: (ctx: Context, effect: () => number) => unknown, more = {}) {
  const { server } = quiet()
  let count = 0
  const effect = (): number => (count += 1)
  server.tool('ask', {}, (_input, ctx) => run(ctx, effect) as string)
  return replayCheck(server, { tool: 'ask', answers, effects: { build: () => count }, ...more })
}

it('passes a handler that is safe to replay', async () => {
  const report = await check(async (ctx, effect) => {
    await ctx.elicit('a', yes)
    await ctx.once('build', effect)
    const [b, s] = await Promise.all([
      ctx.elicit('b', yes),
      ctx.sample('s', { messages: [userMessage('Hi')], maxTokens: 5 }),
    ])
    return b.action + s.text
  })
  expect(report).toMatchObject({ rounds: 2, result: { content: [{ text: 'accepthi' }] } })
})

it('passes the explicit style, prompts and resources', async () => {
  const { server } = quiet()
  const requests = { a: { method: 'roots/list' } } as const
  server.prompt('p', {}, (_input, ctx) =>
    ctx.inputResponse('a') === undefined ? inputRequired({ requests }) : [userMessage('done')],
  )
  server.resource('a://b', { name: 'b' }, async (_uri, ctx) => (await ctx.elicit('a', yes)).action)
  await replayCheck(server, { prompt: 'p', answers: { a: { roots: [] } } })
  const { result } = await replayCheck(server, { resource: 'a://b', answers })
  expect(result['contents']).toEqual([{ uri: 'a://b', text: 'accept' }])
})

it('finds an effect that happens again', async () => {
  const bad = check(async (ctx, effect) => {
    effect()
    await ctx.elicit('a', yes)
    await ctx.elicit('b', yes)
    return 'done'
  })
  await expect(bad).rejects.toThrow(
    "effect 'build' happened 1 time(s) in one run and 3 time(s) over 2 replays: put it in ctx.once()",
  )
})

it('finds a question that is not the same each time', async () => {
  let turn = 0
  const bad = check(async (ctx) => {
    turn += 1
    return (await ctx.elicit('a', { ...yes, message: `Run ${turn}?` })).action
  })
  await expect(bad).rejects.toThrow(/question 'a' changes: .*Run 1\?.*Run 3\?/)
})

it('lets a question hold what an effect returned', async () => {
  const good = check(async (ctx, effect) => {
    const build = await ctx.once('build', effect)
    return (await ctx.elicit('a', { ...yes, message: `Deploy ${build}?` })).action
  })
  await expect(good).resolves.toMatchObject({ rounds: 1 })
})

it('finds questions that are asked in one run only', async () => {
  const bad = check(async (ctx) => {
    await ctx.elicit(ctx.era === 'modern' ? 'a' : 'b', yes)
    if (ctx.era === 'legacy') await ctx.roots('c')
  })
  await expect(bad).rejects.toThrow(/a question was only asked without replay: .*roots\/list/)
})

it('finds results that differ, unless that is fine', async () => {
  const run = async (ctx: Context): Promise<string> =>
    `${(await ctx.elicit('a', yes)).action} ${ctx.era}`
  await expect(check(run)).rejects.toThrow(/the results differ: .*modern.*legacy/)
  await expect(check(run, { comparable: () => 'same' })).resolves.toMatchObject({ rounds: 1 })
})

it('finds a handler that never stops asking, and answers that are missing', async () => {
  const endless = check(async (ctx) => {
    const { length } = Object.keys(ctx.inputResponses)
    return inputRequired({ requests: { a: { method: 'roots/list' } }, state: length })
  })
  const stateless = check(() => inputRequired({ requests: { a: { method: 'roots/list' } } }))
  await expect(stateless).rejects.toThrow('more than 32 rounds')
  await expect(endless).rejects.toThrow('the handler fails on replay')
  await expect(check((ctx) => ctx.elicit('other', yes))).rejects.toThrow(
    "none for the question 'other'",
  )
})

it('gives handlers the context they need', async () => {
  const { server } = quiet()
  server.tool('who', {}, async (_input, ctx) => {
    await ctx.elicit('a', yes)
    return JSON.stringify([ctx.data, ctx.env, ctx.auth?.subject])
  })
  const auth = { subject: 'ada', scopes: [] }
  const { result } = await replayCheck(server, { tool: 'who', answers, data: 1, env: 2, auth })
  expect(result).toMatchObject({ content: [{ text: '[1,2,"ada"]' }] })
})
