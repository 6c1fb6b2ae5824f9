import {
  extensionSettings,
  isAtLeast,
  isInputRequired,
  isLoggingLevel,
  isMethod,
  isProgressToken,
  isRecord,
  isServerCapabilities,
  kindOf,
  LOGGING_LEVELS,
  METHODS,
  missingCapabilities,
  readableId,
} from 'mcp-edge/protocol'
import type { ParamsOf, ResultOf, Tool, ToolTypes } from 'mcp-edge/protocol'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { officialSchemas } from '../support/official-schemas.ts'

describe('messages', () => {
  test.each([0, -1, 1, '', '1', 'a:b/1', 'a.b:c'])('RPC-01 %j is an id', (id) => {
    expect(kindOf({ jsonrpc: '2.0', id, method: 'x' })).toBe('request')
    expect(readableId({ id })).toBe(id)
  })

  test.each([null, 1.5, {}, [], true, 2 ** 1_024])('RPC-02 %j is no id', (id) => {
    expect(kindOf({ jsonrpc: '2.0', id, method: 'x' })).toBe('invalid')
    expect(readableId({ id })).toBeUndefined()
  })

  test('RPC-03 a call without an id is a notification', () => {
    expect(kindOf({ jsonrpc: '2.0', method: 'x' })).toBe('notification')
  })

  test.each(['1.0', 2, undefined, '2.0 '])('RPC-06 jsonrpc %j is no message', (jsonrpc) => {
    expect(kindOf({ jsonrpc, id: 1, method: 'x' })).toBe('invalid')
  })

  test('an answer has a result or an error, and one of them', () => {
    const error = { code: -1, message: 'no' }
    expect(kindOf({ jsonrpc: '2.0', id: 1, result: {} })).toBe('response')
    expect(kindOf({ jsonrpc: '2.0', id: null, error })).toBe('response')
    expect(kindOf({ jsonrpc: '2.0', error })).toBe('response')
    expect(kindOf({ jsonrpc: '2.0', id: 1, result: {}, error })).toBe('invalid')
    expect(kindOf({ jsonrpc: '2.0', id: 1 })).toBe('invalid')
    expect(kindOf({ jsonrpc: '2.0', id: 1, result: [] })).toBe('invalid')
    expect(kindOf({ jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } })).toBe('invalid')
  })

  test('RPC-14 unknown members are ignored', () => {
    expect(kindOf({ jsonrpc: '2.0', id: 1, method: 'x', params: { y: 1 }, z: 1 })).toBe('request')
  })

  test('a question is told from an answer', () => {
    expect(isInputRequired({ resultType: 'input_required' })).toBe(true)
    expect(isInputRequired({ resultType: 'complete' })).toBe(false)
    expect(isInputRequired({})).toBe(false)
  })

  test('RPC-01 progress tokens are strings and integers', () => {
    expect([0, '', 'a', 1.5, null].map(isProgressToken)).toEqual([true, true, true, false, false])
  })
})

describe('methods', () => {
  test('are those of the official schema', () => {
    const official = new Set([...officialSchemas().values()].flatMap(methodsIn))
    expect(Object.keys(METHODS).filter((method) => !official.has(method))).toEqual([])
    const missing = [...official].filter((method) => !isMethod(method))
    expect(missing.filter((method) => !/(^|\/)tasks\//.test(method))).toEqual([])
  })

  test('RPC-24 names of a prototype are no methods', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(isMethod(name)).toBe(false)
  })

  test('carry their shapes', () => {
    expectTypeOf<ParamsOf<'tools/call'>['name']>().toEqualTypeOf<string>()
    expectTypeOf<ResultOf<'tools/list'>['tools']>().toEqualTypeOf<readonly Tool[]>()
    expectTypeOf<{ readonly name: 'a' }>().toExtend<ToolTypes<'a'>>()
  })
})

function methodsIn(schema: unknown): readonly string[] {
  const methods: string[] = []
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'method' && isRecord(value) && typeof value['const'] === 'string')
      methods.push(value['const'])
    return value
  })
  return methods
}

describe('capabilities', () => {
  test.each([
    [{}, {}, undefined],
    [{ sampling: {} }, { sampling: {} }, undefined],
    [{ sampling: {} }, {}, { sampling: {} }],
    [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ sampling: { context: {} } }, { sampling: { context: {} } }, undefined],
    [{ elicitation: { form: {} } }, { elicitation: {} }, undefined],
    [{ elicitation: { form: {} } }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: { form: {}, url: {} } }, undefined],
    [
      { roots: { listChanged: true } },
      { roots: { listChanged: false } },
      { roots: { listChanged: true } },
    ],
    [{ roots: undefined, sampling: {} }, { roots: {} }, { sampling: {} }],
    [{ extensions: { 'a/b': {} } }, { extensions: { 'c/d': {} } }, { extensions: { 'a/b': {} } }],
  ])('LC-19 of %j a client with %j lacks %j', (required, declared, missing) => {
    expect(missingCapabilities(required, declared)).toEqual(missing)
  })

  test('extensions are looked up as data, and odd settings count as none', () => {
    const extensions: Record<string, { x: number }> = { 'a/b': { x: 1 } }
    expect(extensionSettings({ extensions }, 'a/b')).toEqual({ x: 1 })
    expect(extensionSettings({ extensions }, 'constructor')).toBeUndefined()
    expect(extensionSettings(JSON.parse('{"extensions":{"a/b":[]}}'), 'a/b')).toBeUndefined()
    expect(extensionSettings({}, 'a/b')).toBeUndefined()
  })

  test('capabilities of a server are objects of objects', () => {
    expect(isServerCapabilities({ tools: { listChanged: true }, other: 1 })).toBe(true)
    expect(isServerCapabilities({ tools: true })).toBe(false)
    expect(isServerCapabilities([])).toBe(false)
  })
})

test('log levels have an order', () => {
  expect(LOGGING_LEVELS.filter((level) => isAtLeast(level, 'error'))).toEqual([
    'error',
    'critical',
    'alert',
    'emergency',
  ])
  expect(['loud', '', null, 'Error', 'constructor'].some(isLoggingLevel)).toBe(false)
})
