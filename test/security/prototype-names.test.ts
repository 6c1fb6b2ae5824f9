/**
 * Names that every JavaScript object inherits are data on the wire, never behaviour.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { legacy, modern } from '../support/index.ts'
import { everything, quiet, served } from '../http/served.ts'

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '__defineGetter__',
]

describe.each(NAMES)('RPC-24 %s', (name) => {
  test('as a name from the wire is unknown', async () => {
    const { ask } = served(everything())
    const tool = await ask(modern('tools/call', { name, arguments: {} }))
    expect(tool.error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` })
    const prompt = await ask(modern('prompts/get', { name }))
    expect(prompt.error).toMatchObject({ code: -32602, message: `Unknown prompt: ${name}` })
    const method = await ask(modern(name))
    expect([method.status, method.error?.['code']]).toEqual([404, -32601])
    expect((await ask(legacy(name))).error?.['code']).toBe(-32601)
    const uri = await ask(modern('resources/read', { uri: `${name}://x` }))
    expect(uri.error?.['code']).toBe(-32602)
    const cursor = await ask(modern('tools/list', { cursor: name }))
    expect(cursor.error?.['code']).toBe(-32602)
    const notification = await served(everything()).handler(legacy(name, {}, { id: null }))
    expect(notification.status).toBe(202)
  })

  test('as a name of completion is unknown', async () => {
    const { ask } = served(everything())
    const ref = await ask(
      modern('completion/complete', {
        ref: { type: 'ref/prompt', name },
        argument: { name: 'file', value: '' },
      }),
    )
    expect(ref.error).toMatchObject({ code: -32602, message: `Unknown ref: ${name}` })
    const argument = await ask(
      modern('completion/complete', {
        ref: { type: 'ref/resource', uri: 'users://{id}' },
        argument: { name, value: '' },
      }),
    )
    expect(argument.error).toMatchObject({ code: -32602, message: `Unknown argument: ${name}` })
  })

  test('as a defined name works like any other', async () => {
    const { server } = quiet()
    server.tool(name, {}, () => 'tool')
    server.prompt(name, {}, () => [])
    server.method(name, {}, () => ({ own: true }))
    const { ask } = served(server)
    expect((await ask(modern('tools/call', { name }))).result?.['content']).toEqual([
      { type: 'text', text: 'tool' },
    ])
    expect((await ask(legacy('prompts/get', { name }))).result).toEqual({ messages: [] })
    expect((await ask(modern(name))).result).toMatchObject({ own: true })
    expect((await ask(modern('tools/list'))).result?.['tools']).toHaveLength(1)
  })

  test('as an argument, a header, a capability or a member is data', async () => {
    const { server } = quiet()
    const seen: string[] = []
    server.tool('any', { input: z.looseObject({}) }, (input) => {
      seen.push(...Object.keys(input))
      return String(Object.getPrototypeOf(input) === Object.prototype)
    })
    const property = { type: 'string', 'x-mcp-header': 'Own' }
    const properties = Object.fromEntries([[name, property]])
    server.tool('mirror', { input: jsonSchema({ type: 'object', properties }) as never }, () => 'x')
    const { ask } = served(server)
    const body = (tool: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","${name}":{"x":1},"params":{"name":"${tool}","${name}":1,` +
      `"arguments":{"${name}":"v","polluted":true}}}`
    const answer = await ask(legacy('tools/call', {}, { body: body('any') }))
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'true' }])
    expect(seen).toContain('polluted')
    expect('polluted' in {}).toBe(false)
    const unmirrored = await ask(modern('tools/call', { name: 'mirror', arguments: {} }))
    expect(unmirrored.result?.['isError']).toBeUndefined()
    const needs = await ask(
      modern(
        'tools/call',
        { name: 'any', arguments: {} },
        { capabilities: Object.fromEntries([[name, {}]]) },
      ),
    )
    expect(needs.status).toBe(200)
  })
})

test('RPC-24 a capability that only a prototype has is missing', async () => {
  const { server } = quiet()
  server.tool('need', {}, (_input, ctx) => {
    ctx.requireCapability({ constructor: {} } as never)
    return 'never'
  })
  const answer = await served(server).ask(modern('tools/call', { name: 'need' }))
  expect([answer.status, answer.error?.['code']]).toEqual([400, -32021])
})
