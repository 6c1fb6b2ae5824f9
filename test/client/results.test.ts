import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { Client, InvalidResponseError, OutputValidationError } from '../../src/client/index.ts'
import type { ClientOptions, InputOf } from '../../src/client/index.ts'
import type { ToolTypes } from '../../src/protocol/tools.ts'
import { errorOf, modernServer } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const connect = (server: FakeServer, options: Partial<ClientOptions> = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

const tool = (name: string, properties: Readonly<Record<string, unknown>>, rest = {}) => ({
  name,
  inputSchema: { type: 'object', properties, ...rest },
})

/** A server with the given tools, which echoes what it is called with. */
const offering = (
  tools: readonly unknown[],
  result: Readonly<Record<string, unknown>> = {},
): FakeServer =>
  modernServer((message) => {
    if (message.method === 'tools/list') return { tools }
    return message.method === 'tools/call' ? { content: [], ...result } : undefined
  })

describe('results of tools', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const withOutput = (schema: unknown, result: Readonly<Record<string, unknown>>): FakeServer =>
    offering([{ ...tool('t', {}), outputSchema: schema }], result)

  async function call(server: FakeServer, options: Partial<ClientOptions> = {}): Promise<unknown> {
    const client = await connect(server, options)
    await client.tools()
    return (await client.callTool('t')).structuredContent
  }

  it('FT-05 F181 checks structured output against the listed schema', async () => {
    expect(await call(withOutput(outputSchema, { structuredContent: { n: 1 } }))).toEqual({ n: 1 })
    for (const result of [{ structuredContent: { n: 'x' } }, {}]) {
      const error = await call(withOutput(outputSchema, result)).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(OutputValidationError)
      expect(String(error)).toContain('structured output of t')
    }
  })

  it('FT-09 exempts errors, and everything where validation is off', async () => {
    await call(withOutput(outputSchema, { isError: true }))
    await call(withOutput(outputSchema, {}), { validateOutput: false })
  })

  it('FT-07 output may be any JSON', async () => {
    for (const structuredContent of [[1], 'x', 0, false, null])
      expect(await call(withOutput({}, { structuredContent }))).toEqual(structuredContent)
  })

  it('FT-13 FT-16 a schema that cannot be used is a warning, and nothing is fetched for it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    for (const schema of [
      { $ref: 'https://evil.example/x' },
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    ]) {
      const onWarning = vi.fn<() => void>()
      await call(withOutput(schema, { structuredContent: {} }), { onWarning })
      expect(onWarning).toHaveBeenCalledTimes(1)
    }
    const tuple = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
    }
    await expect(call(withOutput(tuple, { structuredContent: [1] }))).rejects.toThrow(
      OutputValidationError,
    )
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('FT-12 RPC-14 hands tools over with every keyword and member they came with', async () => {
    const inputSchema = {
      type: 'object',
      $schema: 'x',
      $defs: { a: {} },
      $anchor: 'b',
      if: {},
      'x-y': 1,
    }
    const client = await connect(offering([{ name: 't', inputSchema, unknown: { member: 1 } }]))
    expect(await client.tools()).toEqual([{ name: 't', inputSchema, unknown: { member: 1 } }])
  })

  it.each([{ content: 'x' }, { content: [7] }, { content: undefined }])(
    'refuses %o',
    async (result) => {
      const client = await connect(offering([], result))
      await expect(client.callTool('t')).rejects.toThrow(InvalidResponseError)
    },
  )

  it('FT-23 missing resources have the code of their era', async () => {
    for (const code of [-32002, -32602]) {
      const server = modernServer((m) =>
        m.method === 'resources/read' ? errorOf(m, code) : undefined,
      )
      await expect((await connect(server)).readResource('a:1')).rejects.toMatchObject({ code })
    }
  })

  it('types calls from definitions', async () => {
    type Tools = readonly [
      ToolTypes<'forecast', { city: string }, { celsius: number }>,
      ToolTypes<'echo', { text: string }, undefined>,
    ]
    const client = await connect(offering([], { structuredContent: { celsius: 21 } }))
    const typed = client.typed<Tools>()
    const { structuredContent } = await typed.callTool('forecast', { city: 'Oslo' })
    expectTypeOf(structuredContent).toEqualTypeOf<{ celsius: number } | undefined>()
    type Call = (typeof typed)['callTool']
    expectTypeOf<Parameters<Call>[0]>().toEqualTypeOf<'forecast' | 'echo'>()
    expectTypeOf<InputOf<Tools[0]>>().toEqualTypeOf<{ city: string }>()
    expect(structuredContent).toEqual({ celsius: 21 })
  })
})
