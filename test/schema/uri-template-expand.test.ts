import { describe, expect, it } from 'vitest'
import { expandExpression } from '../../src/schema/uri-template-expand.ts'

const variables = [
  { name: 'a', explode: false },
  { name: 'b', explode: false },
]

describe('expandExpression', () => {
  it.each([
    ['', '1,2%2C3'],
    ['+', '1,2%2C3'],
    ['/', '/1/2%2C3'],
    ['?', '?a=1&b=2%2C3'],
    ['&', '&a=1&b=2%2C3'],
  ] as const)('writes %o', (operator, expected) => {
    const lead = operator === '+' ? '' : operator
    const expression = { operator, variables, lead, spans: false, stops: '' }
    expect(expandExpression(expression, { a: '1', b: '2,3' })).toBe(expected)
  })

  it('does not find values on prototypes, and mends lone surrogates', () => {
    const expression = {
      operator: '',
      variables: [{ name: 'toString', explode: false }],
      lead: '',
      spans: false,
      stops: '',
    } as const
    expect(expandExpression(expression, {})).toBe('')
    expect(expandExpression(expression, { toString: '\ud800' })).toBe('%EF%BF%BD')
  })
})
