import { expect, test } from 'vitest'
import type { HandlerOptions } from '../../src/http/options.ts'
import { serveGet } from '../../src/http/serve-get.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memoryEvents } from '../../src/stores/memory-events.ts'
import type { SessionInit } from '../../src/stores/session-store.ts'
import { sessionParts, visitOf } from './session-parts.ts'

async function getting(options: HandlerOptions = {}, init: Partial<SessionInit> = {}) {
  const parts = sessionParts(options)
  const { id } = await parts.open(init)
  const get = async (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    serveGet(parts.sessions, visitOf(id, headers))
  return { ...parts, id, get }
}

/** What is there at once. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

test.each([
  ['application/json', 406],
  ['text/*', 200],
  ['text/event-stream', 200],
  ['text/event-stream;q=0', 406],
])('LH-14 Accept: %s is %d', async (accept, status) => {
  const { get } = await getting()
  const response = await get({ accept })
  expect(response.status).toBe(status)
  await response.body?.cancel()
})

test('a stream says at once that it is there, and whose it is', async () => {
  const { get, id } = await getting()
  const response = await get()
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('mcp-session-id')).toBe(id)
  expect(await beginning(response)).toBe(': keepalive\n\n')
})

test('a client that leaves without a word of the stream is noticed by its request', async () => {
  const { sessions, id } = await getting()
  const controller = new AbortController()
  const { request, ...visit } = visitOf(id)
  await serveGet(sessions, {
    ...visit,
    request: new Request(request, { signal: controller.signal }),
  })
  expect(sessions.connections.size).toBe(1)
  controller.abort()
  expect(sessions.connections.size).toBe(0)
})

test.each([
  ['without a store', {}],
  ['with one that does not know it', { events: memoryEvents() }],
])('an event to go on from %s is 400', async (_, options) => {
  const { get, sessions } = await getting(options)
  const response = await get({ 'last-event-id': 'made-up' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: /no such event/ } })
  expect(sessions.connections.size).toBe(0)
})

test('a stream that has ended is told to its end, and nothing is opened', async () => {
  const events = memoryEvents()
  const { get, id, sessions } = await getting({ events })
  const first = await events.append({ session: id, stream: 'x', data: '' })
  await events.append({ session: id, stream: 'x', data: '1' })
  await events.append({ session: id, stream: 'y', data: 'of another stream' })
  await events.append({ session: id, stream: 'x', data: '2', final: true })
  const response = await get({ 'last-event-id': first })
  const text = await response.text()
  expect([...text.matchAll(/data: (.*)/g)].map(([, data]) => data)).toEqual(['1', '2'])
  expect([response.headers.get('mcp-session-id'), sessions.connections.size]).toEqual([id, 0])
})

test('LH-21 a stream with a store is primed from the revision on that knows it', async () => {
  const events = memoryEvents()
  const told = async (revision: '2025-06-18' | '2025-11-25') => {
    const { get, sessions } = await getting({ events }, { revision })
    const response = await get()
    sessions.close()
    return response.text()
  }
  expect(await told('2025-11-25')).toMatch(/\nid: \S+\ndata: \n\n$/)
  expect(await told('2025-06-18')).not.toContain('id:')
})

test('a stream that cannot be prepared leaves nothing behind', async () => {
  const bus = memoryBus()
  const subscribe = () => Promise.reject(new Error('down'))
  const publish: typeof bus.publish = (event) => bus.publish(event)
  const { get, sessions, clock } = await getting({ bus: { publish, subscribe } })
  await expect(get()).rejects.toThrow('down')
  expect([sessions.connections.size, sessions.stats().sessions, clock.armed()]).toEqual([0, 0, 0])
})
