import { expect, it } from 'vitest'
import { quiet, raise } from '../../http/served.ts'
import { callTool, sealed, textOf } from './rounds.ts'

it('a handler may answer at once, later, or with any promise', async () => {
  const { server } = quiet()
  server.tool('now', {}, () => 'now')
  server.tool('later', {}, async () => 'later')
  // oxlint-disable-next-line unicorn/no-thenable -- promises of other realms and libraries look like this
  const foreign = { then: (resolve: (value: string) => void) => resolve('foreign') }
  server.tool('foreign', {}, () => foreign as Promise<string>)
  const handler = sealed(server)
  for (const name of ['now', 'later', 'foreign'])
    expect(textOf(await callTool(handler, name))).toBe(name)
})

it('an error is the handler’s outcome in every round', async () => {
  const { server, reported } = quiet()
  server.tool('sync', {}, (_input, ctx) => raise(new Error(ctx.callId)))
  server.tool('async', {}, async (_input, ctx) => raise(new Error(ctx.callId)))
  const handler = sealed(server)
  for (const name of ['sync', 'async']) {
    for (const answers of [undefined, {}])
      expect((await callTool(handler, name, { answers })).result?.['isError']).toBe(true)
  }
  expect(reported).toHaveLength(4)
})
