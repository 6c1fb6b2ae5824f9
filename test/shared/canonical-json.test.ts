import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { canonicalJson } from '../../src/shared/canonical-json.ts'

it('does not depend on the order of members, at any depth', () => {
  expect(canonicalJson({ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } })).toBe(
    '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}',
  )
})

it('keeps names of prototypes, and tells them apart', () => {
  const named = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
  expect(canonicalJson(named)).toBe('{"__proto__":{"a":1},"constructor":2}')
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).not.toBe(canonicalJson({}))
})

it('is the same text for the same value, and different for another', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
