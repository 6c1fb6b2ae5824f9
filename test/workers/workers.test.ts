import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../support/answer.ts'
import { messages } from '../support/events.ts'
import { legacy, modern } from '../support/requests.ts'
import { Rig, until } from './rig.ts'
import type { RunningWorker } from './rig.ts'

const textOf = (answer: { readonly result?: unknown }): string =>
  JSON.stringify(answer.result ?? answer)

const hubOf = async (worker: RunningWorker): Promise<number> => {
  let sockets = 0
  for (let shard = 0; shard < 4; shard += 1) {
    sockets += Number((await worker.control(`hub?name=hub/${shard}of4`))['sockets'])
  }
  return sockets
}

const listen = (worker: RunningWorker, uri = 'counter://a', signal?: AbortSignal) =>
  worker.send(
    modern(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true, resourceSubscriptions: [uri] } },
      { signal },
    ),
  )

describe.each(['new', 'old'] as const)('workers() in the %s workerd', (runtime) => {
  let rig: Rig
  let worker: RunningWorker
  beforeAll(async () => {
    rig = await Rig.start(runtime, {})
    worker = rig.worker
  })
  afterAll(() => rig.stop())

  test('a modern call, with ctx.env', async () => {
    const answer = await read(
      await worker.send(modern('tools/call', { name: 'env', arguments: {} })),
    )
    expect(textOf(answer)).toContain('hello')
  })

  test('a session is opened, used, and ended; afterwards not a row is left', async () => {
    const session = await worker.initialize()
    const call = () =>
      worker.send(legacy('tools/call', { name: 'echo', arguments: { text: 'x' } }, { session }))
    expect(textOf(await read(await call()))).toContain('"x"')
    const before = await worker.control(`session?name=${session}`)
    expect(Object.keys(Object(before['rows']))).toContain('meta')
    const gone = await fetch(worker.url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    })
    expect(gone.status).toBe(204)
    expect((await call()).status).toBe(404)
    const after = await worker.control(`session?name=${session}`)
    expect([after['rows'], after['alarm']]).toEqual([{}, null])
  })

  test('a question is answered by another request', async () => {
    const session = await worker.initialize({ capabilities: { elicitation: {} } })
    const response = await worker.send(
      legacy('tools/call', { name: 'ask', arguments: {} }, { session, id: 7 }),
    )
    const heard: string[] = []
    for await (const message of messages(response)) {
      heard.push(JSON.stringify(message))
      if (message['method'] !== 'elicitation/create') continue
      const result = { action: 'accept', content: { name: 'Ada' } }
      const body = { jsonrpc: '2.0', id: message['id'], result }
      const answered = await worker.send(legacy('x', {}, { session, body }))
      expect(answered.status).toBe(202)
    }
    expect(heard.at(-1)).toContain('Hello Ada')
  })

  test('a modern question is asked in rounds, sealed with the secret', async () => {
    const overrides = { capabilities: { elicitation: { form: {} } } }
    const first = await read(
      await worker.send(modern('tools/call', { name: 'ask', arguments: {} }, overrides)),
    )
    const { inputRequests, requestState } = Object(first.result)
    const [key] = Object.keys(Object(inputRequests))
    const inputResponses = { [key ?? '']: { action: 'accept', content: { name: 'Ada' } } }
    const params = { name: 'ask', arguments: {}, inputResponses, requestState }
    expect(
      textOf(await read(await worker.send(modern('tools/call', params, overrides)))),
    ).toContain('Hello Ada')
  })

  test('a cancellation in another request stops the call', async () => {
    const session = await worker.initialize()
    const before = Number((await worker.control('seen'))['aborted'])
    const request = legacy(
      'tools/call',
      { name: 'slow', arguments: {}, _meta: { progressToken: 1 } },
      { session, id: 'slow' },
    )
    const response = await worker.send(request)
    const body = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'slow' },
    }
    expect((await worker.send(legacy('x', {}, { session, body }))).status).toBe(202)
    const heard = await Array.fromAsync(messages(response))
    expect(heard.every((message) => 'method' in message)).toBe(true)
    expect(Number((await worker.control('seen'))['aborted'])).toBe(before + 1)
  })

  test('SB-01 what one request publishes, the listen streams and GET streams of others hear once and in order', async () => {
    const session = await worker.initialize()
    await read(
      await worker.send(legacy('resources/subscribe', { uri: 'counter://a' }, { session })),
    )
    const get = await fetch(worker.url, {
      headers: {
        accept: 'text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
      },
    })
    const other = await listen(worker, 'counter://b')
    const stream = await listen(worker)
    const [old, late, foreign] = [messages(get), messages(stream), messages(other)]
    expect(JSON.stringify((await late.next()).value)).toContain('acknowledged')
    await foreign.next()
    for (const name of ['touch', 'touch-and-go'])
      await read(await worker.send(modern('tools/call', { name, arguments: {} })))
    await worker.control('publish?count=3&many')
    for (const generator of [old, late]) {
      const heard: unknown[] = []
      for (let count = 0; count < 5; count += 1) {
        const { value } = await generator.next()
        heard.push(Object(Object(value)['params'])['number'])
      }
      expect(heard).toEqual([undefined, undefined, 0, 1, 2])
    }
    await worker.control('publish?uri=counter://b')
    expect(JSON.stringify((await foreign.next()).value)).toContain('counter://b')
    await Promise.all([old.return(), late.return(), foreign.return()])
    await until('the hub has no sockets', async () => (await hubOf(worker)) === 0)
  })

  test('ED-08 a client that leaves frees the hub within a keepalive tick', async () => {
    const controller = new AbortController()
    const stream = messages(await listen(worker, 'counter://a', controller.signal))
    await stream.next()
    expect(await hubOf(worker)).toBeGreaterThan(0)
    controller.abort()
    await stream.next().catch(() => undefined)
    await until('the hub has no sockets', async () => (await hubOf(worker)) === 0, 2_500)
  })

  test('a client that leaves a modern call aborts its tool', async () => {
    const { aborted } = await worker.control('seen')
    const controller = new AbortController()
    const params = { name: 'slow', arguments: {}, _meta: { progressToken: 1 } }
    const request = modern('tools/call', params, {
      meta: { progressToken: 1 },
      signal: controller.signal,
    })
    const stream = messages(await worker.send(request))
    await stream.next()
    controller.abort()
    await stream.next().catch(() => undefined)
    await until(
      'the tool was aborted',
      async () => Number((await worker.control('seen'))['aborted']) > Number(aborted),
      3_000,
    )
  })

  test('ED-03 ED-04 streams whose clients left: nothing is rejected unseen, nothing keeps the platform waiting', async () => {
    const session = await worker.initialize()
    const params = { name: 'steps', arguments: { text: '6' }, _meta: { progressToken: 1 } }
    for (const request of [
      modern('tools/call', params, { meta: { progressToken: 1 } }),
      legacy('tools/call', params, { session }),
    ]) {
      const controller = new AbortController()
      const response = await worker.send(new Request(request, { signal: controller.signal }))
      await response.body?.getReader().read()
      controller.abort()
    }
    const controller = new AbortController()
    const stream = messages(await listen(worker, 'counter://a', controller.signal))
    await stream.next()
    await until('nothing waits', async () => (await worker.control('seen'))['waiting'] === 0)
    controller.abort()
    await stream.next().catch(() => undefined)
    await until('the hub has no sockets', async () => (await hubOf(worker)) === 0)
    await until('nothing waits', async () => (await worker.control('seen'))['waiting'] === 0)
    expect((await worker.control('seen'))['errors']).toEqual([])
  })

  test('ED-10 statuses without a body have none, and no media type', async () => {
    const session = await worker.initialize()
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    const origin = new URL(worker.url).origin
    for (const init of [
      { method: 'DELETE', headers },
      { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } },
      { method: 'HEAD' },
    ]) {
      const response = await fetch(worker.url, init)
      expect([init.method, response.headers.get('content-type'), await response.text()]).toEqual([
        init.method,
        null,
        '',
      ])
    }
  })

  test('a call that outlives its connection is taken up again, and its answer is there', async () => {
    const session = await worker.initialize()
    const controller = new AbortController()
    const request = legacy(
      'tools/call',
      { name: 'steps', arguments: { text: '4' }, _meta: { progressToken: 1 } },
      { session, signal: controller.signal },
    )
    const response = await worker.send(request)
    const text = new TextDecoder().decode((await response.body?.getReader().read())?.value)
    const [, id] = /^id: (.*)$/m.exec(text) ?? []
    controller.abort()
    const headers = {
      accept: 'text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
      'last-event-id': String(id),
    }
    const heard = await Array.fromAsync(messages(await fetch(worker.url, { headers })))
    expect(JSON.stringify(heard.at(-1))).toContain('4 steps')
    expect(heard.map((message) => Object(message['params'])['progress'] ?? 'end')).toEqual([
      1,
      2,
      3,
      4,
      'end',
    ])
  })
})
