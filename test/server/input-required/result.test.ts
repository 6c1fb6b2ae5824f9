import { describe, expect, it } from 'vitest'
import { inputRequired, isInputRequired } from '../../../src/server/input-required/result.ts'
import type { Context } from '../../../src/server/context.ts'
import { userMessage } from '../../../src/server/messages.ts'
import { quiet } from '../../http/served.ts'
import { assertWire } from '../../support/index.ts'
import { callTool, questionsOf, sealed, send, stateOf, textOf } from '../ask/rounds.ts'

const requestedSchema = { type: 'object', properties: { yes: { type: 'boolean' } } } as const
const confirm = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema },
} as const
const sample = {
  method: 'sampling/createMessage',
  params: { messages: [userMessage('Hi')], maxTokens: 5 },
} as const

function serverWith(run: (ctx: Context) => unknown): ReturnType<typeof quiet> {
  const made = quiet()
  made.server.tool('ask', {}, (_input, ctx) => run(ctx) as string)
  return made
}

describe('inputRequired', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing', {}, /needs requests or state/],
    ['MR-02 no request and no state', { requests: {} }, /needs requests or state/],
    ['MR-29 F50 an unknown method', { requests: { k: { method: 'tools/call' } } }, /'k'.*must be/],
    ['MR-29 a method that a prototype has', { requests: { k: { method: 'toString' } } }, /must be/],
    [
      'nothing to read',
      { requests: { k: { ...confirm, params: { requestedSchema } } } },
      /message/,
    ],
    [
      'EL-02 a nested form',
      {
        requests: {
          k: {
            ...confirm,
            params: {
              message: 'x',
              requestedSchema: { type: 'object', properties: { o: { type: 'object' } } },
            },
          },
        },
      },
      /'k'.*property 'o'/,
    ],
    [
      'a page that is none',
      {
        requests: { k: { ...confirm, params: { mode: 'url', message: 'x', url: 'javascript:1' } } },
      },
      /http or https/,
    ],
    [
      'EL-14 a sampling without bound',
      { requests: { k: { ...sample, params: { messages: [] } } } },
      /maxTokens must be a positive integer/,
    ],
  ])('refuses %s when it is built', (_what, init, message) => {
    expect(() => inputRequired(init as never)).toThrow(message)
    expect(() => inputRequired(init as never)).toThrow(TypeError)
  })

  it('is no plain object that looks like one', () => {
    expect(isInputRequired({ requests: { k: confirm }, state: 1 })).toBe(false)
    expect(isInputRequired(inputRequired({ state: 1 }))).toBe(true)
  })
})

describe('returned by a tool', () => {
  it('MR-03 F49 F53 asks, and brings answers and state to the next round', async () => {
    const { server } = serverWith((ctx) => {
      const answer = ctx.inputResponse('k', 'elicitation/create')
      if (answer === undefined)
        return inputRequired({ requests: { k: confirm }, state: { step: 1 } })
      return JSON.stringify([answer, ctx.requestState, ctx.inputResponses])
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(questionsOf(first)).toEqual({ k: confirm })
    assertWire('2026-07-28', 'InputRequiredResult', first.result)
    const answer = { action: 'accept', content: { yes: true } }
    const round = { state: stateOf(first), answers: { k: answer } }
    expect(JSON.parse(textOf(await callTool(handler, 'ask', round)) ?? '')).toEqual([
      answer,
      { step: 1 },
      { k: answer },
    ])
  })

  it('MR-16 needs no state where it keeps none', async () => {
    const { server } = serverWith((ctx) =>
      ctx.inputResponse('k') === undefined ? inputRequired({ requests: { k: confirm } }) : 'done',
    )
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(first.result).not.toHaveProperty('requestState')
    expect(textOf(await callTool(handler, 'ask', { answers: { k: { action: 'cancel' } } }))).toBe(
      'done',
    )
  })

  it('may keep state alone', async () => {
    const { server } = serverWith((ctx) =>
      ctx.requestState === undefined
        ? inputRequired({ state: 'later' })
        : JSON.stringify(ctx.requestState),
    )
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    expect(first.result).not.toHaveProperty('inputRequests')
    expect(textOf(await callTool(handler, 'ask', { state: stateOf(first) }))).toBe('"later"')
  })

  it('MR-04 F51 names everything the client lacks', async () => {
    const requests = {
      a: confirm,
      b: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'x', url: 'https://a.example' },
      },
      c: sample,
      d: { method: 'roots/list' },
    } as const
    const { server } = serverWith(() => inputRequired({ requests }))
    const { status, error } = await callTool(sealed(server), 'ask', { capabilities: { roots: {} } })
    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: {} } },
    })
  })

  it('MR-03 EL-09 leaves out what only a request of its own has', async () => {
    const page = {
      mode: 'url' as const,
      message: 'x',
      url: 'https://a.example',
      elicitationId: 'e',
      _meta: {},
    } as const
    const requests = { k: { method: 'elicitation/create', params: page } } as const
    const { server } = serverWith(() => inputRequired({ requests }))
    const first = await callTool(sealed(server), 'ask')
    expect(questionsOf(first)['k']?.['params']).toEqual({
      mode: 'url',
      message: 'x',
      url: 'https://a.example',
    })
  })

  it('mixes with the linear style', async () => {
    const { server } = serverWith(async (ctx) => {
      const roots = await ctx.roots('r')
      if (ctx.inputResponse('k') === undefined) return inputRequired({ requests: { k: confirm } })
      return `${roots.length} ${ctx.inputResponse('k', 'elicitation/create')?.action}`
    })
    const handler = sealed(server)
    const first = await callTool(handler, 'ask')
    const roots = { r: { roots: [{ uri: 'file:///a' }] } }
    const second = await callTool(handler, 'ask', { state: stateOf(first), answers: roots })
    expect(questionsOf(second)).toEqual({ k: confirm })
    const round = { state: stateOf(second), answers: { k: { action: 'decline' } } }
    expect(textOf(await callTool(handler, 'ask', round))).toBe('1 decline')
  })

  it("keeps its own text with requestState: 'plain'", async () => {
    const { server } = serverWith((ctx) =>
      ctx.requestState === undefined
        ? inputRequired({ state: 'mine' })
        : JSON.stringify(ctx.requestState),
    )
    const handler = sealed(server, { requestState: 'plain' })
    const first = await callTool(handler, 'ask')
    expect(stateOf(first)).toBe('mine')
    expect(textOf(await callTool(handler, 'ask', { state: 'forged' }))).toBe('"forged"')
  })

  it("is refused with requestState: 'plain' and a state that is no text", async () => {
    const { server, reported } = serverWith(() => inputRequired({ state: { a: 1 } }))
    await callTool(sealed(server, { requestState: 'plain' }), 'ask')
    expect(String(reported[0]?.error)).toContain('state must be a string')
  })

  it('says once what is deprecated', async () => {
    const { server, warnings } = serverWith(() => inputRequired({ requests: { c: sample } }))
    const handler = sealed(server)
    await callTool(handler, 'ask')
    await callTool(handler, 'ask')
    expect(warnings).toEqual(['sampling is deprecated since revision 2026-07-28'])
  })

  it('MR-01 is refused from a method of your own', async () => {
    const { server } = quiet()
    server.method('acme/x', {}, () => inputRequired({ state: 1 }) as never)
    server.prompt('p', {}, () => [])
    server.complete(() => inputRequired({ state: 1 }) as never)
    const handler = sealed(server)
    expect((await send(handler, ['acme/x', {}])).error?.['code']).toBe(-32603)
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }
    const completed = await send(handler, ['completion/complete', params])
    expect(completed.error?.['code']).toBe(-32603)
  })
})
