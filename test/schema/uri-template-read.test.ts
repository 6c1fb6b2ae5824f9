import { describe, expect, it } from 'vitest'
import { readExpression, stopsAt } from '../../src/schema/uri-template-read.ts'

const level1 = {
  operator: '',
  variables: [{ name: 'a', explode: false }],
  lead: '',
  spans: false,
  stops: '',
} as const

describe('readExpression', () => {
  it.each([
    ['', 'mismatch'],
    ['x', 'match'],
    ['%', 'invalid'],
    ['x/y', 'mismatch'],
    ['x%2Fy', 'mismatch'],
  ])('FT-21 reads %o as a %s', (text, outcome) => {
    expect(readExpression(level1, text, {})).toBe(outcome)
  })

  it('lets an expression with a leading character be absent', () => {
    expect(readExpression({ ...level1, operator: '/', lead: '/' }, '', {})).toBe('match')
  })

  it('knows what ends each kind', () => {
    expect(stopsAt(level1)).toBe('/?#')
    expect(stopsAt({ ...level1, operator: '?', lead: '?' })).toBe('#')
    expect(stopsAt({ ...level1, operator: '+', stops: '?' })).toBe('?')
  })
})
