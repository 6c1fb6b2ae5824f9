/**
 * What the types of a server demand of whoever serves it. Nothing here runs.
 *
 * @module
 */
import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import { createHandler } from '../../src/http/handler.ts'
import { defineTool } from '../../src/server/define.ts'
import { McpServer } from '../../src/server/server.ts'

interface Env {
  readonly TOKEN: string
}
interface Data {
  readonly userId: string
}

const options = { name: 's', version: '1' }
const plain = new McpServer(options)
const withData = new McpServer<{ data: Data }>(options)
const withEnv = new McpServer<{ env: Env }>(options)
const withBoth = new McpServer<{ env: Env; data: Data }>(options)

// --- a server that declares nothing takes anything ---

createHandler(plain)
createHandler(plain, { legacy: 'stateless' })
createHandler(plain, () => ({}))
plain.tool('t', {}, (_input, ctx) => {
  expectTypeOf(ctx.env).toEqualTypeOf<unknown>()
  expectTypeOf(ctx.data).toEqualTypeOf<unknown>()
  return 'x'
})

// --- declared data demands the context option, of the right type ---

createHandler(withData, { context: () => ({ userId: 'a' }) })
createHandler(withData, {
  context: async (request, { auth }) => ({ userId: auth?.subject ?? request.url }),
})
createHandler(withData, () => ({ context: () => ({ userId: 'a' }) }))
// @ts-expect-error the context option is missing
createHandler(withData)
// @ts-expect-error the context option is missing
createHandler(withData, {})
// @ts-expect-error it makes something else
createHandler(withData, { context: () => ({ user: 'a' }) })

withData.tool('t', { input: z.object({ a: z.string() }) }, ({ a }, ctx) => {
  expectTypeOf(ctx.data).toEqualTypeOf<Data>()
  return a + ctx.data.userId
})
withData.resource('a://b', { name: 'a' }, (_uri, ctx) => ctx.data.userId)
withData.prompt('p', {}, (_input, ctx) => {
  expectTypeOf(ctx.data).toEqualTypeOf<Data>()
  return []
})
withData.method('a/b', {}, (_params, ctx) => ({ user: ctx.data.userId }))

// --- declared env demands options that are a function of it ---

createHandler(withEnv, (env) => {
  expectTypeOf(env).toEqualTypeOf<Env>()
  return {}
})
// @ts-expect-error options have to be a function of env
createHandler(withEnv)
// @ts-expect-error options have to be a function of env
createHandler(withEnv, {})

createHandler(withBoth, () => ({ context: (_request, { env }) => ({ userId: env.TOKEN }) }))
// @ts-expect-error the function has to bring the context option
createHandler(withBoth, () => ({}))

// --- stand-alone definitions ---

const typed = defineTool.withContext<{ readonly data: Data }>()(
  't',
  {},
  (_input, ctx) => ctx.data.userId,
)
expectTypeOf(typed.name).toEqualTypeOf<'t'>()
withData.add(typed)
