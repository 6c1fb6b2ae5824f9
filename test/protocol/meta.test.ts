import {
  isExtensionKey,
  isMetaKey,
  missingEnvelope,
  readEnvelope,
  traceContextOf,
} from 'mcp-edge/protocol'
import { describe, expect, test } from 'vitest'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const INFO = 'io.modelcontextprotocol/clientInfo'
const LEVEL = 'io.modelcontextprotocol/logLevel'

const least = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} }

describe('readEnvelope', () => {
  test('MH reads the least a request must say', () => {
    expect(readEnvelope({ _meta: least })).toEqual({
      ok: true,
      protocolVersion: '2026-07-28',
      clientCapabilities: {},
      clientInfo: undefined,
      logLevel: undefined,
      progressToken: undefined,
      meta: least,
    })
  })

  test('reads everything a request may say, also a version nobody serves', () => {
    const clientInfo = { name: 'c', version: '1', more: true }
    const meta = {
      [VERSION]: 'v999',
      [CAPABILITIES]: { elicitation: { url: {} }, unknown: 1 },
      [INFO]: clientInfo,
      [LEVEL]: 'error',
      progressToken: 0,
    }
    expect(readEnvelope({ _meta: meta })).toMatchObject({
      ok: true,
      protocolVersion: 'v999',
      clientInfo,
      logLevel: 'error',
      progressToken: 0,
    })
  })

  test.each([
    ['no capabilities', { _meta: { [VERSION]: 'x' } }, `lacks ${CAPABILITIES}`],
    ['version 1', { _meta: { ...least, [VERSION]: 1 } }, `"${VERSION}"] must be a string`],
    ['version null', { _meta: { ...least, [VERSION]: null } }, `"${VERSION}"] must be a string`],
    ['capabilities []', { _meta: { ...least, [CAPABILITIES]: [] } }, `"${CAPABILITIES}"] must be`],
    [
      'a capability that is no object',
      { _meta: { ...least, [CAPABILITIES]: { roots: true } } },
      `"${CAPABILITIES}"] must be an object of objects`,
    ],
    ['clientInfo', { _meta: { ...least, [INFO]: { name: 'c' } } }, `"${INFO}"] must be`],
    ['logLevel', { _meta: { ...least, [LEVEL]: 'loud' } }, `"${LEVEL}"] must be a logging level`],
    ['progressToken', { _meta: { ...least, progressToken: 1.5 } }, '"progressToken"] must be'],
  ])('refuses %s, and names the key', (_case, params, message) => {
    const envelope = readEnvelope(params)
    if (envelope?.ok !== false) throw new Error('was not refused')
    expect(envelope.error.code).toBe(-32602)
    expect(envelope.error.message).toContain(message)
  })

  test.each([
    ['no params', undefined, 'params._meta must be an object'],
    ['no _meta', {}, 'params._meta must be an object'],
    ['_meta as list', { _meta: [] }, 'params._meta must be an object'],
    ['_meta as text', { _meta: 'x' }, 'params._meta must be an object'],
    ['nothing in it', { _meta: {} }, `lacks ${VERSION} and ${CAPABILITIES}`],
    ['no version', { _meta: { [CAPABILITIES]: {} } }, `lacks ${VERSION}`],
  ])('%s is no claim; where there must be one, the key is named', (_case, params, message) => {
    expect(readEnvelope(params)).toBeUndefined()
    expect(missingEnvelope(params)).toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })
})

test('trace context is passed on as it is, and what is no string is ignored', () => {
  const meta = { traceparent: '00-a-b-01', tracestate: 7, baggage: 'k=v' }
  expect(traceContextOf(meta)).toEqual({ traceparent: '00-a-b-01', baggage: 'k=v' })
  expect(traceContextOf({ traceparent: null })).toBeUndefined()
  expect(traceContextOf(undefined)).toBeUndefined()
})

describe('key grammar', () => {
  test.each(['name', 'a.b_c-d', '', 'com.example/', 'com.example/x', 'a-1.b/1', 'x/9.z'])(
    "'%s' is a _meta key",
    (key) => expect(isMetaKey(key)).toBe(true),
  )
  test.each(['/x', '1a/x', 'a-/x', 'a..b/x', 'a.b/c/d', '-x', 'x.', 'a b', 'ü', 'x\n', 'a/\n'])(
    "'%s' is none",
    (key) => expect(isMetaKey(key)).toBe(false),
  )
  test('EX-01 the id of an extension needs a prefix and a name', () => {
    expect(isExtensionKey('io.modelcontextprotocol/tasks')).toBe(true)
    expect(isExtensionKey('acme/x')).toBe(true)
    for (const key of ['tasks', '/tasks', 'acme/', 'acme.1/x', ''])
      expect(isExtensionKey(key)).toBe(false)
  })
  test('a hostile key is checked in no time', () => {
    const started = performance.now()
    expect(isMetaKey(`${'a-'.repeat(50_000)}!`)).toBe(false)
    expect(isMetaKey(`${'a.'.repeat(50_000)}!`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
