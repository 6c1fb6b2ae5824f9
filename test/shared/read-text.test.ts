import { describe, expect, test } from 'vitest'
import { countedText, readText } from '../../src/shared/read-text.ts'

const encoder = new TextEncoder()

/** A body of chunks; without a length unless one is given. */
function request(chunks: readonly Uint8Array[], length?: number): Request {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  return post(source, length === undefined ? {} : { 'content-length': String(length) })
}

/** Node asks for `duplex`, which the types of the Web do not know. */
function post(body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' }
  return new Request('http://a.example', init)
}

function bytewise(text: string): readonly Uint8Array[] {
  return Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte))
}

describe.each([
  ['a declared length', true],
  ['no length', false],
])('with %s', (_case, declared) => {
  const sized = (chunks: readonly Uint8Array[]): Request =>
    request(chunks, declared ? chunks.reduce((sum, { length }) => sum + length, 0) : undefined)

  test('SS-03 characters survive being cut apart', async () => {
    const text = 'aä世界😀\uFFFD'
    expect(await readText(sized(bytewise(text)), 100)).toEqual({ ok: true, text })
  })

  test('RPC-23 a body of exactly the bound passes, one byte more does not', async () => {
    const body = [encoder.encode('ä'.repeat(8))]
    expect(await readText(sized(body), 16)).toEqual({ ok: true, text: 'ä'.repeat(8) })
    expect(await readText(sized(body), 15)).toEqual({ ok: false, problem: 'size' })
    expect((await readText(sized(body), Infinity)).ok).toBe(true)
  })

  test('a body that is not UTF-8 is refused', async () => {
    for (const bytes of [[0xff], [0x22, 0xe4, 0x22], [0xc3], [0xed, 0xa0, 0x80]])
      expect(await readText(sized([Uint8Array.from(bytes)]), 100)).toEqual({
        ok: false,
        problem: 'encoding',
      })
  })

  test('no body is an empty text', async () => {
    expect(await readText(sized([]), 10)).toEqual({ ok: true, text: '' })
    expect(await readText(new Request('http://a.example'), 10)).toEqual({ ok: true, text: '' })
  })
})

test('RPC-23 a length that lies is measured again', async () => {
  expect(await readText(request([encoder.encode('x'.repeat(50))], 5), 10)).toEqual({
    ok: false,
    problem: 'size',
  })
})

test('a body that declares too much is not read at all', async () => {
  const declared = request([encoder.encode('x')], 1_000)
  expect(await readText(declared, 10)).toEqual({ ok: false, problem: 'size' })
  expect(declared.bodyUsed).toBe(false)
})

test('RPC-23 a body without an end is read up to the bound', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1
      controller.enqueue(new Uint8Array(1_000))
    },
  })
  const source = post(endless)
  expect(await readText(source, 10_000)).toEqual({ ok: false, problem: 'size' })
  expect(pulled).toBeLessThan(20)
})

test('a body that breaks off rejects', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new TypeError('connection lost'))
    },
  })
  const source = post(broken)
  await expect(readText(source, 10)).rejects.toThrow('connection lost')
})

test('the length of an encoded body is not believed by who only counts', async () => {
  const source = new Response('x'.repeat(50), { headers: { 'content-length': '5' } })
  expect(await countedText(source, 10)).toEqual({ ok: false, problem: 'size' })
})

test('SS-03 a mark at the start is no part of the text', async () => {
  const marked = '\uFEFFx'
  expect(await countedText(new Response(marked), 10)).toEqual({ ok: true, text: 'x' })
  const headers = { 'content-length': '4' }
  expect(await readText(new Response(marked, { headers }), 10)).toEqual({ ok: true, text: 'x' })
})
