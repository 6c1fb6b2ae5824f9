import { describe, expect, it } from 'vitest'
import { LineReader } from '../../src/stdio/lines.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('LineReader', () => {
  it('IO-05 SS-03 completes lines over chunks of any size, CRLF or LF', () => {
    const text = 'one\r\ntwo é漢😀\n\n\r\nthree\u2028still\n'
    for (const size of [1, 2, 3, 100]) {
      const lines = new LineReader(100)
      const all = bytes(text)
      const read: string[] = []
      for (let at = 0; at < all.length; at += size)
        read.push(...lines.feed(all.slice(at, at + size)))
      expect(read).toEqual(['one', 'two é漢😀', 'three\u2028still'])
      expect(lines.end()).toEqual([])
    }
  })

  it('IO-05 gives the last line although it has no end', () => {
    const lines = new LineReader(100)
    expect(lines.feed(bytes('a\nb'))).toEqual(['a'])
    expect(lines.end()).toEqual(['b'])
  })

  it('IO-05 stops at a line beyond the bound, in one piece or in many', () => {
    for (const pieces of [['x'.repeat(11)], Array.from({ length: 11 }, () => 'x')]) {
      const lines = new LineReader(10)
      expect(lines.feed(bytes('fits\n'))).toEqual(['fits'])
      for (const piece of pieces) lines.feed(bytes(piece))
      expect(lines.overflowed).toBe(true)
    }
    const exact = new LineReader(10)
    expect(exact.feed(bytes(`${'x'.repeat(10)}\n`))).toHaveLength(1)
    expect(exact.overflowed).toBe(false)
  })
})
