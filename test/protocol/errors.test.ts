import { describe, expect, test } from 'vitest'
import {
  errorResponse,
  HeaderMismatchError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  isMcpError,
  isToolError,
  McpError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  ParseError,
  ResourceNotFoundError,
  toMcpError,
  ToolError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from '../../src/protocol/errors.ts'

test.each([
  [new ParseError('no'), -32700],
  [new InvalidRequestError('no'), -32600],
  [new MethodNotFoundError('a/b'), -32601],
  [new InvalidParamsError('no'), -32602],
  [new InternalError(), -32603],
  [new ResourceNotFoundError('a://b'), -32602],
  [new HeaderMismatchError('no'), -32020],
  [new MissingRequiredClientCapabilityError({ sampling: {} }), -32021],
  [new UnsupportedProtocolVersionError('1999-01-01', ['2026-07-28']), -32022],
  [new UrlElicitationRequiredError([]), -32042],
])('%s has its code, its name and is an McpError', (error, code) => {
  expect(error.code).toBe(code)
  expect(error.name).toBe(error.constructor.name)
  expect(isMcpError(error)).toBe(true)
})

describe('data says what a program can act on', () => {
  test.each([
    [new ResourceNotFoundError('a://b'), { uri: 'a://b' }],
    [
      new MissingRequiredClientCapabilityError({ sampling: { tools: {} } }),
      { requiredCapabilities: { sampling: { tools: {} } } },
    ],
    [
      new UnsupportedProtocolVersionError('1999-01-01', ['2026-07-28']),
      { supported: ['2026-07-28'], requested: '1999-01-01' },
    ],
    [
      new UrlElicitationRequiredError([{ url: 'https://a', message: 'm', elicitationId: 'e' }]),
      { elicitations: [{ mode: 'url', url: 'https://a', message: 'm', elicitationId: 'e' }] },
    ],
  ])('%s', (error, data) => {
    expect(error.data).toEqual(data)
  })
})

test('what another copy of this library threw is recognized, and what only looks so is not', () => {
  const foreign = Object.assign(new Error('x'), { isMcpError: true, code: -1 })
  expect(isMcpError(foreign)).toBe(true)
  expect(isMcpError({ isMcpError: true, code: -1, message: 'x' })).toBe(false)
  expect(isToolError(new ToolError('x'))).toBe(true)
  expect(isToolError(new McpError(-1, 'x'))).toBe(false)
})

test.each([new Error('secret'), 'secret', undefined, null, { message: 'secret' }])(
  'whatever else was thrown is masked: %s',
  (thrown) => {
    const error = toMcpError(thrown)
    expect(JSON.stringify(errorResponse(1, error))).not.toContain('secret')
    expect(error.code).toBe(-32603)
    expect(error.cause).toBe(thrown)
  },
)

test('an error response carries id, code, message and data', () => {
  const error = new McpError(-1, 'rejected', { data: { why: 'no' } })
  expect(toMcpError(error)).toBe(error)
  expect(errorResponse('a', error)).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: { code: -1, message: 'rejected', data: { why: 'no' } },
  })
})
