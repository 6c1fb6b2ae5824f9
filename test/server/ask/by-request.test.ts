import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { RequestTimeoutError } from '../../../src/rpc/errors.ts'
import type { ClientRequest } from '../../../src/server/call.ts'
import type { Context } from '../../../src/server/context.ts'
import { inputRequired } from '../../../src/server/input-required/result.ts'
import { userMessage } from '../../../src/server/messages.ts'
import { McpError } from '../../../src/protocol/errors.ts'
import { rig } from '../../http/session-rig.ts'
import { quiet } from '../../http/served.ts'
import { assertWire, fakeClock, messages as messagesOf } from '../../support/index.ts'
import { ABLE, callLegacy, textOf } from './rounds.ts'

const yes = { message: 'Sure?', schema: z.object({ yes: z.boolean() }) }
const accepted = { action: 'accept', content: { yes: true } }
const hello = { messages: [userMessage('Hello')], maxTokens: 10 }
const said = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }
const form = { type: 'object', properties: { yes: { type: 'boolean' } } } as const
const asks = (ctx: Context): unknown => ctx.inputResponse('k', 'elicitation/create')?.action
const explicit = {
  k: { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: form } },
} as const

function serverWith(run: (ctx: Context) => unknown, options = {}): ReturnType<typeof quiet> {
  const made = quiet(options)
  made.server.tool('ask', {}, (_input, ctx) => run(ctx) as string)
  return made
}

/** Answers by method. */
function answers({ method }: ClientRequest): unknown {
  if (method === 'elicitation/create') return accepted
  return method === 'roots/list' ? { roots: [{ uri: 'file:///a' }] } : said
}

describe('questions', () => {
  it('F62 F121 F123 F124 are requests of their own', async () => {
    const { server } = serverWith(async (ctx) => {
      const ok = await ctx.elicit('a', { ...yes, timeoutMs: 5 })
      const { text } = await ctx.sample('b', hello)
      const roots = await ctx.roots('c')
      return [ok.action, text, roots[0]?.uri].join(' ')
    })
    const { result, asked } = await callLegacy(server, 'ask', { answer: answers })
    expect(textOf(result)).toBe('accept hi file:///a')
    expect(asked.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ])
    for (const [index, name] of [
      'ElicitRequest',
      'CreateMessageRequest',
      'ListRootsRequest',
    ].entries()) {
      const { method, params } = asked[index] ?? {}
      assertWire('2025-11-25', name, { jsonrpc: '2.0', id: 1, method, params })
    }
    expect(asked[0]?.timeoutMs).toBe(5)
  })

  it('are asked once for each key, and a key belongs to one question', async () => {
    const { server, reported } = serverWith(async (ctx) => {
      await ctx.elicit('a', yes)
      await ctx.elicit('a', yes)
      await ctx.sample('a', hello)
    })
    const { asked } = await callLegacy(server, 'ask', { answer: answers })
    expect(asked).toHaveLength(1)
    expect(String(reported[0]?.error)).toContain("the key 'a' already belongs to another question")
  })

  it.each([
    ['no way back', { capabilities: ABLE }, -32600, 'The client cannot be asked'],
    ['nothing declared', { capabilities: {}, answer: answers }, -32600, 'elicitation'],
    ['2025-03-26', { revision: '2025-03-26', answer: answers }, -32600, 'elicitation'],
  ] as const)('are refused at once: %s', async (...[, client, code, message]) => {
    const { server } = serverWith((ctx) => ctx.elicit('a', yes))
    const { error, asked } = await callLegacy(server, 'ask', client)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(asked).toEqual([])
  })

  it('that cannot be answered are named together', async () => {
    const { server } = serverWith((ctx) => Promise.all([ctx.elicit('a', yes), ctx.roots('b')]))
    const { error } = await callLegacy(server, 'ask', { capabilities: {}, answer: answers })
    expect(error?.['data']).toEqual({
      requiredCapabilities: { elicitation: { form: {} }, roots: {} },
    })
  })

  it.each([
    [{ action: 'accept' }, -32602],
    [{ action: 'accept', content: { yes: 5 } }, -32602],
    [{ action: 'cancel', content: null }, '{"action":"cancel"}'],
    [{ action: 'decline', content: { yes: 'stale' } }, '{"action":"decline"}'],
    [undefined, -32603],
  ])('HL-22 EL-05 EL-07 are answered with %j', async (answer, expected) => {
    const { server } = serverWith(async (ctx) => JSON.stringify(await ctx.elicit('k', yes)))
    const { result, error } = await callLegacy(server, 'ask', { answer: () => answer })
    const masked = result?.['isError'] === true ? -32603 : textOf(result)
    expect(error?.['code'] ?? masked).toBe(expected)
  })

  it('EL-15 that the user rejects are an error of the client', async () => {
    const { server } = serverWith(async (ctx) => {
      const rejected: unknown = await ctx.sample('k', hello).catch((error: unknown) => error)
      return rejected instanceof McpError ? `${rejected.code} ${rejected.message}` : 'no error'
    })
    const answer = (): never => {
      throw new McpError(-1, 'User rejected')
    }
    expect(textOf((await callLegacy(server, 'ask', { answer })).result)).toBe('-1 User rejected')
  })

  it('EL-11 with tools need a client and a revision that know them', async () => {
    const tools = { ...hello, tools: [{ name: 't', inputSchema: { type: 'object' as const } }] }
    const { server } = serverWith(async (ctx) => (await ctx.sample('k', tools)).text)
    for (const client of [
      { revision: '2025-06-18' as const },
      { capabilities: { sampling: {} } },
    ]) {
      const { error } = await callLegacy(server, 'ask', { ...client, answer: answers })
      expect(error?.['data']).toEqual({ requiredCapabilities: { sampling: { tools: {} } } })
    }
  })

  it('EL-17 take context from old clients, which could not declare it', async () => {
    const question = { ...hello, includeContext: 'thisServer' as const }
    const { server } = serverWith(async (ctx) => (await ctx.sample('k', question)).text)
    const client = { capabilities: { sampling: {} }, answer: answers }
    expect((await callLegacy(server, 'ask', client)).error?.['code']).toBe(-32600)
    const old = await callLegacy(server, 'ask', { ...client, revision: '2025-06-18' })
    expect(textOf(old.result)).toBe('hi')
  })
})

describe('old revisions', () => {
  it('EL-10 F125 are asked in their words', async () => {
    const schema = z.object({
      name: z.string().default('Ada'),
      several: z.array(z.enum(['a', 'b'])).optional(),
    })
    const { server } = serverWith(
      async (ctx) => (await ctx.elicit('k', { message: 'Who?', schema })).action,
    )
    const answer = () => ({ action: 'accept', content: { name: 'x' } })
    const { asked } = await callLegacy(server, 'ask', { revision: '2025-06-18', answer })
    const { method, params } = asked[0] ?? {}
    assertWire('2025-06-18', 'ElicitRequest', { jsonrpc: '2.0', id: 1, method, params })
    expect(params).toEqual({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    })
  })

  it('EL-10 are refused what they cannot be asked for', async () => {
    const schema = z.object({ several: z.array(z.enum(['a', 'b'])) })
    const { server } = serverWith((ctx) => ctx.elicit('k', { message: 'Which?', schema }))
    const { error, asked } = await callLegacy(server, 'ask', {
      revision: '2025-06-18',
      answer: answers,
    })
    expect(error?.['message']).toContain("several of 'k'")
    expect(asked).toEqual([])
  })

  it('know no pages', async () => {
    const { server } = serverWith((ctx) =>
      ctx.elicitUrl('k', { message: 'Go', url: 'https://a.example' }),
    )
    const { error } = await callLegacy(server, 'ask', { revision: '2025-06-18', answer: answers })
    expect(error?.['data']).toEqual({ requiredCapabilities: { elicitation: { url: {} } } })
  })

  it('EL-10 MR-24 get no mode from returned questions either', async () => {
    const { k } = explicit
    const requests = { k: { ...k, params: { ...k.params, mode: 'form' as const } } }
    const { server } = serverWith((ctx) => asks(ctx) ?? inputRequired({ requests }))
    const { asked } = await callLegacy(server, 'ask', { revision: '2025-06-18', answer: answers })
    expect(asked[0]?.params).not.toHaveProperty('mode')
  })
})

describe('F127 pages', () => {
  it('have the id that is announced later, or one of their own', async () => {
    const { server } = serverWith(async (ctx) => {
      const page = { message: 'Go', url: 'https://a.example/' }
      await ctx.elicitUrl('k', { ...page, elicitationId: ctx.callId })
      await ctx.elicitUrl('l', page)
      return ctx.callId
    })
    const { asked, result } = await callLegacy(server, 'ask', {
      answer: () => ({ action: 'accept' }),
    })
    const ids = asked.map(({ params }) => params['elicitationId'])
    expect(ids[0]).toBe(textOf(result))
    expect(ids[1]).toMatch(/^[\w-]{36}$/)
    const { method, params } = asked[0] ?? {}
    assertWire('2025-11-25', 'ElicitRequest', { jsonrpc: '2.0', id: 1, method, params })
  })
})

describe('once', () => {
  it('gives what JSON gives, as on the other wire', async () => {
    const effect = vi.fn(() => new Date(0))
    const { server } = serverWith(async (ctx) =>
      JSON.stringify([await ctx.once('a', effect), typeof (await ctx.once('a', effect))]),
    )
    const { result } = await callLegacy(server, 'ask', { answer: answers })
    expect(textOf(result)).toBe('["1970-01-01T00:00:00.000Z","string"]')
    expect(effect).toHaveBeenCalledOnce()
  })
})

describe('returned questions', () => {
  it('MR-24 MR-25 F67 F69 are asked, and the handler runs again', async () => {
    const requests = {
      ...explicit,
      u: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Go', url: 'https://a.example' },
      },
      r: { method: 'roots/list' },
    } as const
    const { server } = serverWith((ctx) =>
      ctx.requestState === undefined
        ? inputRequired({ requests, state: { at: new Date(0) } })
        : JSON.stringify([ctx.requestState, Object.keys(ctx.inputResponses)]),
    )
    const { result, asked } = await callLegacy(server, 'ask', { answer: answers })
    expect(textOf(result)).toBe('[{"at":"1970-01-01T00:00:00.000Z"},["k","u","r"]]')
    expect(asked[1]?.params['elicitationId']).toMatch(/^[\w-]{36}$/)
    expect(asked.map(({ method }) => method).toSorted()).toEqual([
      'elicitation/create',
      'elicitation/create',
      'roots/list',
    ])
  })

  it('MR-26 stop after eight rounds', async () => {
    const { server, reported } = serverWith(() => inputRequired({ requests: explicit }))
    const { result, asked } = await callLegacy(server, 'ask', { answer: answers })
    expect(asked).toHaveLength(8)
    expect(result?.['isError']).toBe(true)
    expect(String(reported[0]?.error)).toContain('at most 8 rounds')
  })

  it('MR-26 need a way back', async () => {
    const { server } = serverWith(() => inputRequired({ requests: explicit }))
    const { error } = await callLegacy(server, 'ask')
    expect(error?.['message']).toContain('The client cannot be asked')
  })

  it('are all asked or none', async () => {
    const requests = { ...explicit, r: { method: 'roots/list' } } as const
    const { server } = serverWith(() => inputRequired({ requests }))
    const client = { capabilities: { elicitation: {} }, answer: answers }
    const { error, asked } = await callLegacy(server, 'ask', client)
    expect(error?.['data']).toEqual({ requiredCapabilities: { roots: {} } })
    expect(asked).toEqual([])
  })

  it('F67 are not asked where the shim is off', async () => {
    const { server, reported } = serverWith(() => inputRequired({ requests: explicit }), {
      legacyShim: false,
    })
    await callLegacy(server, 'ask', { answer: answers })
    expect(String(reported[0]?.error)).toContain('legacyShim is off')
  })
})

describe('in a session', () => {
  it('F128 F131 a question that takes too long says so, and is taken back', async () => {
    let caught: unknown
    const { server } = serverWith(async (ctx) => {
      caught = await ctx.elicit('k', { ...yes, timeoutMs: 1_000 }).catch((error: unknown) => error)
      return 'gave up'
    })
    const clock = fakeClock()
    const client = await rig(server, { clock }).open({ capabilities: ABLE })
    const answering = client.tool('ask')
    await clock.advance(1_001)
    const { messages, result } = await answering
    expect(caught).toBeInstanceOf(RequestTimeoutError)
    expect(textOf(result)).toBe('gave up')
    expect(messages.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'notifications/cancelled',
      undefined,
    ])
  })

  it('F130 F132 has ten minutes; that nobody answered is then the outcome of the call', async () => {
    const { server, reported } = serverWith((ctx) => ctx.elicit('k', yes))
    const clock = fakeClock()
    const client = await rig(server, { clock }).open({ capabilities: ABLE })
    const answering = client.tool('ask')
    await clock.advance(599_999)
    expect(await Promise.race([answering, Promise.resolve('waiting')])).toBe('waiting')
    await clock.advance(2)
    expect((await answering).error).toMatchObject({
      code: -32001,
      message: 'elicitation/create was not answered within 600000 ms',
    })
    expect(reported).toEqual([])
  })

  it('F68 the default handler asks what a tool returns', async () => {
    const { server } = serverWith((ctx) => asks(ctx) ?? inputRequired({ requests: explicit }))
    const client = await rig(server).open({ capabilities: ABLE })
    const response = await client.send('tools/call', { name: 'ask', arguments: {} })
    const answer = async (id: unknown): Promise<unknown> =>
      client.send('', {}, { body: { jsonrpc: '2.0', id, result: accepted } })
    const seen: unknown[] = []
    for await (const message of messagesOf(response)) {
      if (message['method'] === 'elicitation/create') await answer(message['id'])
      else seen.push(message['result'])
    }
    expect(seen).toEqual([expect.objectContaining({ content: [{ type: 'text', text: 'accept' }] })])
  })

  it('F133 a question ends with the call it belongs to', async () => {
    const ended = Promise.withResolvers<unknown>()
    const { server } = serverWith(async (ctx) => {
      try {
        return (await ctx.elicit('k', yes)).action
      } catch (error) {
        ended.resolve(error)
        throw error
      }
    })
    const client = await rig(server).open({ capabilities: ABLE })
    const response = await client.send('tools/call', { name: 'ask', arguments: {} }, { id: 7 })
    await client.notify('notifications/cancelled', { requestId: 7 })
    expect(await ended.promise).toMatchObject({ name: 'AbortError' })
    await response.body?.cancel()
  })
})
