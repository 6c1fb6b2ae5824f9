import { describe, expect, test } from 'vitest'
import { accepts, essenceOf, qualityOf } from '../../src/shared/media-type.ts'

const JSON_TYPE = 'application/json'
const SSE = 'text/event-stream'

describe('accepts', () => {
  test.each<[string | null, boolean, boolean]>([
    ['*/*', true, true],
    [null, true, true],
    ['', true, true],
    ['application/json, text/event-stream', true, true],
    ['text/event-stream, application/json', true, true],
    ['application/json,text/event-stream', true, true],
    ['application/*;q=0.9, text/*;q=0.1', true, true],
    ['Application/JSON , TEXT/EVENT-STREAM', true, true],
    ['text/event-stream;q=0, application/json', true, false],
    ['*/*, text/event-stream;q=0', true, false],
    ['text/event-stream;Q=0.000, */*;q=0.1', true, false],
    ['application/json;charset=utf-8;q=0.5', true, false],
    ['application/json ; q = 1', true, false],
    ['application/json;q=x', false, false],
    ['application/json;q=7', false, false],
    ['text/html', false, false],
    ['application/jsonp', false, false],
    ['text/event-streamx', false, false],
    ['xapplication/json', false, false],
    ['application', false, false],
    ['*', false, false],
    [',,', false, false],
  ])('LH-03 HL-03 %j: JSON %s, SSE %s', (accept, json, sse) => {
    expect([accepts(accept, JSON_TYPE), accepts(accept, SSE)]).toEqual([json, sse])
  })

  test('HL-03 the most specific range decides', () => {
    const accept = 'text/*;q=0.3, */*;q=0.1, text/event-stream;q=0.9'
    expect(qualityOf(accept, SSE)).toBe(0.9)
    expect(qualityOf(accept, 'text/plain')).toBe(0.3)
    expect(qualityOf(accept, JSON_TYPE)).toBe(0.1)
  })
})

test.each([
  ['application/json', JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE],
  ['application/json;charset="UTF-8"', JSON_TYPE],
  ['Application/JSON', JSON_TYPE],
  ['application/json ; profile=x', JSON_TYPE],
  ['text/plain', 'text/plain'],
  ['application/json-seq', 'application/json-seq'],
  ['application/jsonp', 'application/jsonp'],
  ['application/json, text/plain', 'application/json, text/plain'],
  ['', ''],
  [null, ''],
])('LH-04 HL-04 %j is %s', (contentType, essence) => {
  expect(essenceOf(contentType)).toBe(essence)
})
