import { expect, test } from 'vitest'
import { quoted } from '../../../src/server/features/quoted.ts'

test('a peer’s text is repeated up to a length', () => {
  expect(quoted('short')).toBe('short')
  expect(quoted('x'.repeat(200))).toHaveLength(200)
  expect(quoted('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
})
