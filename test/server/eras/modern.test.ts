import { expect, test } from 'vitest'
import {
  HeaderMismatchError,
  McpError,
  MethodNotFoundError,
  MissingRequiredClientCapabilityError,
  UnsupportedProtocolVersionError,
} from '../../../src/protocol/errors.ts'
import { ModernEra } from '../../../src/server/eras/modern.ts'
import { ResultText } from '../../../src/server/result-text.ts'

const info = { name: 's', version: '1' }
const era = new ModernEra(info, ['2026-07-28'])
const call = { id: 1 } as never
const meta = { 'io.modelcontextprotocol/serverInfo': info }

test('RPC-15 RPC-18 every result says that it is complete and who made it', () => {
  const result = (returned: Parameters<typeof era.finish>[1]) =>
    JSON.parse(String(era.finish(call, returned))).result
  expect(result({})).toEqual({ resultType: 'complete', _meta: meta })
  expect(result({ a: 1, _meta: { x: 1 } })).toEqual({
    resultType: 'complete',
    a: 1,
    _meta: { x: 1, ...meta },
  })
  expect(result(new ResultText('{}'))).toEqual({ resultType: 'complete', _meta: meta })
  expect(result(new ResultText('{"a":1}'))).toEqual({ resultType: 'complete', a: 1, _meta: meta })
  expect(result(new ResultText(era.seal('{"a":1}'), true))).toEqual({
    resultType: 'complete',
    a: 1,
    _meta: meta,
  })
})

test('the status of an error is that of its class', () => {
  const rows: readonly (readonly [McpError, number])[] = [
    [new MethodNotFoundError('x'), 404],
    [new HeaderMismatchError('x'), 400],
    [new UnsupportedProtocolVersionError('x', []), 400],
    [new MissingRequiredClientCapabilityError({}), 400],
    [new McpError(-32601, 'relayed'), 200],
    [new McpError(-32602, 'x'), 200],
  ]
  for (const [error, status] of rows) expect(era.fault(1, error).status).toBe(status)
})

test('RPC-19 RPC-20 codes that this wire does not have are not sent', () => {
  const code = (sent: number) =>
    JSON.parse(String(era.fault(1, new McpError(sent, 'x')).body)).error.code
  expect([-32002, -32042, -32023, -32099].map(code)).toEqual([-32602, -32603, -32603, -32603])
  expect([-32020, -32021, -32022, -32100, -1].map(code)).toEqual([
    -32020, -32021, -32022, -32100, -1,
  ])
})

test('a revision that is not served identifies nobody', () => {
  const envelope = { protocolVersion: '2099-01-01', clientCapabilities: {} }
  expect(() => era.identify(envelope, undefined)).toThrow(UnsupportedProtocolVersionError)
  expect(era.identify({ ...envelope, protocolVersion: '2026-07-28' }, undefined)).toMatchObject({
    era: 'modern',
  })
})

test('hints are always there', () => {
  expect(era.hints(undefined, undefined)).toEqual({ ttlMs: 0, cacheScope: 'private' })
})
