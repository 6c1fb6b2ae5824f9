import { describe, expect, it, vi } from 'vitest'
import {
  Client,
  HttpError,
  InvalidResponseError,
  McpError,
  MessageTooLargeError,
  StreamBrokenError,
} from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../../src/client/index.ts'
import { settle } from '../../support/clock.ts'
import { errorOf, event, json, legacyServer, modernServer, resultOf, sse } from '../fake-server.ts'
import type { Answer, FakeServer, Message, Reply } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const connect = (server: FakeServer, options: Options = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** Answers `acme/x` as told and everything else by default. */
const onCustom =
  (reply: (message: Message) => Reply | Promise<Reply>): Answer =>
  (message) =>
    message.method === 'acme/x' ? reply(message) : undefined

const okEvent = (message: Message): string =>
  event({ jsonrpc: '2.0', id: message.id, result: { ok: true } })

describe('answers', () => {
  it.each<[string, (message: Message) => Response]>([
    ['JSON', (m) => resultOf(m, { ok: true })],
    [
      'JSON with parameters',
      (m) =>
        json(
          { jsonrpc: '2.0', id: m.id, result: { ok: true } },
          { headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
        ),
    ],
    [
      'JSON with a mark',
      (m) => json(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { ok: true } })}`),
    ],
    ['a stream', (m) => sse([okEvent(m)])],
    ['a stream that stays open', (m) => sse([okEvent(m)], 'open')],
    [
      'a stream with comments, notifications and noise first',
      (m) =>
        sse([
          ': hi\n\n',
          event('{not json'),
          event({ jsonrpc: '2.0', method: 'notifications/x' }),
          event({ jsonrpc: '2.0', id: 'other', result: {} }),
          okEvent(m),
        ]),
    ],
    [
      'a stream in single bytes',
      (m) => sse([...new TextEncoder().encode(okEvent(m))].map((byte) => Uint8Array.of(byte))),
    ],
  ])('CL-11 are read from %s', async (_name, reply) => {
    for (const server of [modernServer(onCustom(reply)), legacyServer(onCustom(reply))]) {
      const client = await connect(server)
      expect(await client.request('acme/x')).toMatchObject({ ok: true })
    }
  })

  it.each<[string, (message: Message) => Response, unknown, string]>([
    ['an empty 200', () => new Response(null), InvalidResponseError, 'it is empty'],
    ['an empty JSON 200', () => json(''), InvalidResponseError, 'it is empty'],
    [
      '202',
      () => new Response(null, { status: 202 }),
      InvalidResponseError,
      'accepts it and does not answer',
    ],
    ['204', () => new Response(null, { status: 204 }), InvalidResponseError, 'does not answer'],
    [
      'HTML',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      InvalidResponseError,
      'an HTML page',
    ],
    [
      'an HTML error',
      () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
      HttpError,
      'HTTP 502: an HTML page',
    ],
    ['broken JSON', () => json('{"a":'), InvalidResponseError, 'not JSON'],
    ['deep JSON', () => json('['.repeat(2_000)), InvalidResponseError, 'nests deeper'],
    [
      'an array',
      (m) => json([{ jsonrpc: '2.0', id: m.id, result: {} }]),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'another id',
      () => json({ jsonrpc: '2.0', id: 99, result: {} }),
      InvalidResponseError,
      'it answers the id 99',
    ],
    [
      'the id as a string',
      (m) => json({ jsonrpc: '2.0', id: String(m.id), result: {} }),
      InvalidResponseError,
      'it answers the id',
    ],
    [
      'a result that is no object',
      (m) => json({ jsonrpc: '2.0', id: m.id, result: 7 }),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'result and error',
      (m) => json({ jsonrpc: '2.0', id: m.id, result: {}, error: { code: 1, message: '' } }),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'a request',
      (m) => json({ jsonrpc: '2.0', id: m.id, method: 'x' }),
      InvalidResponseError,
      'it is a request',
    ],
    ['a stream that ends at once', () => sse([]), StreamBrokenError, 'it was closed'],
    [
      'a stream that breaks',
      () => sse([': x\n\n'], 'break'),
      StreamBrokenError,
      'the network failed',
    ],
    [
      'SS-08 a stream that ends within an event',
      (m) => sse([okEvent(m).trimEnd()]),
      StreamBrokenError,
      'it was closed',
    ],
    [
      'an invalid answer on a stream',
      (m) => sse([event({ jsonrpc: '2.0', id: m.id, result: 7 })]),
      InvalidResponseError,
      'not a JSON-RPC message',
    ],
    [
      'a JSON body beyond the bound',
      () => json(JSON.stringify('x'.repeat(9_000))),
      MessageTooLargeError,
      'larger than 4096 bytes',
    ],
    [
      'an event beyond the bound',
      () => sse([`data: ${'x'.repeat(5_000)}`, 'x'.repeat(9_000)], 'open'),
      MessageTooLargeError,
      'larger than 4096 bytes',
    ],
  ])(
    'CL-15 %s fails its own call and leaves the client usable',
    async (...[, reply, kind, why]) => {
      const server = modernServer(onCustom(reply))
      const client = await connect(server, { maxMessageBytes: 4_096 })
      const error = await client.request('acme/x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(kind)
      expect(String(error)).toContain(why)
      expect(String(error)).toContain('acme/x')
      expect(await client.tools()).toEqual([])
    },
  )

  it('F164 a 192 MiB event without an end stops at the bound', async () => {
    const chunk = new Uint8Array(1 << 20).fill(0x78)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1
        if (sent > 192) controller.close()
        else controller.enqueue(sent === 1 ? new TextEncoder().encode('data: x') : chunk)
      },
    })
    const reply = (): Response =>
      new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const client = await connect(modernServer(onCustom(reply)))
    await expect(client.request('acme/x')).rejects.toThrow(MessageTooLargeError)
    expect(sent).toBeLessThan(10)
  })

  it('RPC-23 nesting a million deep is refused, not parsed', async () => {
    const client = await connect(modernServer(onCustom(() => json('['.repeat(1_000_000)))))
    await expect(client.request('acme/x')).rejects.toThrow('nests deeper than 64')
  })

  it('does not trust the length of an encoded body', async () => {
    const reply = (): Response =>
      json(`"${'x'.repeat(9_000)}"`, {
        headers: { 'content-length': '40', 'content-encoding': 'gzip' },
      })
    const client = await connect(modernServer(onCustom(reply)), { maxMessageBytes: 4_096 })
    await expect(client.request('acme/x')).rejects.toThrow(MessageTooLargeError)
  })

  it.each([400, 404, 409, 422, 500, 503])(
    'CL-10 surfaces the code and data of an error with HTTP %i',
    async (status) => {
      const reply = (m: Message): Response => errorOf(m, -32055, { status, data: { why: 1 } })
      const client = await connect(modernServer(onCustom(reply)))
      const error = await client.request('acme/x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(McpError)
      expect(error).toMatchObject({ code: -32055, data: { why: 1 } })
    },
  )

  it('CL-10 takes an error without a readable id, absent or null, as the answer', async () => {
    for (const id of [{}, { id: null }]) {
      const reply = (): Response =>
        json({ jsonrpc: '2.0', ...id, error: { code: -32700, message: 'what?' } }, { status: 400 })
      const client = await connect(modernServer(onCustom(reply)))
      await expect(client.request('acme/x')).rejects.toMatchObject({ code: -32700 })
    }
  })

  it('CL-12 sends a broken modern request again only when told to, under a new id', async () => {
    let calls = 0
    const reply = (m: Message): Response =>
      (calls += 1) === 1 ? sse([], 'break') : resultOf(m, { ok: true })
    const server = modernServer(onCustom(reply))
    const client = await connect(server)
    await expect(client.request('acme/x')).rejects.toThrow(StreamBrokenError)
    await client.request('acme/x')
    const ids = server.asked('acme/x').map(({ message }) => message?.id)
    expect(ids).toHaveLength(2)
    expect(ids[0]).not.toBe(ids[1])
    expect(server.seen.every(({ verb }) => verb === 'POST')).toBe(true)
  })

  it('CL-16 CL-13 ignores and reports a request of a modern server, and answers nothing', async () => {
    const onWarning = vi.fn<(error: Error) => void>()
    const ask = event({ jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: {} })
    const server = modernServer(onCustom((m) => sse([ask, okEvent(m)])))
    const onElicitation = vi.fn<() => { action: 'decline' }>(() => ({ action: 'decline' }))
    const client = await connect(server, { onWarning, onElicitation })
    await client.request('acme/x')
    await settle()
    expect(String(onWarning.mock.calls[0]?.[0])).toContain('elicitation/create')
    expect(onElicitation).not.toHaveBeenCalled()
    expect(server.seen.every(({ message }) => message?.method !== undefined)).toBe(true)
  })
})
