import { describe, expect, it } from 'vitest'
import { formatIssues, formatPath } from '../../src/schema/issues.ts'

describe('formatIssues', () => {
  it('FT-02 names every problem with its path', () => {
    const text = formatIssues([
      { message: 'is wrong' },
      { message: 'is required', path: ['a', 'b', 0, { key: 'c' }] },
      { message: 'is odd', path: ['x y', 'z'] },
    ])
    expect(text).toBe('is wrong\na.b[0].c: is required\n["x y"].z: is odd')
  })

  it('counts what goes beyond the bound', () => {
    const issues = Array.from({ length: 25 }, (_, index) => ({ message: `m${index}` }))
    expect(formatIssues(issues).split('\n')).toHaveLength(21)
    expect(formatIssues(issues)).toMatch(/… and 5 more$/)
  })

  it('writes symbols and prototype names as text', () => {
    expect(formatPath(['__proto__', Symbol('s')])).toBe('__proto__["Symbol(s)"]')
  })
})
