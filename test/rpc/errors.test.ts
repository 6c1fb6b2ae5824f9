import { expect, it } from 'vitest'
import { isMcpError } from '../../src/protocol/errors.ts'
import { ConnectionClosedError, RequestTimeoutError } from '../../src/rpc/errors.ts'

it('say what happened here, and are never taken for an answer of the peer', () => {
  const timeout = new RequestTimeoutError('tools/call', 5)
  expect(timeout).toMatchObject({ name: 'RequestTimeoutError', method: 'tools/call', timeoutMs: 5 })
  expect(timeout.message).toBe('tools/call was not answered within 5 ms')
  const closed = new ConnectionClosedError('gone', { cause: timeout })
  expect(closed).toMatchObject({ name: 'ConnectionClosedError', message: 'gone', cause: timeout })
  expect([timeout, closed].some(isMcpError)).toBe(false)
})
