import { describe, expect, test } from 'vitest'
import { remoteJson } from '../../src/shared/remote-json.ts'
import type { FetchLike } from '../../src/shared/remote-json.ts'

const URL = 'https://as.example/metadata'

const get = (fetch: FetchLike, signal?: AbortSignal) =>
  remoteJson(URL, { fetch, maxBytes: 100, timeoutMs: 20, signal })

const answering = (response: Response) => get(async () => response)

describe('a document of somebody else', () => {
  test('is its value', async () => {
    expect(await answering(Response.json({ a: 1 }))).toEqual({ status: 200, value: { a: 1 } })
  })

  test.each([
    [
      'a refusal keeps its value',
      Response.json({ error: 'no' }, { status: 400 }),
      { status: 400, value: { error: 'no' }, problem: 'answered 400' },
    ],
    [
      'text',
      new Response('<html>'),
      { status: 200, value: undefined, problem: 'answered 200 with something that is not JSON' },
    ],
    [
      'nothing',
      new Response(null, { status: 204 }),
      { status: 204, value: undefined, problem: 'answered 204 with something that is not JSON' },
    ],
    [
      'a redirect',
      new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
      { status: 302, value: undefined, problem: 'answered with a redirect' },
    ],
    [
      'too much',
      Response.json('x'.repeat(100)),
      { status: 0, value: undefined, problem: 'answered with too much' },
    ],
  ])('%s', async (_name, response, expected) => {
    expect(await answering(response)).toEqual(expected)
  })

  test('an endless one is read to the bound and no further', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(50))
      },
    })
    expect((await answering(new Response(endless))).problem).toBe('answered with too much')
    expect(pulled).toBeLessThan(10)
  })
})

describe('a server that cannot be asked', () => {
  test('is unreachable', async () => {
    const { status, problem } = await get(() => Promise.reject(new TypeError('dns: secret')))
    expect({ status, problem }).toEqual({ status: 0, problem: 'could not be reached' })
  })

  const silent: FetchLike = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })

  test('or silent', async () => {
    expect((await get(silent)).problem).toBe('did not answer in time')
  })

  test('the caller may give up, and hears its own reason', async () => {
    const reason = new Error('gone home')
    const caller = new AbortController()
    const asked = get(silent, caller.signal)
    caller.abort(reason)
    await expect(asked).rejects.toBe(reason)
  })

  test('redirects are never followed', async () => {
    let redirect: RequestRedirect | undefined
    await get(async (_url, init) => {
      redirect = init?.redirect
      return Response.json({})
    })
    expect(redirect).toBe('manual')
  })
})
