import { describe, expect, test } from 'vitest'
import { createHandler } from '../../src/http/handler.ts'
import { McpServer } from '../../src/server/server.ts'
import { call, fakeClock, legacy, modern, settle } from '../support/index.ts'
import { everything, quiet, raise } from './served.ts'

describe('options that are a function of the environment', () => {
  test('run once for each environment, which handlers see as ctx.env', async () => {
    const server = new McpServer<{ env: { name: string } }>({ name: 's', version: '1' })
    server.tool('env', {}, (_input, ctx) => ctx.env.name)
    const made: string[] = []
    const handler = createHandler(server, (env) => {
      made.push(env.name)
      return { legacy: 'stateless' }
    })
    const [a, b] = [{ name: 'a' }, { name: 'b' }]
    const texts: unknown[] = []
    for (const env of [a, b, a]) {
      const response = await handler(modern('tools/call', { name: 'env' }), env)
      texts.push((await response.json()).result.content[0].text)
    }
    expect([made, texts]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'a'],
    ])
  })

  test('a function that throws is 500, masked, reported, and asked again', async () => {
    const { server, reported } = quiet()
    let broken = true
    const handler = createHandler(server, () =>
      broken ? raise(new Error('secret')) : { legacy: 'stateless' },
    )
    const response = await handler(legacy('ping'), {})
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.not.stringContaining('secret'),
    ])
    expect(reported).toHaveLength(1)
    broken = false
    expect((await handler(legacy('ping'), {})).status).toBe(200)
  })

  test('a handler that is closed stays closed for environments it meets later', async () => {
    const { server } = quiet()
    const handler = createHandler(server, () => ({ legacy: 'stateless' }))
    await handler.close()
    expect((await handler(legacy('ping'), {})).status).toBe(503)
  })
})

test('options that are an object are checked when the handler is made, and never changed', () => {
  const { server } = quiet()
  const options = Object.freeze({
    legacy: 'stateless',
    limits: Object.freeze({ requestBytes: 100 }),
  } as const)
  createHandler(server, options)
  expect(() => createHandler(server, { legacy: 'sometimes' as never })).toThrow(/'legacy'/)
  expect(() => createHandler(server, { responses: 'xml' as never })).toThrow(/'responses'/)
  expect(() => createHandler(server, { legacy: 'off', modern: false })).toThrow(/nothing is served/)
})

test('one server behind several handlers keeps them apart', async () => {
  const server = everything()
  const open = createHandler(server, { legacy: 'stateless' })
  const modernOnly = createHandler(server, { legacy: 'off' })
  expect((await open(legacy('ping'))).status).toBe(200)
  expect((await modernOnly(legacy('ping'))).status).toBe(400)
})

test('MH-38 two hundred requests of both eras with equal ids get their own answers, and nothing remains', async () => {
  const { server } = quiet()
  server.tool('late', { input: undefined }, async (_input, ctx) => {
    const mark = String(ctx.meta['acme/mark'])
    const turns = Number(mark) % 7
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    if (Number(mark) % 3 === 0) await settle()
    await ctx.progress(Number(mark) + 1, { message: mark })
    if (Number(mark) % 5 === 0) await settle()
    return `${ctx.era} ${mark}`
  })
  const clock = fakeClock()
  const handler = createHandler(server, { legacy: 'stateless', clock })
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_value, index) => {
      const meta = { 'acme/mark': index, ...(index % 2 === 0 ? { progressToken: 'same' } : {}) }
      const build = index % 4 < 2 ? modern : legacy
      const answer = await call(handler, build('tools/call', { name: 'late' }, { id: 1, meta }))
      return { index, era: index % 4 < 2 ? 'modern' : 'legacy', answer }
    }),
  )
  for (const { index, era, answer } of answers) {
    expect(answer.response?.['id']).toBe(1)
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: `${era} ${index}` }])
    const marks = answer.notifications.map(({ params }) => (params as { message: string }).message)
    expect(marks).toEqual(index % 2 === 0 ? [String(index)] : [])
  }
  expect(Object.values(handler.stats()).every((count) => count === 0)).toBe(true)
  expect(clock.armed()).toBe(0)
})
