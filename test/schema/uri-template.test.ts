import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUriTemplate } from '../../src/schema/uri-template.ts'
import { expandTemplate } from './expand-template.ts'

function values(template: string, uri: string): unknown {
  const match = parseUriTemplate(template).match(uri)
  if (match === undefined) return 'mismatch'
  return match === 'invalid' ? match : { ...match }
}

describe('matching', () => {
  it.each([
    ['users://{id}/profile', 'users://7/profile', { id: '7' }],
    ['users://{id}/profile', 'users://a%20b/profile', { id: 'a b' }],
    ['users://{id}/profile', 'users://a%2525/profile', { id: 'a%25' }],
    ['users://{id}/profile', 'users://日本/profile', { id: '日本' }],
    ['users://{id}/profile', 'users:///profile', 'mismatch'],
    ['users://{id}/profile', 'users://1/2/profile', 'mismatch'],
    ['users://{id}/profile', 'users://1/profile/x', 'mismatch'],
    ['users://{id}/profile', 'xusers://1/profile', 'mismatch'],
    ['users://{id}/profile', 'users://a%2fb/profile', 'mismatch'],
    ['users://{id}/profile', 'users://%zz/profile', 'invalid'],
    ['users://{id}/profile', 'users://%ff/profile', 'invalid'],
    ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
    ['file:///{+path}/raw', 'file:///a/raw/raw', { path: 'a/raw' }],
    ['repo://{owner}/{+path}/{rev}', 'repo://o/a/b/c/1', { owner: 'o', path: 'a/b/c', rev: '1' }],
    ['test://u{/id*}', 'test://u/a/b', { id: ['a', 'b'] }],
    ['test://u{/id*}', 'test://u', {}],
    ['test://u{/a,b}', 'test://u/x', { a: 'x' }],
    ['test://u{/a,b}', 'test://u/x/y', { a: 'x', b: 'y' }],
    ['test://u{/a,b}', 'test://u/x/y/z', 'mismatch'],
    ['test://q{?q,lang}', 'test://q?lang=en&q=a%2Fb', { q: 'a/b', lang: 'en' }],
    ['test://q{?q,lang}', 'test://q', {}],
    ['test://q{?q,lang}', 'test://q?other=1', 'mismatch'],
    ['test://q{?q,lang}', 'test://q?q=1&q=2', 'mismatch'],
    ['test://q{?tags*}', 'test://q?tags=a&tags=b', { tags: ['a', 'b'] }],
    ['test://q?fixed=1{&x,y}', 'test://q?fixed=1&x=2&y=3', { x: '2', y: '3' }],
    ['file:///{+path}?v=1{&x,y}', 'file:///a/b?v=1&x=2&y=3', { path: 'a/b', x: '2', y: '3' }],
    ['doc://{id}{#section}', 'doc://1#a/b', { id: '1', section: 'a/b' }],
    ['doc://{id}{#section}', 'doc://1', { id: '1' }],
    ['file:///{+path}{?q}', 'file:///a/b?q=1', { path: 'a/b', q: '1' }],
    ['geo://{lat,lon}', 'geo://1.5,2', { lat: '1.5', lon: '2' }],
    ['ab{/x}b/', 'ab/', 'mismatch'],
    ['a{/x}/y/{z}', 'a/y/1', { z: '1' }],
    ['a{/x}/y/{z}', 'a/q/y/1', { x: 'q', z: '1' }],
    ['config://app', 'config://app', {}],
    ['config://app', 'config://apps', 'mismatch'],
    ['', '', {}],
  ])('FT-21 F109 %s against %s', (template, uri, expected) => {
    expect(values(template, uri)).toEqual(expected)
  })

  it.each([
    ['files://{name}', 'files://..'],
    ['files://{name}', 'files://%2e%2e'],
    ['files://{name}', 'files://..%2f'],
    ['files://{name}', 'files://..%5cetc'],
    ['file:///{+path}', 'file:///a/../../etc/passwd'],
    ['file:///{+path}', 'file:///%2e%2e/etc'],
    ['file://{/path*}', 'file:///a/%2e%2e/b'],
  ])('FT-21 never climbs: %s against %s', (template, uri) => {
    expect(values(template, uri)).toBe('mismatch')
  })

  it('keeps prototype names as data', () => {
    const match = parseUriTemplate('x://{__proto__}/{constructor}').match('x://a/b')
    expect(Object.getPrototypeOf(match)).toBeNull()
    expect(Object.entries(match ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })

  it.each(['test://u{/id*}', 'test://q{?tags*}', 'test://u/{a},{b},{c},!', 'test://{+p}/{a}/!'])(
    'TL-11 F108 %s answers hostile URIs at once',
    (template) => {
      const compiled = parseUriTemplate(template)
      const started = performance.now()
      for (const filler of ['a,', '/', 'a/', '?', '&tags=', '%2f', ',!']) {
        compiled.match(`test://u/${filler.repeat(2_000)}!/`)
        compiled.match(`test://u/${filler.repeat(500_000)}!/`)
      }
      expect(performance.now() - started).toBeLessThan(200)
      expect(compiled.match(`test://u/${'a,'.repeat(50_000)}!/`)).toBe('invalid')
    },
  )
})

describe('definition', () => {
  it.each([
    ['x://{', '"{" without'],
    ['x://}', '"}" without'],
    ['x://{}', 'names are'],
    ['x://{a:3}', 'names are'],
    ['x://{;a}', 'names are'],
    ['x://{a b}', 'names are'],
    ['x://{a}{b}', 'ambiguous'],
    ['x://{+a}/{+b}', 'ambiguous'],
    ['x://{#a}b', 'ambiguous'],
    ['x://{?a}{&b}', 'ambiguous'],
    ['x://{a*,b}', 'only the last'],
    ['x://{a}/{a}', 'twice'],
    [`x://${'a'.repeat(2_050)}`, 'longer than'],
    [`x://${Array.from({ length: 33 }, (_, index) => `{v${index}}/`).join('')}`, 'more than 32'],
  ])('refuses %s', (template, message) => {
    expect(() => parseUriTemplate(template, "template 't'")).toThrow(TypeError)
    expect(() => parseUriTemplate(template, "template 't'")).toThrow(message)
    expect(() => parseUriTemplate(template, "template 't'")).toThrow("template 't'")
  })

  it('lists variables in order', () => {
    expect(parseUriTemplate('x://{b}{/a*}{?q,r}').variables).toEqual(['b', 'a', 'q', 'r'])
  })
})

describe('expanding', () => {
  it.each([
    ['x://{id}', { id: "a/b !'()*" }, 'x://a%2Fb%20%21%27%28%29%2A'],
    ['x://{+p}', { p: 'a/b?c%20' }, 'x://a/b?c%2520'],
    ['x://{+p}{?q}', { p: 'a/b?c', q: 'd' }, 'x://a/b%3Fc?q=d'],
    ['x://u{/s*}', { s: ['a', 'b/c'] }, 'x://u/a/b%2Fc'],
    ['x://u{?q,r}', { r: '1' }, 'x://u?r=1'],
    ['x://u{?t*}{#f}', { t: ['1', '2'], f: 'a#b' }, 'x://u?t=1&t=2#a%23b'],
    ['x://{id}', {}, 'x://'],
  ])('%s with %o', (template, given, uri) => {
    expect(expandTemplate(template, given)).toBe(uri)
  })

  it('refuses a list where a string is due, and the other way round', () => {
    expect(() => expandTemplate('{x}', { x: ['a'] })).toThrow(TypeError)
    expect(() => expandTemplate('{x*}', { x: 'a' })).toThrow(TypeError)
  })
})

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const segment = text.filter((value) => !/[/\\]/.test(value) && !/^\.\.?$/.test(value))
const path = text.filter((value) => !value.split(/[/\\]/).some((each) => /^\.\.?$/.test(each)))

describe('match and expand are inverses', () => {
  it.each([
    ['x://{a}', { a: segment }],
    ['x://{a}/{b}:{c}', { a: segment, b: segment, c: segment }],
    ['x://{+a}', { a: path }],
    ['x://{+a}/{b}', { a: path, b: segment }],
    ['x://{+a}{?q,r}{#f}', { a: path, q: text, r: text, f: text }],
    ['x://u{/a*}', { a: fc.array(segment, { minLength: 1, maxLength: 4 }) }],
    ['x://u{?a,b*}', { a: text, b: fc.array(text, { minLength: 1, maxLength: 4 }) }],
    ['x://{a,b}', { a: segment, b: segment }],
  ])('%s', (template, shape: Record<string, fc.Arbitrary<string | string[]>>) => {
    const compiled = parseUriTemplate(template)
    fc.assert(
      fc.property(fc.record(shape), (given) => {
        expect({ ...Object(compiled.match(expandTemplate(template, given))) }).toEqual(given)
      }),
    )
  })

  it('never throws, whatever the URI', () => {
    const compiled = parseUriTemplate('x://{a}/{+b}{?c*}{#d}')
    fc.assert(
      fc.property(fc.string(), (uri) => {
        expect(['string', 'object', 'undefined']).toContain(typeof compiled.match(`x://${uri}`))
      }),
    )
  })
})
