import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../src/shared/json.ts'

function nested(depth: number, open = '[', close = ']'): string {
  return open.repeat(depth) + close.repeat(depth)
}

describe('parseJson', () => {
  test('RPC-23 nesting up to the bound is parsed, one more is refused', () => {
    expect(parseJson(nested(64), 64).ok).toBe(true)
    expect(parseJson(nested(65), 64)).toEqual({ ok: false, problem: 'depth' })
    expect(parseJson(`{"a":${'{"a":'.repeat(64)}1${'}'.repeat(65)}`, 64)).toMatchObject({
      problem: 'depth',
    })
    expect(parseJson(nested(1_000_000), 64)).toEqual({ ok: false, problem: 'depth' })
    expect(parseJson(nested(1_000), Infinity).ok).toBe(true)
  })

  test('brackets in strings do not count, however the strings are escaped', () => {
    const texts = ['['.repeat(200), `\\${'['.repeat(200)}`, `"${'['.repeat(200)}"`, '\\"[[[\\\\']
    const value = texts.flatMap((text) => [text, { [text]: text }])
    expect(parseJson(JSON.stringify(value), 3)).toEqual({ ok: true, value })
  })

  test('many brackets side by side are not deep', () => {
    const value = Array.from({ length: 1_000 }, () => ({ a: [] }))
    expect(parseJson(JSON.stringify(value), 3)).toEqual({ ok: true, value })
  })

  test('a string may end, or be escaped, at any distance', () => {
    for (let length = 0; length < 110; length += 1) {
      const value = [['x'.repeat(length) + '"', `${'\\'.repeat(length)}[[[[`, '[[[']]
      expect(parseJson(JSON.stringify(value), 2)).toEqual({ ok: true, value })
      const deep = [[`${'\\'.repeat(length)}"`, [[1]]]]
      expect(parseJson(JSON.stringify(deep), 3)).toEqual({ ok: false, problem: 'depth' })
    }
  })

  test('agrees with the depth of any value', () => {
    fc.assert(
      fc.property(
        fc.json({ depthSize: 'large', maxDepth: 8 }),
        fc.integer({ min: 0, max: 9 }),
        (text, max) => {
          const value: unknown = JSON.parse(text)
          expect(parseJson(text, max)).toEqual(
            depthOf(value) > max ? { ok: false, problem: 'depth' } : { ok: true, value },
          )
        },
      ),
    )
  })

  test('RPC-07 what is not JSON is refused', () => {
    for (const text of ['', '{', '{"a":', 'undefined', '[1,]', '"', '"\\', '\u0000'])
      expect(parseJson(text, 64)).toEqual({ ok: false, problem: 'syntax' })
  })

  test('SC-07 RPC-24 __proto__ is a member like any other', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true},"constructor":1}', 64)
    if (!parsed.ok) throw new Error(parsed.problem)
    expect(Object.keys(Object(parsed.value))).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  test('a hostile text is scanned in no time', () => {
    const started = performance.now()
    parseJson(`[${'"\\\\\\\\\\"",'.repeat(100_000)}1${'[]'.repeat(100)}`, 64)
    parseJson(`${'[]'.repeat(100)}"${'\\'.repeat(1_000_000)}`, 64)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
