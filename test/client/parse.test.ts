import { expect, it } from 'vitest'
import { parseMessage } from '../../src/client/parse.ts'

it('parses what nests no deeper than the bound, and says why it does not', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseMessage('m', nested(64))).toHaveLength(1)
  expect(() => parseMessage('m', nested(65))).toThrow('nests deeper than 64')
  expect(parseMessage('m', JSON.stringify({ text: '['.repeat(1_000) }))).toHaveProperty('text')
  expect(() => parseMessage('m', '{')).toThrow('not JSON')
})
