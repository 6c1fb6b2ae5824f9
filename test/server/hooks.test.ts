import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../../src/protocol/errors.ts'
import { toRequestInfo, type AroundRequest, type RequestInfo } from '../../src/server/hooks.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { everything, quiet, raise, served } from '../http/served.ts'
import { legacy, modern } from '../support/index.ts'

/** A hook that keeps what it is told. */
function keeping(): { readonly infos: RequestInfo[]; readonly aroundRequest: AroundRequest } {
  const infos: RequestInfo[] = []
  return {
    infos,
    aroundRequest: async (info, next) => {
      infos.push(info)
      return next()
    },
  }
}

test('info tells of the request before, and of its outcome after', async () => {
  const before: RequestInfo[] = []
  const after: RequestInfo[] = []
  const server = everything({
    aroundRequest: async (info, next) => {
      before.push({ ...info })
      const result = await next()
      after.push({ ...info })
      return result
    },
  })
  const auth = { subject: 'ada', issuer: 'https://as.example', scopes: [] }
  const { ask } = served(server, { authenticate: () => auth })
  await ask(modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { id: 'x' }))
  expect(before[0]).toEqual({
    method: 'tools/call',
    requestId: 'x',
    era: 'modern',
    revision: '2026-07-28',
    client: { name: 'test', version: '1.0.0' },
    sessionId: undefined,
    principal: '["https://as.example","ada",""]',
    toolName: 'add',
    toolArguments: { a: 1, b: 2 },
  })
  expect(after[0]).toMatchObject({ durationMs: expect.any(Number) })
  expect(after[0]).not.toHaveProperty('error')
})

test('prompts and resources are named, other methods name nothing', async () => {
  const { infos, aroundRequest } = keeping()
  const { ask } = served(everything({ aroundRequest }))
  await ask(legacy('prompts/get', { name: 'review', arguments: { file: 'a' } }))
  await ask(legacy('resources/read', { uri: 'config://app' }))
  await ask(legacy('tools/list'))
  await ask(legacy('acme/add', { a: 1, b: 2, name: 'x', uri: 'y://z' }))
  expect(
    infos.map(({ promptName, resourceUri, toolName }) => [promptName, resourceUri, toolName]),
  ).toEqual([
    ['review', undefined, undefined],
    [undefined, 'config://app', undefined],
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
  ])
})

test('ctx.data is shown only on request', async () => {
  for (const hooksSeeData of [undefined, false, true]) {
    const { infos, aroundRequest } = keeping()
    const { ask } = served(everything({ aroundRequest, hooksSeeData }), {
      context: () => ({ secret: 1 }),
    })
    await ask(legacy('tools/list'))
    if (hooksSeeData === true) expect(infos[0]?.data).toEqual({ secret: 1 })
    else expect(infos[0]).not.toHaveProperty('data')
  }
})

describe('errors', () => {
  test('what went wrong is shown unmasked, also what a tool throws', async () => {
    const { infos, aroundRequest } = keeping()
    const { server } = quiet({ aroundRequest })
    const errors = [new Error('boom'), new ToolError('told'), new Error('later')]
    server.tool('a', {}, () => raise(errors[0]))
    server.tool('b', {}, () => raise(errors[1]))
    server.method('acme/c', {}, async () => raise(errors[2]))
    const { ask } = served(server)
    await ask(modern('tools/call', { name: 'a' }))
    await ask(modern('tools/call', { name: 'b' }))
    await ask(modern('acme/c'))
    expect(infos.map(({ error }) => error)).toEqual(errors)
  })

  test('a hook may replace an error, and let a result of its own stand', async () => {
    const aroundRequest: AroundRequest = (_info, next) => next().catch(() => ({ rescued: true }))
    const { server } = quiet({ aroundRequest })
    server.method('acme/boom', {}, () => raise(new Error('boom')))
    expect((await served(server).ask(legacy('acme/boom'))).result).toEqual({ rescued: true })
  })

  test('a hook that forgets to return is our mistake, reported', async () => {
    const options = {
      aroundRequest: (async (_info, next) => void (await next())) as AroundRequest,
    } satisfies Partial<ServerOptions>
    const { server, reported } = quiet(options)
    server.method('acme/m', { input: z.object({}) }, () => ({}))
    expect((await served(server).ask(legacy('acme/m'))).error?.['code']).toBe(-32603)
    expect(String(reported[0]?.error)).toMatch(/aroundRequest/)
  })
})

test('names of the wrong type are not shown as names', () => {
  const call = {
    method: 'tools/call',
    params: { name: 5 },
    caller: { era: 'legacy', revision: '2025-11-25', capabilities: {} },
  }
  expect(toRequestInfo(call as never, false)).toMatchObject({
    toolName: undefined,
    toolArguments: undefined,
  })
})
