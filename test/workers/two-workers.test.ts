import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../support/answer.ts'
import { messages } from '../support/events.ts'
import { legacy, modern } from '../support/requests.ts'
import { Rig } from './rig.ts'
import type { RunningWorker } from './rig.ts'

const HEADERS = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const getStream = (worker: RunningWorker, session: string, signal: AbortSignal) =>
  fetch(worker.url, { headers: { ...HEADERS, 'mcp-session-id': session }, signal })

/** The second Worker has no classes of its own: it binds the first's. */
describe('two Workers that share objects behave as one', () => {
  let rig: Rig
  let a: RunningWorker
  let b: RunningWorker
  beforeAll(async () => {
    rig = await Rig.start('new', { name: 'first' }, { name: 'second', scriptName: 'first' })
    const [first, second] = rig.workers
    if (first === undefined || second === undefined) throw new Error('two Workers were wanted')
    a = first
    b = second
    expect(a.url).not.toBe(b.url)
  })
  afterAll(() => rig.stop())

  test('a session that A opened is served by B, and ended there', async () => {
    const session = await a.initialize()
    expect((await b.send(legacy('ping', {}, { session }))).status).toBe(200)
    const headers = { ...HEADERS, 'mcp-session-id': session }
    expect((await fetch(b.url, { method: 'DELETE', headers })).status).toBe(204)
    expect((await a.send(legacy('ping', {}, { session }))).status).toBe(404)
  })

  test('LH-14 a call on A asks, and the answer that B receives reaches it', async () => {
    const session = await a.initialize({ capabilities: { elicitation: {} } })
    const request = legacy('tools/call', { name: 'ask', arguments: {} }, { session, id: 7 })
    let last = ''
    for await (const message of messages(await a.send(request))) {
      last = JSON.stringify(message)
      if (message['method'] !== 'elicitation/create') continue
      const result = { action: 'accept', content: { name: 'Ada' } }
      const body = { jsonrpc: '2.0', id: message['id'], result }
      expect((await b.send(legacy('x', {}, { session, body }))).status).toBe(202)
    }
    expect(last).toContain('Hello Ada')
  })

  test('a cancel that B receives stops the call on A', async () => {
    const session = await a.initialize()
    const params = { name: 'slow', arguments: {}, _meta: { progressToken: 1 } }
    const response = await a.send(legacy('tools/call', params, { session, id: 'slow' }))
    const cancel = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'slow' },
    }
    expect((await b.send(legacy('x', {}, { session, body: cancel }))).status).toBe(202)
    await Array.fromAsync(messages(response))
    expect(Number((await a.control('seen'))['aborted'])).toBe(1)
  })

  test('a call on A whose session B ends is ended', async () => {
    const session = await a.initialize()
    const params = { name: 'slow', arguments: {}, _meta: { progressToken: 1 } }
    const response = await a.send(legacy('tools/call', params, { session, id: 'slow' }))
    const headers = { ...HEADERS, 'mcp-session-id': session }
    expect((await fetch(b.url, { method: 'DELETE', headers })).status).toBe(204)
    const heard = await Array.fromAsync(messages(response))
    expect(JSON.stringify(heard.at(-1))).toMatch(/session has ended/i)
  })

  test('a publish on A reaches GET streams and listen streams on both exactly once, and nobody else', async () => {
    const stop = new AbortController()
    const streams: (readonly [string, AsyncGenerator])[] = []
    for (const worker of [a, b]) {
      for (const uri of ['counter://a', 'counter://b']) {
        const session = await a.initialize()
        await read(await b.send(legacy('resources/subscribe', { uri }, { session })))
        const get = messages(await getStream(worker, session, stop.signal))
        const params = { notifications: { resourceSubscriptions: [uri] } }
        const listened = await worker.send(
          modern('subscriptions/listen', params, { signal: stop.signal }),
        )
        const listen = messages(listened)
        await listen.next()
        streams.push([uri, get], [uri, listen])
      }
    }
    const call = modern('tools/call', { name: 'touch', arguments: { text: 'counter://a' } })
    await read(await a.send(call))
    await a.control('publish?many&from=5&uri=counter://b')
    await b.control('publish?many&from=6&uri=counter://a')
    for (const [uri, stream] of streams) {
      const first = JSON.stringify((await stream.next()).value)
      expect(first).toContain(uri)
      if (uri === 'counter://b') expect(first).toContain('"number":5')
      else expect(JSON.stringify((await stream.next()).value)).toContain('"number":6')
    }
    stop.abort()
  })

  test('LH-20 a stream that A began is taken up on B', async () => {
    const session = await a.initialize()
    const controller = new AbortController()
    const params = { name: 'steps', arguments: { text: '4' }, _meta: { progressToken: 1 } }
    const response = await a.send(
      legacy('tools/call', params, { session, signal: controller.signal }),
    )
    const text = new TextDecoder().decode((await response.body?.getReader().read())?.value)
    const [, id] = /^id: (.*)$/m.exec(text) ?? []
    controller.abort()
    const headers = { ...HEADERS, 'mcp-session-id': session, 'last-event-id': String(id) }
    const heard = await Array.fromAsync(messages(await fetch(b.url, { headers })))
    expect(JSON.stringify(heard.at(-1))).toContain('4 steps')
  })

  test('two GET streams for one session: the one on B takes over from the one on A', async () => {
    const session = await a.initialize()
    const stop = new AbortController()
    const first = messages(await getStream(a, session, stop.signal))
    const second = await getStream(b, session, stop.signal)
    expect((await first.next()).done).toBe(true)
    expect(second.status).toBe(200)
    stop.abort()
  })
})
