import { expect, it } from 'vitest'
import { fingerprint } from '../../src/shared/fingerprint.ts'

it('is the same for the same text, and short', () => {
  expect(fingerprint('a question')).toBe(fingerprint('a question'))
  expect(fingerprint('x'.repeat(100_000))).toMatch(/^[0-9a-z]{2,14}$/)
})

it('differs for texts that differ by accident', () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `Deploy build ${index} to production?`)
  texts.push('', 'ab', 'ba', 'a b', 'ab ', '\u0000', '\u0000\u0000')
  expect(new Set(texts.map(fingerprint)).size).toBe(texts.length)
})
