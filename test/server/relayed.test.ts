import { expect, test } from 'vitest'
import {
  HeaderMismatchError,
  InvalidParamsError,
  McpError,
  MethodNotFoundError,
} from '../../src/protocol/errors.ts'
import { ParamHeaderError } from '../../src/server/param-headers.ts'
import { relayed } from '../../src/server/relayed.ts'

test('an error of another server loses its class, and with it the status', () => {
  for (const error of [new HeaderMismatchError('x'), new MethodNotFoundError('a/b')]) {
    const passed = relayed(error)
    expect(passed.constructor).toBe(McpError)
    expect([passed.code, passed.message]).toEqual([error.code, error.message])
  }
})

test('our own refusals, and everything else, stay what they are', () => {
  for (const error of [
    new ParamHeaderError('x'),
    new InvalidParamsError('x'),
    new McpError(-1, 'x'),
  ]) {
    expect(relayed(error)).toBe(error)
  }
})
