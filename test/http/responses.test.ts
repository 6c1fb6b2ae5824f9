import { expect, test } from 'vitest'
import { InvalidRequestError } from '../../src/protocol/errors.ts'
import {
  emptyResponse,
  finishedStream,
  jsonResponse,
  refusalResponse,
  streamResponse,
  toStreamText,
  withHeaders,
} from '../../src/http/responses.ts'

test('a refusal is one error, with the id where it is known', async () => {
  const error = new InvalidRequestError('no')
  const response = refusalResponse(
    { status: 400, error, id: 'x', headers: { allow: 'POST' } },
    { a: 'b' },
  )
  expect([response.status, response.headers.get('allow'), response.headers.get('a')]).toEqual([
    400,
    'POST',
    'b',
  ])
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 'x',
    error: { code: -32600, message: 'no' },
  })
  expect(await refusalResponse({ status: 400, error }, undefined).json()).not.toHaveProperty('id')
})

test('a stream is not held, changed or stored on the way, whatever else is said', () => {
  for (const extra of [undefined, { 'cache-control': 'no-store', vary: 'Origin' }]) {
    const { headers } = streamResponse('', extra)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  }
})

test('a whole stream says only what it is, and what every response to the request says', () => {
  expect([...finishedStream('', undefined).headers]).toEqual([
    ['content-type', 'text/event-stream'],
  ])
  const { headers } = finishedStream('', { 'cache-control': 'no-store' })
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'text/event-stream',
    'no-store',
  ])
})

test('bytes and text make the same frame', () => {
  expect(toStreamText(new TextEncoder().encode('{"ü":1}'))).toBe(toStreamText('{"ü":1}'))
})

test('someone else’s response gets headers and keeps the rest', async () => {
  const response = withHeaders(
    new Response('no', { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    { a: 'b' },
  )
  expect([
    response.status,
    response.headers.get('a'),
    response.headers.get('www-authenticate'),
  ]).toEqual([401, 'b', 'Bearer'])
  expect(await response.text()).toBe('no')
})

test('empty and JSON responses are what they say', async () => {
  expect(await emptyResponse(202, undefined).text()).toBe('')
  expect(jsonResponse(200, '{}', { a: 'b' }).headers.get('content-type')).toBe('application/json')
})
