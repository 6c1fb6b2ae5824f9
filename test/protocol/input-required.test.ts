import { expect, test } from 'vitest'
import { isInputRequired } from '../../src/protocol/input-required.ts'

test('only the type of a result says that input is required', () => {
  expect(isInputRequired({ resultType: 'input_required', requestState: 's' })).toBe(true)
  expect(isInputRequired({ resultType: 'complete', inputRequests: {} })).toBe(false)
  expect(isInputRequired({ inputRequests: {}, requestState: 's' })).toBe(false)
})
