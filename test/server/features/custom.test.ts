import { expect, test } from 'vitest'
import * as z from 'zod'
import { everything, quiet, served } from '../../http/served.ts'
import { legacy, modern } from '../../support/index.ts'

test('a custom method validates its parameters without their _meta, and answers in both eras', async () => {
  const { server } = quiet()
  server.method('acme/strict', { input: z.strictObject({ a: z.number() }) }, ({ a }, ctx) => ({
    a,
    era: ctx.era,
  }))
  server.method('acme/free', {}, (params) => ({ keys: Object.keys(params) }))
  server.method('acme/void', {}, () => undefined)
  const { ask } = served(server)
  expect((await ask(modern('acme/strict', { a: 1 }))).result).toMatchObject({ a: 1, era: 'modern' })
  expect((await ask(legacy('acme/strict', { a: 1 }))).result).toEqual({ a: 1, era: 'legacy' })
  expect((await ask(legacy('acme/free', { x: 1 }))).result).toEqual({ keys: ['x'] })
  expect((await ask(legacy('acme/void'))).result).toEqual({})
  const refused = await ask(modern('acme/strict', { a: 'x', b: 1 }))
  expect([refused.status, refused.error?.['code']]).toEqual([200, -32602])
  expect(refused.error?.['message']).toMatch(/Invalid params: .*a/)
})

test.each([5, 'text', null, [1]])(
  'a result of %j is no object, so it is masked',
  async (returned) => {
    const { server, reported } = quiet()
    server.method('acme/odd', {}, (() => returned) as never)
    expect((await served(server).ask(legacy('acme/odd'))).error?.['code']).toBe(-32603)
    expect(String(reported[0]?.error)).toContain("method 'acme/odd'")
  },
)

test.each([
  'tools/list',
  'tools/call',
  'initialize',
  'ping',
  'server/discover',
  'completion/complete',
  'acme/add',
])('the method %s cannot be defined again', (name) => {
  expect(() => everything().method(name, {}, () => ({}))).toThrow(/already defined/)
})

test('neither can notifications with a meaning of their own, or names that are no names', () => {
  const { server } = quiet()
  for (const name of ['notifications/cancelled', 'notifications/progress']) {
    expect(() => server.notification(name, {}, () => undefined)).toThrow(/already defined/)
  }
  server.notification('acme/n', {}, () => undefined)
  expect(() => server.notification('acme/n', {}, () => undefined)).toThrow(/already defined/)
  expect(() => server.method('', {}, () => ({}))).toThrow(/name of a method/)
  expect(() => server.notification('', {}, () => undefined)).toThrow(/name of a notification/)
  expect(() => server.method('acme/x', {}, {} as never)).toThrow(/handler/)
})

test('notifications that only inform can be listened to', async () => {
  const { server } = quiet()
  const seen: string[] = []
  server.notification('notifications/roots/list_changed', {}, () => void seen.push('roots'))
  await served(server).handler(legacy('notifications/roots/list_changed', {}, { id: null }))
  expect(seen).toEqual(['roots'])
})
