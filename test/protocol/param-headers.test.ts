import { paramHeaderProblem, paramHeaderValue, scanParamHeaders } from 'mcp-edge/protocol'
import type { ParamHeader } from 'mcp-edge/protocol'
import { describe, expect, test } from 'vitest'

const city = { type: 'string', 'x-mcp-header': 'City' }

function object(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more }
}

function problemOf(schema: unknown): string {
  const scan = scanParamHeaders(schema)
  return scan.ok ? 'none' : scan.problem
}

describe('scanParamHeaders', () => {
  test('HD-17 finds annotations at the root and below properties', () => {
    const schema = object({
      city,
      deep: object({ a: object({ b: { type: 'integer', 'x-mcp-header': 'a.B' } }) }),
      plain: { type: 'number' },
      'x-mcp-header': { type: 'boolean', 'x-mcp-header': 'flag' },
      __proto: { type: 'string' },
    })
    expect(scanParamHeaders(schema)).toEqual({
      ok: true,
      headers: [
        { header: 'mcp-param-city', path: ['city'], type: 'string' },
        { header: 'mcp-param-a.b', path: ['deep', 'a', 'b'], type: 'integer' },
        { header: 'mcp-param-flag', path: ['x-mcp-header'], type: 'boolean' },
      ],
    })
    expect(scanParamHeaders(undefined)).toEqual({ ok: true, headers: [] })
  })

  test('HD-17 a property may be named __proto__', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","x-mcp-header":"P"}}}',
    )
    const scan = scanParamHeaders(schema)
    if (!scan.ok) throw new Error(scan.problem)
    const [declaration] = scan.headers
    if (declaration === undefined) throw new Error('not found')
    expect(declaration.path).toEqual(['__proto__'])
    expect(paramHeaderValue(declaration, JSON.parse('{"__proto__":"x"}'))).toBe('x')
    expect(paramHeaderValue(declaration, {})).toBeUndefined()
  })

  test.each(['', ' ', 'a b', 'a:b', 'ü', 'a\r\n', 7, null, ['a'], true])(
    'HD-14 the name %j is no header name',
    (name) =>
      expect(problemOf(object({ p: { type: 'string', 'x-mcp-header': name } }))).toBe(
        'x-mcp-header at #/properties/p is not a header name',
      ),
  )

  test.each(['number', 'object', 'array', 'null', ['string'], ['string', 'null'], undefined])(
    'HD-15 the type %j cannot be mirrored',
    (type) =>
      expect(problemOf(object({ p: { type, 'x-mcp-header': 'P' } }))).toBe(
        'x-mcp-header at #/properties/p needs the type string, integer or boolean',
      ),
  )

  test('HD-18 names that differ in case alone are the same', () => {
    const schema = object({ a: { ...city }, b: { ...city, 'x-mcp-header': 'CITY' } })
    expect(problemOf(schema)).toBe('x-mcp-header at #/properties/b repeats the name CITY')
  })

  test.each([
    ['items', object({ l: { type: 'array', items: city } })],
    ['items as list', object({ l: { type: 'array', items: [city] } })],
    ['prefixItems', object({ l: { type: 'array', prefixItems: [{}, city] } })],
    ['contains', object({ l: { contains: city } })],
    ['additionalProperties', object({}, { additionalProperties: city })],
    ['unevaluatedProperties', object({}, { unevaluatedProperties: city })],
    ['patternProperties', object({}, { patternProperties: { '^x': city } })],
    ['propertyNames', object({}, { propertyNames: city })],
    ['oneOf', object({}, { oneOf: [object({ city })] })],
    ['anyOf', object({ a: { anyOf: [city] } })],
    ['allOf', object({}, { allOf: [object({ city })] })],
    ['not', object({}, { not: city })],
    ['if', object({}, { if: object({ city }) })],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ['then', object({}, { then: object({ city }) })],
    ['else', object({}, { else: object({ city }) })],
    ['dependentSchemas', object({}, { dependentSchemas: { a: object({ city }) } })],
    ['$defs', object({}, { $defs: { city } })],
    ['definitions', object({}, { definitions: { 'x-mcp-header': city } })],
    ['an unknown keyword', object({}, { 'x-other': { deep: [city] } })],
  ])('HD-16 an annotation below %s makes the tool invalid', (_keyword, schema) =>
    expect(problemOf(schema)).toMatch(/is not reachable through properties alone$/),
  )

  test.each(['enum', 'const', 'default', 'examples'])('what %s holds is data', (keyword) => {
    expect(problemOf(object({ p: { [keyword]: [{ 'x-mcp-header': 'no' }] } }))).toBe('none')
  })

  test('a schema without end is refused, not followed', () => {
    let deep: object = {}
    for (let level = 0; level < 5_000; level += 1) deep = object({ deep })
    expect(problemOf(deep)).toMatch(/nests deeper than 64/)
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}]))
    expect(problemOf(object(wide))).toMatch(/more than 10000 parts/)
  })
})

const text: ParamHeader = { header: 'mcp-param-city', path: ['place', 'city'], type: 'string' }
const count: ParamHeader = { header: 'mcp-param-count', path: ['count'], type: 'integer' }
const flag: ParamHeader = { header: 'mcp-param-flag', path: ['flag'], type: 'boolean' }

describe('paramHeaderValue', () => {
  test('HD-13 mirrors values, and omits what is null or absent', () => {
    expect(paramHeaderValue(text, { place: { city: 'Malmö' } })).toBe('=?base64?TWFsbcO2?=')
    expect(paramHeaderValue(count, { count: 42 })).toBe('42')
    expect(paramHeaderValue(flag, { flag: false })).toBe('false')
    for (const args of [undefined, {}, { place: null }, { place: { city: null } }, { place: 'x' }])
      expect(paramHeaderValue(text, args)).toBeUndefined()
  })

  test('HD-28 refuses what cannot be mirrored', () => {
    for (const value of [2 ** 53, -(2 ** 53), 1.5, '1', {}])
      expect(() => paramHeaderValue(count, { count: value })).toThrow(/^count must be a integer/)
    expect(() => paramHeaderValue(flag, { flag: 'true' })).toThrow(TypeError)
  })
})

describe('paramHeaderProblem', () => {
  test('HD-19 a value needs its header', () => {
    expect(paramHeaderProblem(count, { count: 1 }, null)).toBe('Header mcp-param-count is missing')
  })

  test('HD-20 a header must equal its value; integers as numbers', () => {
    for (const raw of ['42', '42.0', '4.2e1', ' 42 '])
      expect(paramHeaderProblem(count, { count: 42 }, raw)).toBeUndefined()
    for (const raw of ['43', '0x2a', '', '42a', 'NaN', '4 2'])
      expect(paramHeaderProblem(count, { count: 42 }, raw)).toMatch(/differs from its argument$/)
    expect(paramHeaderProblem(flag, { flag: true }, 'true')).toBeUndefined()
    expect(paramHeaderProblem(flag, { flag: true }, 'TRUE')).toMatch(/differs/)
    const args = { place: { city: '日本語' } }
    expect(paramHeaderProblem(text, args, '=?base64?5pel5pys6Kqe?=')).toBeUndefined()
    expect(paramHeaderProblem(text, args, '=?base64?5pel5pys6Kq?=')).toMatch(/cannot be decoded$/)
  })

  test('HD-21 HD-22 no value, no header', () => {
    for (const args of [{}, { count: null }, undefined]) {
      expect(paramHeaderProblem(count, args, null)).toBeUndefined()
      expect(paramHeaderProblem(count, args, '1')).toMatch(/has no argument beside it$/)
    }
  })

  test('a value that cannot be mirrored is left to validation', () => {
    expect(paramHeaderProblem(text, { place: { city: {} } }, null)).toBeUndefined()
    expect(paramHeaderProblem(text, { place: { city: {} } }, 'x')).toMatch(/differs/)
  })
})
