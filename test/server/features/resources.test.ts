import { describe, expect, test } from 'vitest'
import { ResourceNotFoundError } from '../../../src/protocol/errors.ts'
import { everything, quiet, served } from '../../http/served.ts'
import { legacy, listOf, modern } from '../../support/index.ts'

function reading(uri: unknown) {
  return { modern: modern('resources/read', { uri }), legacy: legacy('resources/read', { uri }) }
}

describe('reading', () => {
  test('every form of return becomes contents', async () => {
    const { server } = quiet()
    const forms: readonly (readonly [unknown, readonly object[]])[] = [
      ['text', [{ text: 'text' }]],
      ['', [{ text: '' }]],
      [new Uint8Array([0, 255, 128]), [{ blob: 'AP+A' }]],
      [
        { text: 'x', mimeType: 'text/html', uri: 'b://c' },
        [{ text: 'x', mimeType: 'text/html', uri: 'b://c' }],
      ],
      [{ blob: new Uint8Array([1]), _meta: { a: 1 } }, [{ blob: 'AQ==', _meta: { a: 1 } }]],
      [
        [{ text: 'a' }, { blob: 'AQ==' }],
        [{ text: 'a' }, { blob: 'AQ==' }],
      ],
      [{ contents: 'x', ttlMs: 5, cacheScope: 'public' }, [{ text: 'x' }]],
      [{ text: 'x', uri: undefined, mimeType: undefined, secret: 's' }, [{ text: 'x' }]],
    ]
    const { ask } = served(server)
    for (const [index, [returned, contents]] of forms.entries()) {
      const uri = `form://${index}`
      server.resource(uri, { name: 'form', mimeType: 'text/x' }, (() => returned) as never)
      const { result } = await ask(reading(uri).modern)
      expect(result?.['contents']).toEqual(
        contents.map((entry) => ({ uri, mimeType: 'text/x', ...entry })),
      )
    }
  })

  test('FT-22 bytes come back as they were', async () => {
    const { server } = quiet()
    const bytes = Uint8Array.from({ length: 200_000 }, (_value, index) => (index * 7) % 256)
    server.resource('big://x', { name: 'big' }, () => bytes)
    const [contents] = listOf(await served(server).ask(reading('big://x').modern), 'contents')
    expect(Buffer.from(String(contents?.['blob']), 'base64').equals(bytes)).toBe(true)
  })

  test.each([
    5,
    true,
    {},
    { text: 5 },
    [{ nothing: 1 }],
    { contents: 'x', ttlMs: -1 },
    { contents: 'x', cacheScope: 'all' },
  ])('a return of %j is our mistake, masked and reported', async (returned) => {
    const { server, reported } = quiet()
    server.resource('a://b', { name: 'a' }, (() => returned) as never)
    const { error } = await served(server).ask(reading('a://b').modern)
    expect(error).toEqual({ code: -32603, message: 'Internal error' })
    expect(reported[0]?.error).toBeInstanceOf(TypeError)
  })

  test('a reader gets the uri and the context; a template its variables too', async () => {
    const { server } = quiet()
    const seen: unknown[] = []
    server.resource('a://b', { name: 'a' }, (uri, ctx) => {
      seen.push(uri, ctx.era)
      return 'x'
    })
    server.resourceTemplate('t://{id}/x', { name: 't' }, ({ id }, ctx, uri) => {
      seen.push(id, ctx.era, uri)
      return 'x'
    })
    const { ask } = served(server)
    await ask(reading('a://b').legacy)
    await ask(reading('t://a%20b/x').modern)
    expect(seen).toEqual(['a://b', 'legacy', 'a b', 'modern', 't://a%20b/x'])
  })
})

describe('what is not there', () => {
  test.each(['test://none', 'users://a/b'])(
    'FT-19 FT-20 TL-12 %s is -32602 on the modern wire, -32002 before, with the uri',
    async (uri) => {
      const { ask } = served(everything())
      const now = await ask(reading(uri).modern)
      expect([now.status, now.error]).toEqual([
        200,
        { code: -32602, message: `Resource not found: ${uri}`, data: { uri } },
      ])
      expect((await ask(reading(uri).legacy)).error).toMatchObject({ code: -32002, data: { uri } })
    },
  )

  test.each(['not a uri', '', 5, undefined, null, 'x'.repeat(9_000)])(
    'TL-12 the uri %j is -32602 in both eras',
    async (uri) => {
      const { ask } = served(everything())
      for (const request of Object.values(reading(uri))) {
        expect((await ask(request)).error?.['code']).toBe(-32602)
      }
    },
  )

  test('FT-20 a reader that finds nothing, or throws so, is not found; contents are never empty', async () => {
    const { server } = quiet()
    const nothing: readonly unknown[] = [undefined, null, [], { contents: [] }]
    const { ask } = served(server)
    for (const [index, returned] of nothing.entries()) {
      const uri = `none://${index}`
      server.resource(uri, { name: 'none' }, (() => returned) as never)
      expect((await ask(reading(uri).modern)).error).toMatchObject({ code: -32602, data: { uri } })
    }
    server.readResource((uri) => {
      throw new ResourceNotFoundError(uri)
    })
    expect((await ask(reading('else://where').legacy)).error?.['code']).toBe(-32002)
  })

  test('the fallback reads what is listed without a reader, with its media type', async () => {
    const { server } = quiet()
    server.resource('later://x', { name: 'later', mimeType: 'text/x' })
    const { ask } = served(server)
    expect((await ask(reading('later://x').modern)).error?.['code']).toBe(-32602)
    server.readResource((uri) => `read ${uri}`)
    expect((await ask(reading('later://x').modern)).result?.['contents']).toEqual([
      { uri: 'later://x', mimeType: 'text/x', text: 'read later://x' },
    ])
    expect((await ask(reading('any://y').modern)).result?.['contents']).toEqual([
      { uri: 'any://y', text: 'read any://y' },
    ])
    expect(() => server.readResource(() => 'again')).toThrow(/readResource/)
  })

  test('FT-21 a template matches one segment, decodes once and refuses bad encoding', async () => {
    const { server } = quiet()
    server.resourceTemplate('file://{name}', { name: 'file' }, ({ name }) => name)
    const { ask } = served(server)
    const text = async (uri: string) => {
      const { result, error } = await ask(reading(uri).modern)
      return (
        (result?.['contents'] as readonly [{ text: string }] | undefined)?.[0].text ??
        error?.['code']
      )
    }
    expect(await text('file://a%2520b')).toBe('a%20b')
    expect(await text('file://..%2fetc')).toBe(-32602)
    expect(await text('file://a/b')).toBe(-32602)
    expect(await text('file://%zz')).toBe(-32602)
  })
})

describe('lists', () => {
  test('entries say everything their definitions said', async () => {
    const { server } = quiet()
    const common = {
      title: 'T',
      description: 'D',
      mimeType: 'text/x',
      annotations: { priority: 1 },
      meta: { a: 1 },
    }
    server.resource('a://b', { name: 'r', size: 12, ...common }, () => 'x')
    server.resourceTemplate('t://{id}', { name: 't', ...common }, () => 'x')
    const listed = {
      title: 'T',
      description: 'D',
      mimeType: 'text/x',
      annotations: { priority: 1 },
      _meta: { a: 1 },
    }
    const { ask } = served(server)
    expect((await ask(modern('resources/list'))).result?.['resources']).toEqual([
      { uri: 'a://b', name: 'r', size: 12, ...listed },
    ])
    expect((await ask(modern('resources/templates/list'))).result?.['resourceTemplates']).toEqual([
      { uriTemplate: 't://{id}', name: 't', ...listed },
    ])
  })

  test('mistakes are TypeErrors where the definition stands', () => {
    const { server } = quiet()
    const wrong: readonly (readonly [() => void, RegExp])[] = [
      [() => server.resource('no uri', { name: 'x' }), /no uri/],
      [() => server.resource('a://b', { name: '' }), /name of a resource/],
      [() => server.resource('a://b', { name: 'x' }, 5 as never), /handler/],
      [() => server.resourceTemplate('t://{', { name: 'x' }, () => 'x'), /t:\/\/\{/],
      [() => server.resourceTemplate('t://{id}', { name: 'x' }, undefined as never), /handler/],
      [
        () =>
          server.resourceTemplate(
            't://{id}',
            { name: 'x', complete: { other: () => [] } },
            () => 'x',
          ),
        /other/,
      ],
    ]
    for (const [define, message] of wrong) {
      expect(define).toThrow(TypeError)
      expect(define).toThrow(message)
    }
    server.resource('a://b', { name: 'x' })
    expect(() => server.resource('a://b', { name: 'x' })).toThrow(/already defined/)
  })
})
