import { expect, it } from 'vitest'
import { ReplayRun } from '../../src/testing/replay-run.ts'
import { quiet } from '../http/served.ts'

it('runs a call as each generation of clients does', async () => {
  const { server } = quiet()
  server.tool('roots', {}, async (_input, ctx) => JSON.stringify(await ctx.roots('r')))
  const roots = { roots: [{ uri: 'file:///a' }] }
  const run = new ReplayRun(server, 'tools/call', {})
  const first = await run.modern({ name: 'roots' })
  expect(first).toMatchObject({ inputRequests: { r: { method: 'roots/list' } } })
  const { requestState } = first
  const second = await run.modern({ name: 'roots', requestState, inputResponses: { r: roots } })
  const straight = await run.legacy({ name: 'roots' }, () => roots)
  expect(second['content']).toEqual(straight['content'])
  expect(await run.modern({ name: 'none' })).toMatchObject({ error: { code: -32602 } })
})
