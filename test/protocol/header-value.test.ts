import { decodeHeaderValue, encodeHeaderValue } from 'mcp-edge/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('encodeHeaderValue', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    [' us-west1', '=?base64?IHVzLXdlc3Qx?='],
    ['日本語', '=?base64?5pel5pys6Kqe?='],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
  ])('HD-10 %j travels as %s', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header)
    expect(decodeHeaderValue(header)).toBe(value)
  })

  test('HD-11 interior tabs and the empty string are wrapped', () => {
    expect(encodeHeaderValue('a\tb')).toBe('=?base64?YQli?=')
    expect(encodeHeaderValue('')).toBe('=?base64??=')
  })

  test('HD-12 HD-07 whatever is sent fits a header and comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const header = encodeHeaderValue(value)
        expect(header).toMatch(/^[!-~](?:[ -~]*[!-~])?$/)
        expect(decodeHeaderValue(header)).toBe(value)
      }),
    )
    expect(encodeHeaderValue('a\r\nX: y')).not.toMatch(/[\r\n]/)
  })
})

describe('decodeHeaderValue', () => {
  test('HD-06 blanks at the edges do not count', () => {
    expect(decodeHeaderValue('  tools/list \t')).toBe('tools/list')
    expect(decodeHeaderValue(' =?base64?aGk=?= ')).toBe('hi')
    expect(decodeHeaderValue('')).toBe('')
  })

  test.each([
    ['bad padding', '=?base64?SGVsbG8?='],
    ['a foreign alphabet', '=?base64?SGVs!!!bG8=?='],
    ['the alphabet for URLs', '=?base64?-_8=?='],
    ['stray bits', '=?base64?aGl=?='],
    ['blanks inside', '=?base64?aG k=?='],
    ['broken UTF-8', '=?base64?/w==?='],
  ])('HD-08 refuses %s', (_case, header) => expect(decodeHeaderValue(header)).toBeUndefined())

  test.each(['=?BASE64?aGk=?=', '=?base64?aGk=', 'base64?aGk=?=', '=?base64?='])(
    'HD-09 %s is a literal',
    (header) => expect(decodeHeaderValue(header)).toBe(header),
  )

  test('refuses what a header could not have carried', () => {
    for (const raw of ['caf\u00e9', 'a\u0000b', 'a\nb', '\u007f', '日'])
      expect(decodeHeaderValue(raw)).toBeUndefined()
  })
})
