import { expect, it } from 'vitest'
import { readResponse } from '../../../src/server/ask/response.ts'

const said = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }

it.each([
  ['elicitation/create', { action: 'accept', content: { a: 1 } }],
  ['elicitation/create', { action: 'accept' }],
  ['sampling/createMessage', said],
  ['roots/list', { roots: [{ uri: 'file:///a' }] }],
] as const)('F53 reads an answer to %s: %j', (method, response) => {
  expect(readResponse({ k: response }, 'k', method)).toEqual(response)
  expect(readResponse({ k: response }, 'k', undefined)).toEqual(response)
})

it.each([
  ['elicitation/create', { action: 'accept', content: [] }],
  ['elicitation/create', said],
  ['sampling/createMessage', { action: 'accept' }],
  ['roots/list', { roots: [{ uri: 'https://a' }] }],
  [undefined, 12345],
  [undefined, null],
  [undefined, {}],
] as const)('MR-11 refuses what is none to %s: %j', (method, response) => {
  expect(() => readResponse({ k: response }, 'k', method)).toThrow("answer to 'k'")
})

it('HL-22 drops what stands in a form that was not accepted', () => {
  const stale = {
    k: { action: 'cancel', content: null },
    l: { action: 'decline', content: { a: 1 } },
  }
  expect(readResponse(stale, 'k', 'elicitation/create')).toEqual({ action: 'cancel' })
  expect(readResponse(stale, 'l', undefined)).toEqual({ action: 'decline' })
})

it('finds nothing on a prototype', () => {
  for (const key of ['constructor', '__proto__', 'toString', 'k'])
    expect(readResponse({}, key, undefined)).toBeUndefined()
})
