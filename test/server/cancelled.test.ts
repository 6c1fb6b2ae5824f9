import { expect, test } from 'vitest'
import { InternalError } from '../../src/protocol/errors.ts'
import { ConnectionClosedError } from '../../src/rpc/errors.ts'
import { isCancellation } from '../../src/server/cancelled.ts'

const aborted = new DOMException('The client is gone', 'AbortError')
const closed = new InternalError({ cause: 'The handler was closed' })

/** A call; called off for a reason, where there is one. */
function call(reason?: unknown) {
  const signal = reason === undefined ? new AbortController().signal : AbortSignal.abort(reason)
  return { outbox: { signal, notify: () => undefined } }
}

test.each([
  ['the reason itself', aborted],
  ['what a fetch made of it', new DOMException('x', 'AbortError')],
  ['a question that nobody can answer', new ConnectionClosedError('The call has ended')],
])('%s is no failure of a call that was called off, but one of any other', (_, error) => {
  expect(isCancellation(call(aborted), error)).toBe(true)
  expect(isCancellation(call(), error)).toBe(false)
})

test.each([new TypeError('x'), new DOMException('x', 'TimeoutError'), 'AbortError', undefined])(
  'what went wrong besides is a failure: %o',
  (error) => {
    expect(isCancellation(call(aborted), error)).toBe(false)
  },
)

test('an internal error is none only where the handler was closed with that very one', () => {
  expect(isCancellation(call(closed), closed)).toBe(true)
  expect(isCancellation(call(closed), new InternalError())).toBe(false)
  expect(isCancellation(call(aborted), closed)).toBe(false)
})
