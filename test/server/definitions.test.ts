import { expect, test } from 'vitest'
import { toHandler } from '../../src/server/definitions.ts'

test('a handler is run as it is', () => {
  const handler = (): string => 'x'
  expect(toHandler(handler)).toBe(handler)
})
