import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../support/answer.ts'
import { messages } from '../support/events.ts'
import { legacy, modern } from '../support/requests.ts'
import { Rig, until } from './rig.ts'
import type { RunningWorker } from './rig.ts'

const LEGACY_HEADERS = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const listen = (worker: RunningWorker, uris: readonly string[], signal?: AbortSignal) =>
  worker.send(
    modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, { signal }),
  )

/** The hub that has the topic of `counter://a`. */
async function hubOf(worker: RunningWorker): Promise<string> {
  for (let shard = 0; shard < 4; shard += 1) {
    const { sockets } = await worker.control(`hub?name=hub/${shard}of4`)
    if (Number(sockets) > 0) return `hub/${shard}of4`
  }
  throw new Error('no hub has a socket')
}

const numbersIn = (message: unknown): unknown => Object(Object(message)['params'])['number']

describe('faults', () => {
  let rig: Rig
  let worker: RunningWorker
  beforeAll(async () => {
    rig = await Rig.start('new', {})
    worker = rig.worker
  })
  afterAll(() => rig.stop())

  test('a hub that is reset between and during publishes: each listener hears each number once and in order', async () => {
    const controller = new AbortController()
    const streams = await Promise.all(
      [1, 2, 3].map(async () => messages(await listen(worker, ['counter://a'], controller.signal))),
    )
    await Promise.all(streams.map((stream) => stream.next()))
    const hub = await hubOf(worker)
    await worker.control('publish?many')
    await worker.control(`hub?name=${hub}&do=abort`).catch(() => undefined)
    await Promise.all([1, 2, 3].map((from) => worker.control(`publish?many&from=${from}`)))
    for (const stream of streams) {
      const heard: unknown[] = []
      for (let count = 0; count < 4; count += 1) heard.push(numbersIn((await stream.next()).value))
      expect(heard[0]).toBe(0)
      expect(new Set(heard)).toEqual(new Set([0, 1, 2, 3]))
    }
    controller.abort()
  })

  test('what the ring no longer holds is told as "changed", for the whole filter', async () => {
    const controller = new AbortController()
    const stream = messages(await listen(worker, ['counter://a'], controller.signal))
    await stream.next()
    const hub = await hubOf(worker)
    await worker.control(`publish?many&count=1500&reset=${hub}`)
    let heard: unknown = 0
    while (heard !== undefined) heard = numbersIn((await stream.next()).value)
    await worker.control('publish?many&from=7000')
    while (heard !== 7_000) heard = numbersIn((await stream.next()).value)
    controller.abort()
  })

  test('a session object that is reset while a question waits: the answer arrives all the same', async () => {
    const session = await worker.initialize({ capabilities: { elicitation: {} } })
    const response = await worker.send(
      legacy('tools/call', { name: 'ask', arguments: {} }, { session, id: 7 }),
    )
    let last = ''
    for await (const message of messages(response)) {
      last = JSON.stringify(message)
      if (message['method'] !== 'elicitation/create') continue
      await worker.control(`session?name=${session}&do=abort`).catch(() => undefined)
      const result = { action: 'accept', content: { name: 'Ada' } }
      const body = { jsonrpc: '2.0', id: message['id'], result }
      expect((await worker.send(legacy('x', {}, { session, body }))).status).toBe(202)
    }
    expect(last).toContain('Hello Ada')
  })

  test('abandoned sessions leave not a row after their alarm', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => worker.initialize()))
    const before = await worker.control(`session?name=${sessions[0]}`)
    expect(Number(before['alarm'])).toBeGreaterThan(Date.now())
    await worker.control('advance?ms=1800001')
    for (const session of sessions) {
      await worker.control(`session?name=${session}&do=alarm`)
      const { rows, alarm } = await worker.control(`session?name=${session}`)
      expect([rows, alarm]).toEqual([{}, null])
      expect((await worker.send(legacy('ping', {}, { session }))).status).toBe(404)
    }
    const { rows } = await worker.control(`session?name=${sessions[0]}`)
    expect(rows).toEqual({})
    await worker.control('advance?ms=-1800001')
  })

  test('made-up, changed and ended ids are 404 and touch no object', async () => {
    const session = await worker.initialize()
    const ids = [
      `${session.slice(0, -1)}x`,
      `${session}x`,
      'v1.x',
      '__proto__',
      crypto.randomUUID(),
    ]
    const forged = Array.from({ length: 100 }, () => session.replace(/^(v1\.[\w-]{6}\.)./, '$1_'))
    const { touched } = await worker.control('seen')
    for (const id of [...ids, ...forged.filter((other) => other !== session)])
      expect((await worker.send(legacy('ping', {}, { session: id }))).status).toBe(404)
    expect((await worker.control('seen'))['touched']).toBe(touched)
  })
})

test('a Worker that dies during a call: whoever comes back for the answer gets an error', async () => {
  const persist = mkdtempSync(join(tmpdir(), 'mcp-edge-'))
  const rig = await Rig.start('new', { persist })
  const session = await rig.worker.initialize()
  const params = { name: 'slow', arguments: {}, _meta: { progressToken: 1 } }
  const response = await rig.worker.send(legacy('tools/call', params, { session, id: 'owed' }))
  const reader = response.body?.getReader()
  const text = new TextDecoder().decode((await reader?.read())?.value)
  const [, id] = /^id: (.*)$/m.exec(text) ?? []
  reader?.cancel().catch(() => undefined)
  await rig.stop()
  const again = await Rig.start('new', { persist })
  try {
    const { worker } = again
    const headers = { ...LEGACY_HEADERS, 'mcp-session-id': session, 'last-event-id': String(id) }
    const resumed = await fetch(worker.url, { headers })
    expect(resumed.status).toBe(200)
    await worker.control('advance?ms=10001')
    await worker.control(`session?name=${session}&do=alarm`)
    const heard = await Array.fromAsync(messages(resumed))
    expect(heard.at(-1)).toMatchObject({ id: 'owed', error: { code: -32603 } })
  } finally {
    await again.stop()
    rmSync(persist, { recursive: true, force: true })
  }
})

test('a real alarm ends an abandoned session, and principals are kept apart and counted', async () => {
  const rig = await Rig.start('new', { vars: { IDLE_MS: '1500', AUTH: '1' } })
  try {
    const { worker } = rig
    const as = (authorization: string) => ({ headers: { authorization } })
    const sessions = [await worker.initialize(as('ada')), await worker.initialize(as('ada'))]
    await worker.initialize(as('ada'))
    await expect(worker.initialize(as('ada'))).rejects.toThrow(/503/)
    const [session = ''] = sessions
    const { touched } = await worker.control('seen')
    for (const who of [as('bob'), {}])
      expect((await worker.send(legacy('ping', {}, { session, ...who }))).status).toBe(404)
    expect((await worker.control('seen'))['touched']).toBe(touched)
    expect((await worker.send(legacy('ping', {}, { session, ...as('ada') }))).status).toBe(200)
    for (const id of sessions) {
      await until('the rows are gone', async () => {
        const { rows } = await worker.control(`session?name=${id}`)
        return Object.keys(Object(rows)).length === 0
      })
    }
    await worker.initialize(as('ada'))
  } finally {
    await rig.stop()
  }
})

describe('what is not bound', () => {
  const withRig = async (
    spec: Parameters<typeof Rig.start>[1],
    run: (worker: RunningWorker) => Promise<void>,
  ) => {
    const rig = await Rig.start('new', spec)
    try {
      await run(rig.worker)
    } finally {
      await rig.stop()
    }
  }
  const errorsOf = async (worker: RunningWorker) =>
    JSON.stringify((await worker.control('seen'))['errors'])

  test('without anything: stateless; listening and questions are refused, and the author is told why', () =>
    withRig({ objects: false, vars: { MCP_STATE_KEYS: '' }, flags: [] }, async (worker) => {
      const hello = await worker.send(legacy('initialize'))
      expect([hello.status, hello.headers.get('mcp-session-id')]).toEqual([200, null])
      const refused = await read(await listen(worker, ['counter://a']))
      expect([refused.status, refused.error?.['code']]).toEqual([404, -32601])
      const { result } = await read(await worker.send(modern('server/discover')))
      expect(JSON.stringify(result)).not.toMatch(/subscribe|listChanged":true/)
      const overrides = { capabilities: { elicitation: { form: {} } } }
      const asked = await read(
        await worker.send(modern('tools/call', { name: 'ask', arguments: {} }, overrides)),
      )
      expect(JSON.stringify(asked.response)).toMatch(/Internal error/)
      expect(JSON.stringify(asked.response)).not.toMatch(/requestState/)
      const errors = await errorsOf(worker)
      expect(errors).toMatch(/requestState\.keys.*wrangler secret put MCP_STATE_KEYS/)
      expect(errors.match(/enable_request_signal is missing/g)).toHaveLength(1)
    }))

  test('with the secret alone: sessions in their ids, and clear refusals', () =>
    withRig({ objects: false }, async (worker) => {
      const session = await worker.initialize({ capabilities: { elicitation: {} } })
      expect(session).toMatch(/^s1\./)
      const ok = await read(
        await worker.send(
          legacy('tools/call', { name: 'echo', arguments: { text: 'x' } }, { session }),
        ),
      )
      expect(JSON.stringify(ok.result)).toContain('"x"')
      const refused = await read(
        await worker.send(legacy('tools/call', { name: 'ask', arguments: {} }, { session })),
      )
      expect(refused.error ?? refused.result).toBeDefined()
      expect(JSON.stringify(refused.messages)).not.toContain('Hello')
      const headers = { ...LEGACY_HEADERS, 'mcp-session-id': session }
      expect((await fetch(worker.url, { headers })).status).toBe(405)
      expect((await fetch(worker.url, { method: 'DELETE', headers })).status).toBe(405)
      expect((await worker.send(legacy('ping', {}, { session: `${session}x` }))).status).toBe(404)
    }))

  test('a binding that is named and not there is named in the error, with the lines to add', () =>
    withRig({ vars: { MODE: 'named' } }, async (worker) => {
      const answer = await read(await worker.send(modern('tools/list')))
      expect([answer.status, answer.error?.['message']]).toEqual([500, 'Internal error'])
      expect(await errorsOf(worker)).toMatch(/'MY_SESSIONS' is not bound.*new_sqlite_classes/)
    }))

  test('a store in memory is refused', () =>
    withRig({ vars: { MODE: 'memory' } }, async (worker) => {
      expect((await worker.send(modern('tools/list'))).status).toBe(500)
      expect(await errorsOf(worker)).toMatch(/option 'sessions': a store in memory/)
    }))

  test('sessions and changes in KV alone', () =>
    withRig({ objects: false, kv: true, vars: { MODE: 'kv' } }, async (worker) => {
      const session = await worker.initialize()
      expect((await worker.send(legacy('ping', {}, { session }))).status).toBe(200)
      const controller = new AbortController()
      const stream = messages(await listen(worker, ['counter://a'], controller.signal))
      await stream.next()
      await read(await worker.send(modern('tools/call', { name: 'touch', arguments: {} })))
      expect(JSON.stringify((await stream.next()).value)).toContain('counter://a')
      controller.abort()
      const headers = { ...LEGACY_HEADERS, 'mcp-session-id': session }
      expect((await fetch(worker.url, { method: 'DELETE', headers })).status).toBe(204)
      expect((await worker.send(legacy('ping', {}, { session }))).status).toBe(404)
    }))
})
