/**
 * Which era a message belongs to, row by row of WIRE D.2, on an endpoint that serves both.
 */
import { describe, expect, test } from 'vitest'
import { legacy, modern } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'

const MODERN = '2026-07-28'
const claim = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const noCapabilities = { 'io.modelcontextprotocol/protocolVersion': MODERN }

/** What is posted, its version header, the status, and the code or the era that answered. */
const rows: readonly (readonly [string, object, string | null, number, number | string])[] = [
  ['a request with an envelope', list(claim), MODERN, 200, 'modern'],
  ['a malformed envelope', list(noCapabilities), MODERN, 400, -32602],
  ['a malformed envelope without a header', list(noCapabilities), null, 400, -32602],
  ['a malformed envelope with a legacy header', list(noCapabilities), '2025-11-25', 400, -32602],
  ['an envelope with a legacy header', list(claim), '2025-11-25', 400, -32020],
  ['initialize', handshake(), null, 200, 'legacy'],
  ['initialize with a legacy header', handshake(), '2025-06-18', 200, 'legacy'],
  ['initialize with a modern header', handshake(), MODERN, 200, 'legacy'],
  ['initialize with an envelope', handshake(claim), MODERN, 404, -32601],
  ['a request without a claim, modern header', list(), MODERN, 400, -32602],
  ['a request with an empty _meta, modern header', list({}), MODERN, 400, -32602],
  ['a request without a claim, legacy header', list(), '2025-11-25', 200, 'legacy'],
  ['a request without a claim, no header', list(), null, 200, 'legacy'],
  ['a request without a claim, unknown header', list(), '1999-01-01', 400, -32022],
  ['a request without a claim, empty header', list(), '', 400, -32022],
  ['a notification, modern header', { method: 'a/b' }, MODERN, 202, 'none'],
  ['a notification, legacy header', { method: 'a/b' }, '2025-11-25', 202, 'none'],
  ['a notification, no header', { method: 'a/b' }, null, 202, 'none'],
  ['an answer, modern header', { id: 1, result: {} }, MODERN, 400, -32600],
  ['an answer, legacy header', { id: 1, result: {} }, '2025-11-25', 202, 'none'],
  ['an answer, no header', { id: 1, result: {} }, null, 202, 'none'],
]

function list(meta?: object): object {
  return { id: 1, method: 'tools/list', ...(meta === undefined ? {} : { params: { _meta: meta } }) }
}

function handshake(meta?: object): object {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  }
  return {
    id: 1,
    method: 'initialize',
    params: meta === undefined ? params : { ...params, _meta: meta },
  }
}

test.each(rows)('MH-22 MH-23 %s', async (...row) => {
  const [, message, version, status, outcome] = row
  const body = { jsonrpc: '2.0', ...message }
  const method = 'method' in message ? String(message.method) : null
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method }
  const { ask } = served(everything())
  const revision = version !== null && version > '2025-03-26' ? version : '2025-11-25'
  const answer = await ask(legacy('x', {}, { body, headers }), {
    revision,
    wire: version !== '1999-01-01',
  })
  expect(answer.status).toBe(status)
  if (typeof outcome === 'number') expect(answer.error?.['code']).toBe(outcome)
  else if (outcome === 'none') expect(answer.text).toBe('')
  else expect('resultType' in (answer.result ?? {})).toBe(outcome === 'modern')
  if (typeof outcome === 'number' && outcome !== -32600) expect(answer.response?.['id']).toBe(1)
})

describe('each check comes before the next (WIRE D.3)', () => {
  const bad = {
    envelope: { 'io.modelcontextprotocol/clientCapabilities': 5 },
    version: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
  }

  test('a request that is wrong in every way is told the first', async () => {
    const { server } = quiet()
    const { ask } = served(server)
    const wrong = { 'mcp-protocol-version': MODERN, 'mcp-method': 'other' }
    const code = async (
      meta: Record<string, unknown>,
      headers: Record<string, string | null>,
      revision = MODERN,
    ) => {
      const answer = await ask(modern('tools/call', { name: 5 }, { meta, headers, revision }), {
        wire: false,
      })
      return [answer.status, answer.error?.['code']]
    }
    expect(await code({ ...bad.envelope, ...bad.version }, wrong)).toEqual([400, -32602])
    expect(await code(bad.version, wrong)).toEqual([400, -32020])
    expect(await code({}, { 'mcp-method': 'other' }, '2099-01-01')).toEqual([400, -32022])
    expect(await code({}, { 'mcp-method': 'other' })).toEqual([400, -32020])
    expect(await code({}, {})).toEqual([404, -32601])
    server.tool('t', {}, () => 'x')
    expect(await code({}, {})).toEqual([200, -32602])
  })
})
