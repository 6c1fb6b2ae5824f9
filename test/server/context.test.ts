import { expect, test } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { quiet, served } from '../http/served.ts'
import { legacy, modern } from '../support/index.ts'

/** Runs a look at the context of a call in each era. */
async function looking<T>(look: (ctx: Context) => T, overrides = {}): Promise<readonly T[]> {
  const { server } = quiet()
  const seen: T[] = []
  server.tool('look', {}, (_input, ctx) => {
    seen.push(look(ctx))
    return 'x'
  })
  const { ask } = served(server)
  for (const build of [modern, legacy]) await ask(build('tools/call', { name: 'look' }, overrides))
  return seen
}

test('who calls, in which words, and how to name the call', async () => {
  expect(
    await looking((ctx) => [ctx.era, ctx.revision, ctx.requestId, ctx.session], { id: 'r' }),
  ).toEqual([
    ['modern', '2026-07-28', 'r', undefined],
    ['legacy', '2025-11-25', 'r', undefined],
  ])
  expect(await looking((ctx) => ctx.client, { capabilities: { roots: {} } })).toEqual([
    { info: { name: 'test', version: '1.0.0' }, capabilities: { roots: {} } },
    { info: undefined, capabilities: {} },
  ])
})

test('a call has one id of its own, and every call another', async () => {
  const ids = await looking((ctx) => [ctx.callId, ctx.callId])
  for (const [first, second] of ids) expect(first).toBe(second)
  expect(new Set(ids.flat()).size).toBe(2)
})

test('_meta comes as it was sent', async () => {
  const [modernMeta, legacyMeta] = await looking((ctx) => ctx.meta, { meta: { 'acme/x': 1 } })
  expect(modernMeta).toMatchObject({
    'acme/x': 1,
    'io.modelcontextprotocol/clientCapabilities': {},
  })
  expect(legacyMeta).toEqual({ 'acme/x': 1 })
  expect(await looking((ctx) => ctx.traceContext)).toEqual([{}, {}])
})

test('MH-35 what a client lacks is refused on both wires; only one has a status for it', async () => {
  const { server } = quiet()
  server.tool('need', {}, (_input, ctx) => {
    ctx.requireCapability({ sampling: {} })
    return 'has it'
  })
  const { ask } = served(server)
  const call = { name: 'need' }
  expect(
    (await ask(modern('tools/call', call, { capabilities: { sampling: {} } }))).result?.['content'],
  ).toEqual([{ type: 'text', text: 'has it' }])
  const refused = await ask(modern('tools/call', call))
  expect([refused.status, refused.error?.['data']]).toEqual([
    400,
    { requiredCapabilities: { sampling: {} } },
  ])
  const before = await ask(legacy('tools/call', call))
  expect([before.status, before.error?.['code']]).toEqual([200, -32600])
})
