import { expect, it } from 'vitest'
import * as errors from '../../src/client/errors.ts'
import { MAX_ERROR_CHARS } from '../../src/protocol/limits.ts'
import { isMcpError } from '../../src/protocol/errors.ts'

it('each error is named after its class, names the request, and is none of the wire', () => {
  const made = [
    new errors.ClientError('x', { method: 'm' }),
    new errors.NetworkError('m', new Error('why')),
    new errors.HttpError('m', 500, { detail: 'why', retryAfterMs: 5 }),
    new errors.UnauthorizedError('m', 401, 'Bearer'),
    new errors.SessionLostError('m'),
    new errors.InvalidResponseError('m', 'why'),
    new errors.MessageTooLargeError('m', 5),
    new errors.StreamBrokenError('m', 'why'),
    new errors.InputRequiredError('m', 'why', { result: {} }),
  ]
  for (const error of made) {
    expect(error.name).toBe(error.constructor.name)
    expect(error).toBeInstanceOf(errors.ClientError)
    expect(error.method).toBe('m')
    expect(isMcpError(error)).toBe(false)
  }
  expect(new errors.NegotiationError('x', { supported: ['a'] })).toMatchObject({
    supported: ['a'],
    method: undefined,
  })
  expect(new errors.OutputValidationError('t', 'why')).toMatchObject({ toolName: 't' })
  expect(new errors.RequestRejected().name).toBe('RequestRejected')
  expect(new errors.NetworkError('m', 'odd').message).toBe('m could not be sent')
})

it('a message is bounded, whatever the peer wrote', () => {
  const error = new errors.UnauthorizedError('m', 401, 'x'.repeat(4_000_000))
  expect(error.message).toHaveLength(MAX_ERROR_CHARS)
  expect(error.message).toContain('m was answered with HTTP 401')
})
