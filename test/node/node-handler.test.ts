import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server as NetServer } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { toNodeHandler } from '../../src/node/node-handler.ts'

const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listening(server: NetServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        if ('closeAllConnections' in server) (server as Server).closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/anything/at/all`
}

const echo = async (request: Request): Promise<Response> =>
  Response.json({ method: request.method, body: await request.text() })

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

test('ED-11 node:http passes method and body, at any path', async () => {
  const url = await listening(createServer(toNodeHandler(echo)))
  const response = await post(url, '{"a":1}')
  expect(await response.json()).toEqual({ method: 'POST', body: '{"a":1}' })
})

test('ED-11 Express with a parsed body, and without', async () => {
  const app = express()
  app.use('/anything', express.json())
  app.all('/{*rest}', toNodeHandler(echo))
  const url = await listening(createServer(app))
  expect(await (await post(url, '{ "a": [1, "é"] }')).json()).toMatchObject({
    body: '{"a":[1,"é"]}',
  })
  const plain = await fetch(url, {
    method: 'POST',
    body: 'raw',
    headers: { 'content-type': 'text/x' },
  })
  expect(await plain.json()).toMatchObject({ body: 'raw' })
  expect(await (await fetch(url)).json()).toEqual({ method: 'GET', body: '' })
})

test('ED-11 Fastify hands its parsed body over', async () => {
  const app = fastify()
  const handler = toNodeHandler(echo)
  app.all('/*', (request, reply) => {
    reply.hijack()
    handler(request.raw, reply.raw, request.body)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  const url = app.listeningOrigin
  expect(await (await post(url, '{ "a": 1 }')).json()).toMatchObject({ body: '{"a":1}' })
})

test('ED-11 HTTP/2 gets an answer without connection headers', async () => {
  const server = createHttp2Server(toNodeHandler(echo))
  const url = new URL(await listening(server))
  const session = connect(url.origin)
  closers.unshift(async () => session.close())
  const stream = session.request({ ':path': '/mcp', ':method': 'POST' })
  const answered = once(stream, 'response')
  stream.end('hello')
  const [headers] = (await answered) as [Record<string, unknown>]
  stream.setEncoding('utf8')
  const body = (await Array.fromAsync(stream)).join('')
  expect(headers).toMatchObject({ ':status': 200 })
  expect(headers).not.toHaveProperty('connection')
  expect(headers).not.toHaveProperty('transfer-encoding')
  expect(JSON.parse(body)).toEqual({ method: 'POST', body: 'hello' })
})

test.each([false, true])(
  'ED-11 a client that leaves aborts the signal and cancels the stream (body parsed before: %s)',
  async (parsed) => {
    const aborted = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    const handler = toNodeHandler(async (request) => {
      request.signal.addEventListener('abort', () => aborted.resolve())
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(': hi\n\n')),
        cancel: () => cancelled.resolve(),
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    const app = express()
    if (parsed) app.use(express.json())
    app.use(handler)
    const url = await listening(createServer(app))
    const leave = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', body: '{}', headers, signal: leave.signal })
    await response.body?.getReader().read()
    leave.abort()
    await Promise.all([aborted.promise, cancelled.promise])
  },
)

test('ED-11 a client that leaves before the answer aborts the signal', async () => {
  const entered = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const handler = toNodeHandler(async (request) => {
    await request.text()
    request.signal.addEventListener('abort', () => aborted.resolve())
    entered.resolve()
    await aborted.promise
    return new Response('late')
  })
  const url = await listening(createServer(handler))
  const leave = new AbortController()
  const response = fetch(url, { method: 'POST', body: '{}', signal: leave.signal })
  await entered.promise
  leave.abort()
  await expect(response).rejects.toThrow()
  await aborted.promise
})

test('ED-11 a slow client is waited for: the stream is pulled no faster than it reads', async () => {
  let produced = 0
  const chunk = new Uint8Array(64 * 1024)
  const handler = toNodeHandler(async () => {
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      produced += chunk.length
      if (produced > 10 * 1024 * 1024) controller.close()
      else controller.enqueue(chunk)
    }
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
  })
  const url = await listening(createServer({ highWaterMark: 64 * 1024 }, handler))
  const outgoing = httpRequest(url).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  incoming.pause()
  await settled(() => produced)
  const whileSlow = produced
  let received = 0
  for await (const part of incoming) received += (part as Uint8Array).length
  expect(whileSlow).toBeLessThan(10 * 1024 * 1024)
  expect(received).toBe(10 * 1024 * 1024)
})

/** Waits until a counter has stood still for a while. */
async function settled(read: () => number): Promise<void> {
  for (let last = -1; last !== read();) {
    last = read()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}
