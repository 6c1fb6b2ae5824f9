import { describe, expect, test } from 'vitest'
import {
  isCall,
  isErrorObject,
  isNotification,
  isRecord,
  isRequest,
  isRequestId,
  isResponse,
  kindOf,
  readableId,
} from '../../src/protocol/jsonrpc.ts'

const v = { jsonrpc: '2.0' }
const error = { code: -1, message: 'no' }

describe('kinds of messages', () => {
  test.each([
    ['request', { ...v, id: 1, method: 'a' }],
    ['request', { ...v, id: '', method: 'a', params: {} }],
    ['notification', { ...v, method: 'a' }],
    ['notification', { ...v, method: 'a', params: { b: 1 } }],
    ['response', { ...v, id: 1, result: {} }],
    ['response', { ...v, id: 1, error }],
    ['response', { ...v, error }],
    ['response', { ...v, id: null, error }],
    ['invalid', { id: 1, method: 'a' }],
    ['invalid', { jsonrpc: '1.0', id: 1, method: 'a' }],
    ['invalid', { ...v, id: null, method: 'a' }],
    ['invalid', { ...v, id: 1.5, method: 'a' }],
    ['invalid', { ...v, id: {}, method: 'a' }],
    ['invalid', { ...v, id: 1, method: 2 }],
    ['invalid', { ...v, id: 1, method: 'a', params: [] }],
    ['invalid', { ...v, id: 1, method: 'a', params: null }],
    ['invalid', { ...v, id: 1 }],
    ['invalid', { ...v, id: 1, result: {}, error }],
    ['invalid', { ...v, id: 1, result: [] }],
    ['invalid', { ...v, result: {} }],
    ['invalid', { ...v, id: null, result: {} }],
    ['invalid', { ...v, id: 1, error: { code: '1', message: 'no' } }],
    ['invalid', [{ ...v, id: 1, method: 'a' }]],
    ['invalid', null],
    ['invalid', 'text'],
  ])('%s: %j', (kind, value) => {
    expect(kindOf(value)).toBe(kind)
    expect(isRequest(value)).toBe(kind === 'request')
    expect(isNotification(value)).toBe(kind === 'notification')
    expect(isCall(value)).toBe(kind === 'request' || kind === 'notification')
    expect(isResponse(value)).toBe(kind === 'response')
  })
})

test.each([
  ['a', true],
  ['', true],
  [0, true],
  [-1, true],
  [1.5, false],
  [Number.NaN, false],
  [null, false],
  [true, false],
])('an id is a string or an integer: %j', (value, expected) => {
  expect(isRequestId(value)).toBe(expected)
})

test('the id of a broken message is read where it can be', () => {
  expect(readableId({ id: 7, method: 1 })).toBe(7)
  expect(readableId({ id: {} })).toBeUndefined()
  expect(readableId('7')).toBeUndefined()
})

test('records and error objects', () => {
  expect([{}, Object.create(null)].every(isRecord)).toBe(true)
  expect([[], null, 'a', 1, undefined].some(isRecord)).toBe(false)
  expect(isErrorObject({ code: 1, message: '' })).toBe(true)
  expect(isErrorObject({ code: 1.5, message: '' })).toBe(false)
  expect(isErrorObject({ code: 1 })).toBe(false)
})
