import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { jsonSchema } from '../../../src/json-schema/index.ts'
import { McpServer } from '../../../src/server/server.ts'
import { everything, quiet, served } from '../../http/served.ts'
import { modern } from '../../support/index.ts'

describe('advice', () => {
  test.each(['has space', 'ünïcode', 'a/b', 'x'.repeat(129)])(
    'FT-17 the tool name %j is served, with a warning',
    async (name) => {
      const { server, warnings } = quiet()
      server.tool(name, {}, () => 'x')
      expect(warnings).toEqual([expect.stringContaining(name)])
      const { result } = await served(server).ask(modern('tools/call', { name }))
      expect(result?.['content']).toHaveLength(1)
      expect(warnings).toHaveLength(1)
    },
  )

  test('FT-17 names as recommended say nothing', () => {
    const { server, warnings } = quiet()
    for (const name of ['a', 'Get_it-2.0', 'x'.repeat(128)]) server.tool(name, {}, () => 'x')
    expect(warnings).toEqual([])
  })

  test.each(['password', 'apiKey', 'access_token', 'client-secret', 'privateKey'])(
    'HD-26 mirroring %s into a header gets a warning that names both',
    (name) => {
      const { server, warnings } = quiet()
      const property = { type: 'string', 'x-mcp-header': 'Thing' }
      server.tool(
        't',
        { input: jsonSchema({ type: 'object', properties: { [name]: property } }) as never },
        () => 'x',
      )
      expect(warnings).toEqual([
        expect.stringMatching(new RegExp(`'${name}'.*mcp-param-thing`, 'i')),
      ])
    },
  )

  test('warnings go to the console unless the server has onWarning', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    new McpServer({ name: 's', version: '1' }).tool('a b', {}, () => 'x')
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })
})

describe('mistakes', () => {
  const header = (value: unknown, type: unknown = 'string') =>
    jsonSchema({
      type: 'object',
      properties: { p: { type, 'x-mcp-header': value } },
    } as never) as never

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['a root that is no object', z.string(), /input schema/],
    ['a header with a space', header('a b'), /x-mcp-header/],
    ['HD-15 a header on a number', header('A', 'number'), /x-mcp-header/],
    ['no schema at all', { type: 'object' }, /input schema/],
  ]
  test.each(wrong)(
    'FT-11 %s is a TypeError at definition, and the list is as before',
    async (_what, input, message) => {
      const server = everything()
      const define = () => server.tool('bad', { input: input as never }, () => 'x')
      expect(define).toThrow(TypeError)
      expect(define).toThrow(message)
      expect(define).toThrow(/tool 'bad'/)
      const { result } = await served(server).ask(modern('tools/list'))
      expect(result?.['tools']).toHaveLength(4)
    },
  )

  test('names and handlers are checked too', () => {
    const { server } = quiet()
    expect(() => server.tool('', {}, () => 'x')).toThrow(/name of a tool/)
    expect(() => server.tool(5 as never, {}, () => 'x')).toThrow(/name of a tool/)
    expect(() => server.tool('t', {}, undefined as never)).toThrow(/handler/)
    server.tool('t', {}, () => 'x')
    expect(() => server.tool('t', {}, () => 'x')).toThrow(/tool 't' is already defined/)
  })
})

test('TY-03 a schema of another copy of a library is a schema', async () => {
  const copy = {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value: unknown) => ({ value: value as { a: string } }),
      types: undefined as { input: { a: string }; output: { a: string } } | undefined,
      jsonSchema: {
        input: () => ({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
        output: () => ({ type: 'object' }),
      },
    },
  } as const
  const { server } = quiet()
  server.tool('t', { input: copy }, ({ a }) => a.toUpperCase())
  const { result } = await served(server).ask(
    modern('tools/call', { name: 't', arguments: { a: 'x' } }),
  )
  expect(result?.['content']).toEqual([{ type: 'text', text: 'X' }])
})
