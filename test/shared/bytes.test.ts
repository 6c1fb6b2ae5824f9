import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  equalBytes,
  fromBase64,
  fromBase64Url,
  toBase64,
  toBase64Url,
} from '../../src/shared/bytes.ts'

describe('base64', () => {
  test('agrees with the platform, both ways', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
        expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
      }),
    )
  })

  test('TL-13 a megabyte and more, also without help from the engine', () => {
    const bytes = new Uint8Array(3_000_001).map((_, index) => index % 251)
    const expected = Buffer.from(bytes).toString('base64')
    expect(toBase64(bytes)).toBe(expected)
    Object.defineProperty(bytes, 'toBase64', { value: undefined })
    expect(toBase64(bytes)).toBe(expected)
    expect(fromBase64(expected)?.length).toBe(bytes.length)
  })

  test('a view encodes its own bytes only', () => {
    expect(toBase64(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toBe('AgM=')
  })

  test('what no encoder writes is refused', () => {
    for (const text of ['aGk', 'aGl=', 'aG k=', 'a', '-_8=', '=', 'aGk==', 'ü'])
      expect(fromBase64(text)).toBeUndefined()
    for (const text of ['aGk=', 'a', 'aGl', '+/8', 'a b', 'aGk\n'])
      expect(fromBase64Url(text)).toBeUndefined()
    expect(fromBase64('')).toEqual(new Uint8Array())
  })
})

test('bytes are equal when all of them are', () => {
  const bytes = new Uint8Array([1, 2, 3])
  expect(equalBytes(bytes, new Uint8Array([1, 2, 3]))).toBe(true)
  expect(equalBytes(bytes, new Uint8Array([1, 2, 4]))).toBe(false)
  expect(equalBytes(bytes, new Uint8Array([1, 2]))).toBe(false)
  expect(equalBytes(new Uint8Array([1, 2]), new Uint8Array([1, 2, 0]))).toBe(false)
  expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true)
})
