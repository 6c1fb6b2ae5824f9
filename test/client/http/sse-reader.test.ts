import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readEvents } from '../../../src/client/http/sse-reader.ts'

interface Got {
  data: string[]
  ids: string[]
  retries: number[]
}

async function read(chunks: readonly Uint8Array[], maxBytes = 1_000): Promise<Got> {
  const got: Got = { data: [], ids: [], retries: [] }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const resumption = {
    event: (id?: string) => void (id === undefined || got.ids.push(id)),
    retry: (ms: number) => void got.retries.push(ms),
  }
  const message = (data: string): boolean => got.data.push(data) < 0
  const { signal } = new AbortController()
  await readEvents(body, { name: 'acme/x', maxBytes, signal, resumption, message })
  return got
}

const plain = {
  name: 'acme/x',
  maxBytes: 99,
  signal: new AbortController().signal,
  resumption: { event: () => undefined, retry: () => undefined },
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The bytes, cut into pieces of the given sizes, over and over. */
function cut(all: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0, turn = 0; at < all.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(all.slice(at, at + size))
    at += size
  }
  return pieces
}

const MIXED =
  'event:message\r\ndata:{"a":1}\r\n\r: comment\r\ndata: é漢😀\r\r: x\nid\nid: 7\ndata\n\nretry: 3000x\nretry: 250\nunknown: y\ndata: one\ndata: two\n\nevent: other\ndata: z\n\n'

describe('readEvents', () => {
  it('LH-26 SS-03 SS-04 gives the same events wherever the bytes are cut', async () => {
    const whole = await read([bytes(MIXED)])
    expect(whole).toEqual({
      data: ['{"a":1}', 'é漢😀', 'one\ntwo'],
      ids: ['7'],
      retries: [250],
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        async (sizes) => {
          expect(await read(cut(bytes(MIXED), sizes))).toEqual(whole)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('SS-02 drops one mark at the start, however it is split, and none later', async () => {
    const marked = bytes('\uFEFFdata: a\n\ndata: \uFEFFb\n\n')
    for (const size of [1, 2, 3, 99]) {
      const chunks = [new Uint8Array(), ...cut(marked, [size])]
      expect((await read(chunks)).data).toEqual(['a', '\uFEFFb'])
    }
  })

  it('LH-26 hears an event that ends with CR without waiting for the next', async () => {
    const heard = vi.fn<(data: string) => boolean>(() => true)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('data: a\r\r')),
    })
    await readEvents(body, { ...plain, message: heard })
    expect(heard).toHaveBeenCalledWith('a')
  })

  it('SS-09 takes events without a type and ignores those of another', async () => {
    expect(
      (await read([bytes('data: a\n\nevent: ping\ndata: b\n\nevent: message\ndata: c\n\n')])).data,
    ).toEqual(['a', 'c'])
  })

  it('LH-25 keeps events without data from whoever parses, and their ids', async () => {
    expect(await read([bytes('id: 1\ndata:\n\nid: 2\ndata: x\n\n')])).toEqual({
      data: ['x'],
      ids: ['1', '2'],
      retries: [],
    })
  })

  it('SS-08 does not dispatch what has no end', async () => {
    expect((await read([bytes('data: {"jsonrpc":"2.0"}')])).data).toEqual([])
  })

  it('F164 stops at an event beyond the bound, in one piece or in many', async () => {
    const huge = bytes(`data: ${'x'.repeat(2_000)}\n\n`)
    await expect(read([huge])).rejects.toThrow('larger than')
    await expect(read(cut(huge, [100]))).rejects.toThrow('larger than')
    await expect(read(cut(bytes('data: xxxxxxxxx\n'.repeat(500)), [64]))).rejects.toThrow(
      'larger than',
    )
  })

  it('cancels the body when the sink has enough, and when the signal fires', async () => {
    const cancelled = vi.fn<(reason: unknown) => void>()
    const open = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => controller.enqueue(bytes('data: a\n\n')),
        cancel: cancelled,
      })
    await readEvents(open(), { ...plain, message: () => true })
    expect(cancelled).toHaveBeenCalledTimes(1)
    const controller = new AbortController()
    const { signal } = controller
    const reading = readEvents(open(), { ...plain, signal, message: () => false })
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(cancelled).toHaveBeenCalledTimes(2)
  })

  it('waits for no body that does not end when it is told to', async () => {
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('data: a\n\n')),
      cancel: () => new Promise(() => undefined),
    })
    await readEvents(endless, { ...plain, message: () => true })
  })
})
