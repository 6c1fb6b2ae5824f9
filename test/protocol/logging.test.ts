import { expect, test } from 'vitest'
import { isAtLeast, isLoggingLevel, LOGGING_LEVELS } from '../../src/protocol/logging.ts'

test('levels are the eight of RFC 5424, the least severe first', () => {
  expect(LOGGING_LEVELS).toHaveLength(8)
  expect(LOGGING_LEVELS.every(isLoggingLevel)).toBe(true)
  expect(['DEBUG', 'warn', '', 0, null, 'constructor'].some(isLoggingLevel)).toBe(false)
})

test('a threshold lets itself and what is more severe pass', () => {
  expect(isAtLeast('warning', 'warning')).toBe(true)
  expect(isAtLeast('emergency', 'warning')).toBe(true)
  expect(isAtLeast('notice', 'warning')).toBe(false)
})
