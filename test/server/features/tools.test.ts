import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../../src/protocol/errors.ts'
import { toolResult } from '../../../src/server/tool-result.ts'
import { quiet, served } from '../../http/served.ts'
import { legacy, listOf, modern } from '../../support/index.ts'

const number = { output: z.object({ n: z.number() }) }

describe('calling what is not there', () => {
  const bad: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['an unknown name', { name: 'nope', arguments: {} }, /^Unknown tool: nope$/],
    ['another case', { name: 'Echo', arguments: {} }, /^Unknown tool: Echo$/],
    ['the empty name', { name: '', arguments: {} }, /Unknown tool/],
    ['no name', { arguments: {} }, /'name' must be a string/],
    ['a number', { name: 5 }, /'name' must be a string/],
    ['arguments that are a list', { name: 'echo', arguments: [] }, /'arguments' must be an object/],
    ['arguments that are text', { name: 'echo', arguments: 'x' }, /'arguments' must be an object/],
  ]
  test.each(bad)('FT-01 FT-03 TL-02 %s is -32602 with 200', async (_what, params, message) => {
    const { server } = quiet()
    server.tool('echo', {}, () => 'x')
    const { ask } = served(server)
    for (const request of [modern('tools/call', params), legacy('tools/call', params)]) {
      const answer = await ask(request)
      expect([answer.status, answer.error?.['code']]).toEqual([200, -32602])
      expect(answer.error?.['message']).toMatch(message)
    }
  })

  test('TL-02 a removed tool is unknown, and a very long name is not repeated whole', async () => {
    const { server } = quiet()
    const name = 'x'.repeat(5_000)
    const answer = await served(serverWith(server)).ask(legacy('tools/call', { name }))
    expect(String(answer.error?.['message']).length).toBeLessThan(300)
  })
})

function serverWith(server: ReturnType<typeof quiet>['server']) {
  server.tool('x', {}, () => 'x')
  return server
}

describe('arguments', () => {
  test('FT-02 every problem is named in a result that the model can read', async () => {
    const { server } = quiet()
    const input = z.object({
      city: z.string(),
      days: z.array(z.number()),
      unit: z.enum(['c', 'f']),
    })
    server.tool('forecast', { input }, () => 'sunny')
    const args = { city: 5, days: [1, 'two'], unit: 'k' }
    const answer = await served(server).ask(
      modern('tools/call', { name: 'forecast', arguments: args }),
    )
    expect(answer.result?.['isError']).toBe(true)
    const [block] = listOf(answer, 'content')
    for (const path of ['city', 'days[1]', 'unit']) expect(block?.['text']).toContain(path)
  })

  test('absent arguments are an empty object, defaults and async checks apply', async () => {
    const { server } = quiet()
    const input = z.object({ n: z.number().default(7) }).refine(async ({ n }) => n < 10, 'too big')
    server.tool('n', { input }, ({ n }) => String(n))
    const { ask } = served(server)
    expect((await ask(legacy('tools/call', { name: 'n' }))).result?.['content']).toMatchObject([
      { text: '7' },
    ])
    const refused = await ask(legacy('tools/call', { name: 'n', arguments: { n: 11 } }))
    expect(refused.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too big') }],
    })
  })

  test('TY-04 handlers receive (input, ctx) with and without an input schema', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.tool('none', {}, (...received: readonly unknown[]) => {
      seen.push(received.length, received[0])
      return 'ok'
    })
    server.tool('undefined', { input: undefined }, (input, ctx) => {
      seen.push(input, ctx.signal.aborted)
      return 'ok'
    })
    const { ask } = served(server)
    await ask(modern('tools/call', { name: 'none', arguments: { left: 'over' } }))
    await ask(modern('tools/call', { name: 'undefined' }))
    expect(seen).toEqual([2, {}, {}, false])
  })
})

describe('failures', () => {
  test('FT-04 an exception is a result without any of its text; a ToolError speaks', async () => {
    const { server, reported } = quiet()
    server.tool('crash', {}, () => {
      throw new Error('secret')
    })
    server.tool('later', {}, async () => {
      await Promise.resolve()
      throw new TypeError('secret')
    })
    server.tool('told', {}, () => {
      throw new ToolError('Which city?', { cause: 'secret' })
    })
    const { ask } = served(server)
    for (const name of ['crash', 'later']) {
      const answer = await ask(modern('tools/call', { name }))
      expect(answer.result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'Internal error' }],
      })
      expect(answer.text).not.toContain('secret')
    }
    const told = await ask(modern('tools/call', { name: 'told' }))
    expect(told.result).toMatchObject({ isError: true, content: [{ text: 'Which city?' }] })
    expect(told.text).not.toContain('secret')
    expect(reported.map(({ where }) => where)).toEqual([
      { request: { method: 'tools/call', id: 1 } },
      { request: { method: 'tools/call', id: 1 } },
    ])
  })

  test('FT-05 TL-06 output that its schema refuses is never sent', async () => {
    const { server, reported } = quiet()
    server.tool('wrong', number, (() => ({ n: 'x' })) as never)
    server.tool('none', number, (() => undefined) as never)
    server.tool('content', number, (() =>
      toolResult({ content: [{ type: 'text', text: 'hi' }] })) as never)
    server.tool('built', number, (() => toolResult({ structuredContent: { n: 'x' } })) as never)
    const { ask } = served(server)
    for (const name of ['wrong', 'none', 'content', 'built']) {
      const { result } = await ask(modern('tools/call', { name }))
      expect(result).toMatchObject({ isError: true, content: [{ text: 'Internal error' }] })
      expect(result).not.toHaveProperty('structuredContent')
    }
    expect(reported).toHaveLength(4)
  })

  test('FT-09 TL-05 an error passes by the output schema, untouched', async () => {
    const { server } = quiet()
    const content = [{ type: 'text', text: 'down' }] as const
    server.tool('a', number, () => toolResult({ isError: true, content }))
    server.tool('b', number, (() =>
      toolResult({ isError: true, content, structuredContent: { code: 7 } })) as never)
    const { ask } = served(server)
    expect((await ask(modern('tools/call', { name: 'a' }))).result).toMatchObject({
      isError: true,
      content,
    })
    expect((await ask(modern('tools/call', { name: 'b' }))).result).toMatchObject({
      isError: true,
      content,
      structuredContent: { code: 7 },
    })
  })
})

describe('listing', () => {
  test('FT-10 the order is that of definition, every time', async () => {
    const { server } = quiet()
    for (const name of ['b', 'a', 'c']) server.tool(name, {}, () => name)
    const { ask } = served(server)
    const names = async () =>
      listOf(await ask(modern('tools/list')), 'tools').map(({ name }) => name)
    expect(await names()).toEqual(['b', 'a', 'c'])
    expect(await names()).toEqual(['b', 'a', 'c'])
  })

  test('FT-12 an entry says everything its definition said', async () => {
    const { server } = quiet()
    server.tool(
      'all',
      {
        title: 'All',
        description: 'Everything',
        input: z.object({ city: z.string().describe('where') }),
        output: z.object({ n: z.number() }),
        annotations: { readOnlyHint: true },
        icons: [{ src: 'https://a.example/i.png' }],
        meta: { 'acme/x': 1 },
      },
      () => ({ n: 1 }),
    )
    const { result } = await served(server).ask(modern('tools/list'))
    expect(result?.['tools']).toEqual([
      expect.objectContaining({
        name: 'all',
        title: 'All',
        description: 'Everything',
        annotations: { readOnlyHint: true },
        icons: [{ src: 'https://a.example/i.png' }],
        _meta: { 'acme/x': 1 },
        inputSchema: expect.objectContaining({ type: 'object', required: ['city'] }),
        outputSchema: expect.objectContaining({ type: 'object', required: ['n'] }),
      }),
    ])
  })

  test('FT-40 the list does not vary by scopes, and is private unless its author says more', async () => {
    const { server } = quiet()
    server.tool('wipe', { scopes: ['admin'] }, () => 'x')
    const list = async (scopes: readonly string[]) =>
      (
        await served(server, { authenticate: () => ({ subject: 'a', scopes }) }).ask(
          modern('tools/list'),
        )
      ).result
    expect(await list([])).toEqual(await list(['admin']))
    expect(await list([])).toMatchObject({ cacheScope: 'private', tools: [{ name: 'wipe' }] })
  })

  test('TL-08 tools, resources and prompts can be added and removed while clients are there', async () => {
    const { server } = quiet()
    const { ask } = served(server)
    expect((await ask(modern('tools/list'))).status).toBe(404)
    server.tool('late', {}, () => 'x')
    server.resource('late://x', { name: 'late' }, () => 'x')
    server.prompt('late', {}, () => [])
    expect((await ask(modern('tools/list'))).result?.['tools']).toHaveLength(1)
    expect((await ask(legacy('resources/list'))).result?.['resources']).toHaveLength(1)
    expect((await ask(legacy('prompts/list'))).result?.['prompts']).toHaveLength(1)
    const { capabilities } = (await ask(modern('server/discover'))).result as {
      capabilities: object
    }
    expect(Object.keys(capabilities)).toEqual(
      expect.arrayContaining(['tools', 'resources', 'prompts']),
    )
  })

  test('TL-09 a change flag that is switched off stays off', async () => {
    const { server } = quiet({ capabilities: { tools: { listChanged: false } } })
    server.tool('a', {}, () => 'x')
    const { result } = await served(server).ask(modern('server/discover'))
    expect(JSON.stringify(result?.['capabilities'])).not.toContain('"listChanged":true')
  })

  test('an undefined override takes nothing away', async () => {
    const { server } = quiet({ capabilities: { tools: undefined, experimental: { x: {} } } })
    server.tool('a', {}, () => 'x')
    const { result } = await served(server).ask(modern('server/discover'))
    expect(result?.['capabilities']).toMatchObject({
      tools: expect.anything(),
      experimental: { x: {} },
    })
  })
})
