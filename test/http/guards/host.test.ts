import { expect, test } from 'vitest'
import { createHostCheck } from '../../../src/http/guards/host.ts'

const to = (host: string) => new Request('http://localhost/', { headers: { host } })

test('HL-20 an empty or odd Host is not served, not even as the first', () => {
  for (const host of ['', 'a b', '[::1]evil']) expect(createHostCheck([])(to(host))).toBe(false)
})

test('the verdict on one host says nothing about the next', () => {
  const check = createHostCheck(['a.example'])
  expect(
    ['a.example', 'b.example', 'a.example', 'b.example'].map((host) => check(to(host))),
  ).toEqual([true, false, true, false])
})

test('a predicate is asked every time, in lower case', () => {
  const seen: string[] = []
  const check = createHostCheck((host) => {
    seen.push(host)
    return seen.length === 1
  })
  expect([check(to('A.example')), check(to('A.example'))]).toEqual([true, false])
  expect(seen).toEqual(['a.example', 'a.example'])
})

test('one name that is no list is a mistake that is named', () => {
  const option: unknown = 'mcp.example.com'
  expect(() => Reflect.apply(createHostCheck, undefined, [option])).toThrow(
    new TypeError("allowedHosts must be an array of names, a function, or 'any'"),
  )
})
