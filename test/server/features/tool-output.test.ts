import { expect, test } from 'vitest'
import * as z from 'zod'
import { audio, embedded, image, resourceLink, text } from '../../../src/server/content.ts'
import { toolResult } from '../../../src/server/tool-result.ts'
import { quiet, served } from '../../http/served.ts'
import { legacy, listOf, modern } from '../../support/index.ts'

const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

test('every form of return without output becomes content', async () => {
  const { server } = quiet()
  const forms: readonly (readonly [unknown, readonly unknown[]])[] = [
    ['hi', [{ type: 'text', text: 'hi' }]],
    ['', [{ type: 'text', text: '' }]],
    [text('hi'), [{ type: 'text', text: 'hi' }]],
    [
      [text('a'), image(new Uint8Array([1]), 'image/png')],
      [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AQ==', mimeType: 'image/png' },
      ],
    ],
    [[], []],
    [toolResult({ content: [text('x')] }), [{ type: 'text', text: 'x' }]],
    [toolResult({}), []],
    [
      embedded({ uri: 'a://b', data: 'x' }),
      [{ type: 'resource', resource: { uri: 'a://b', text: 'x' } }],
    ],
  ]
  const { ask } = served(server)
  for (const [index, [returned, content]] of forms.entries()) {
    server.tool(`t${index}`, {}, (() => returned) as never)
    const { result } = await ask(modern('tools/call', { name: `t${index}` }))
    expect(result?.['content']).toEqual(content)
  }
})

test('FT-18 content is always there', async () => {
  const { server } = quiet()
  server.tool('empty', {}, () => [])
  server.tool('meta', {}, () => toolResult({ meta: { a: 1 } }))
  const { ask } = served(server)
  expect((await ask(modern('tools/call', { name: 'empty' }))).result?.['content']).toEqual([])
  expect((await ask(legacy('tools/call', { name: 'meta' }))).result).toEqual({
    content: [],
    _meta: { a: 1 },
  })
})

test.each([
  [{ celsius: 21 }],
  [5],
  [null],
  [undefined],
  [{ type: 'text' }],
  [{ type: 'bogus', text: 'x' }],
  [[text('ok'), 'bare']],
  [toolResult({ content: 'text' as never })],
  [toolResult({ content: [{ type: 'image' }] as never })],
])('a return of %j is our mistake, masked and reported', async (returned) => {
  const { server, reported } = quiet()
  server.tool('odd', {}, (() => returned) as never)
  const { result } = await served(server).ask(modern('tools/call', { name: 'odd' }))
  expect(result).toMatchObject({ isError: true, content: [{ text: 'Internal error' }] })
  expect(String(reported[0]?.error)).toContain("tool 'odd'")
})

test('FT-06 structured content gets a text mirror; content of its own is kept', async () => {
  const { server } = quiet()
  const output = z.object({ n: z.number(), extra: z.string().optional() })
  server.tool('mirror', { output: z.object({ n: z.number() }) }, () => ({ n: 1 }))
  server.tool('own', { output }, () =>
    toolResult({ content: [text('one')], structuredContent: { n: 1 } }),
  )
  const { ask } = served(server)
  expect((await ask(modern('tools/call', { name: 'mirror' }))).result).toMatchObject({
    content: [{ type: 'text', text: '{"n":1}' }],
    structuredContent: { n: 1 },
  })
  expect((await ask(modern('tools/call', { name: 'own' }))).result).toMatchObject({
    content: [{ type: 'text', text: 'one' }],
    structuredContent: { n: 1 },
  })
})

test('what is sent is the validated value; unless validation is switched off', async () => {
  const { server } = quiet()
  const output = z.object({ n: z.number().default(3) })
  server.tool('checked', { output }, (() => ({ secret: 'x' })) as never)
  server.tool('raw', { output, validateOutput: false }, (() => ({ n: 'x' })) as never)
  const { ask } = served(server)
  expect(
    (await ask(modern('tools/call', { name: 'checked' }))).result?.['structuredContent'],
  ).toEqual({ n: 3 })
  expect((await ask(modern('tools/call', { name: 'raw' }))).result?.['structuredContent']).toEqual({
    n: 'x',
  })
})

const values: readonly (readonly [z.ZodType, unknown])[] = [
  [z.array(z.number()), [1, 2]],
  [z.string(), 'text'],
  [z.number(), 0],
  [z.boolean(), false],
  [z.null(), null],
  [z.union([z.object({ a: z.number() }), z.string()]), { a: 1 }],
]
test.each(values)('FT-07 FT-08 structure may be any JSON: case %#', async (output, value) => {
  const { server } = quiet()
  server.tool('any', { output }, (() => value) as never)
  const { ask } = served(server)
  const call = { name: 'any' }
  const now = (await ask(modern('tools/call', call))).result
  expect(now).toHaveProperty('structuredContent', value)
  for (const revision of LEGACY_REVISIONS) {
    const { result } = await ask(legacy('tools/call', call, { revision }))
    const listed = (await ask(legacy('tools/list', {}, { revision }))).result?.[
      'tools'
    ] as readonly [object]
    expect(result?.['content']).toEqual([{ type: 'text', text: JSON.stringify(value) }])
    if (revision < '2025-06-18') {
      expect(result).not.toHaveProperty('structuredContent')
      expect(listed[0]).not.toHaveProperty('outputSchema')
    } else {
      expect(result?.['structuredContent']).toEqual({ result: value })
      expect(listed[0]).toHaveProperty('outputSchema.type', 'object')
      expect(listed[0]).toHaveProperty('outputSchema.required', ['result'])
    }
  }
})

test('FT-39 content that an old revision lacks is said in text', async () => {
  const { server } = quiet()
  server.tool('media', {}, () => [
    audio(new Uint8Array([1]), 'audio/wav'),
    resourceLink({ uri: 'a://b', name: 'b', title: 'The B' }),
  ])
  const { ask } = served(server)
  const types = async (revision: string) => {
    const answer = await ask(
      legacy(
        'tools/call',
        { name: 'media' },
        { revision, headers: { 'mcp-protocol-version': revision } },
      ),
      { revision },
    )
    return listOf(answer, 'content').map(({ type }) => type)
  }
  expect(await types('2024-11-05')).toEqual(['text', 'text'])
  expect(await types('2025-03-26')).toEqual(['audio', 'text'])
  expect(await types('2025-06-18')).toEqual(['audio', 'resource_link'])
})

test('a value that is no JSON is masked', async () => {
  const { server, reported } = quiet()
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  server.tool('loop', { output: z.any() }, () => loop)
  server.tool('big', { output: z.any() }, () => ({ n: 1n }))
  server.tool('nothing', { output: z.any() }, () => undefined)
  server.method('acme/big', {}, () => ({ n: 1n }))
  const { ask } = served(server)
  for (const name of ['loop', 'big', 'nothing']) {
    expect((await ask(modern('tools/call', { name }))).result?.['isError']).toBe(true)
  }
  expect((await ask(modern('acme/big'))).error?.['code']).toBe(-32603)
  expect(reported).toHaveLength(4)
})
