import { describe, expect, it, vi } from 'vitest'
import { discard, readText } from '../../../src/client/http/read-text.ts'

const streamed = (
  chunks: Uint8Array[],
  headers: HeadersInit = {},
  cancel = (): void => undefined,
): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const chunk = chunks.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(chunk)
      },
      cancel,
    }),
    { headers },
  )

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('readText', () => {
  it('SS-03 reads characters that are cut, and drops a mark at the start', async () => {
    const all = bytes('\uFEFFé漢😀')
    const chunks = [...all].map((byte) => Uint8Array.of(byte))
    expect(await readText(streamed(chunks), 100)).toBe('é漢😀')
    const declared = new Response('\uFEFFx', { headers: { 'content-length': '4' } })
    expect(await readText(declared, 100)).toBe('x')
  })

  it('stops at the bound, whatever length is declared', async () => {
    const cancelled = vi.fn<() => void>()
    const chunks = Array.from({ length: 50 }, () => bytes('x'.repeat(10)))
    expect(await readText(streamed(chunks, {}, cancelled), 25)).toBeUndefined()
    expect(cancelled).toHaveBeenCalledTimes(1)
    const tooLong = new Response('x', { headers: { 'content-length': '26' } })
    expect(await readText(tooLong, 25)).toBeUndefined()
    const lying = new Response('x'.repeat(30), { headers: { 'content-length': '5' } })
    expect(await readText(lying, 25)).toBeUndefined()
    expect(await readText(new Response(null), 25)).toBe('')
  })

  it('lets go of a body', async () => {
    const cancelled = vi.fn<() => void>()
    await discard(streamed([bytes('x')], {}, cancelled))
    await discard(new Response(null))
    expect(cancelled).toHaveBeenCalledTimes(1)
  })
})
