/** Servers that break, on sockets: each fails by name, in bounded memory, and the client goes on. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, bearerToken } from '../../src/client/index.ts'

interface Asked {
  readonly id: number
  readonly method: string
}
type Way = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void

const MEBIBYTE = 'x'.repeat(1_048_576)
const sse = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }
const answer = ({ id }: Asked, result: unknown = { ok: true }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

/** Writes without end, as fast as it is read. */
function flood(response: ServerResponse, text: string): void {
  if (response.destroyed) return
  response.write(text, () => flood(response, text))
}

let elsewhere = 0
const other = createServer((_request, response) => {
  elsewhere += 1
  response.end()
})

const ways: Readonly<Record<string, Way>> = {
  'an event without end': (response) => {
    response.writeHead(200, sse).write('data: ')
    flood(response, MEBIBYTE)
  },
  'lines without end in one event': (response) => {
    response.writeHead(200, sse)
    flood(response, `data: ${'x'.repeat(1_000)}\n`.repeat(1_000))
  },
  'a line that is no field, without end': (response) => {
    response.writeHead(200, sse)
    flood(response, MEBIBYTE)
  },
  'a body without end': (response) => {
    response.writeHead(200, json).write('{"a":"')
    flood(response, MEBIBYTE)
  },
  'an error page without end': (response) => {
    response.writeHead(500, { 'content-type': 'text/html' })
    flood(response, MEBIBYTE)
  },
  'a million levels': (response, { id }) => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${id},"result":{"a":${deep}}}`)
  },
  'a million levels in an event, then nothing': (response, { id }) => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    const text = `{"jsonrpc":"2.0","id":${id},"result":{"a":${deep}}}`
    response.writeHead(200, sse).end(`data: ${text}\n\n`)
  },
  'bytes that are no text': (response) => {
    response.writeHead(200, json).end(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
  },
  'no JSON': (response) => void response.writeHead(200, json).end('{"jsonrpc":"2.0",'),
  'an ill-typed result': (response, asked) =>
    void response.writeHead(200, json).end(answer(asked, 'text')),
  'another id': (response, asked) =>
    void response.writeHead(200, json).end(answer({ ...asked, id: asked.id + 1 })),
  'its id as a string': (response, { id }) =>
    void response
      .writeHead(200, json)
      .end(JSON.stringify({ jsonrpc: '2.0', id: String(id), result: {} })),
  'a page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'no body': (response) => void response.writeHead(200, json).end(),
  '202': (response) => void response.writeHead(202).end(),
  'a batch': (response, asked) => void response.writeHead(200, json).end(`[${answer(asked)}]`),
  'a reset': (response) => void response.destroy(),
  'a reset in the middle': (response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"json')
    setTimeout(() => response.destroy(), 5)
  },
  'a stream that closes at once': (response) => void response.writeHead(200, sse).end(),
  'a stream that closes at once, again and again': (response) =>
    void response.writeHead(200, sse).end('retry: 0\nid: 1\ndata:\n\n'),
  'a wait of a day': (response) =>
    void response.writeHead(200, sse).end('retry: 86400000\nid: 1\ndata:\n\n'),
  'another origin': (response) => {
    const { port } = other.address() as AddressInfo
    response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` }).end()
  },
  'itself, for ever': (response) => void response.writeHead(307, { location: '/mcp' }).end(),
  'a redirect to nowhere': (response) => void response.writeHead(308).end(),
  'a challenge of kilobytes': (response) =>
    void response.writeHead(401, { 'www-authenticate': `Bearer a="${'\\'.repeat(9_000)}` }).end(),
  silence: () => undefined,
}

let way: Way | undefined

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  if (request.method === 'GET' && way !== undefined)
    return way(response, { id: 0, method: '' }, request)
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const asked = JSON.parse(text) as Asked
  const serverInfo = { name: 'hostile', version: '1' }
  if (asked.method === 'initialize')
    return void response
      .writeHead(200, json)
      .end(answer(asked, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }))
  if (asked.id === undefined) return void response.writeHead(202).end()
  if (asked.method === 'ok' || way === undefined)
    return void response.writeHead(200, json).end(answer(asked))
  way(response, asked, request)
}

let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  other.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(other, 'listening')])
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  other.close()
})

describe('a server that answers with', () => {
  it.each(Object.entries(ways))('%s', async (_name, hostile) => {
    way = undefined
    const auth = bearerToken('s3cret-token')
    const client = await Client.connect(url, { name: 'c', version: '1', mode: 'legacy', auth })
    way = hostile
    const before = process.memoryUsage().rss
    const error: unknown = await client.request('acme/odd', {}, { timeoutMs: 1_000 }).then(
      () => 'an answer',
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toContain('acme/odd')
    expect(message.length).toBeLessThan(2_500)
    expect(message).not.toContain('s3cret')
    expect(process.memoryUsage().rss - before).toBeLessThan(160 * 1_048_576)
    way = undefined
    expect(await client.request('ok')).toEqual({ ok: true })
    expect(elsewhere).toBe(0)
    await client.close()
  })
})
