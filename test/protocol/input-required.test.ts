import { expect, test } from 'vitest'
import { isInputRequired } from '../../src/protocol/input-required.ts'

const waiting = { resultType: 'input_required', requestState: 's' }
const complete = { resultType: 'complete', inputRequests: {} }
const untyped = { _meta: {}, inputRequests: {}, requestState: 's' }

test('only the type of a result says that input is required', () => {
  expect([waiting, complete, untyped].map(isInputRequired)).toEqual([true, false, false])
})
