/**
 * The stateful legacy wire: how sessions begin, what belongs to them, and how they end (WIRE C).
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AuthInfo } from '../../src/protocol/auth-info.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import { ENDPOINT, fakeClock, legacy, modern, read, settle } from '../support/index.ts'
import { everything, gate, quiet } from './served.ts'
import { Reader, rig } from './session-rig.ts'

const FORM = { elicitation: {} }

describe('initialize', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'LC-01 LC-04 %s is echoed, and a session comes with it',
    async (revision) => {
      const { handler } = rig(everything())
      const answer = await read(await handler(legacy('initialize', {}, { revision })))
      expect(answer.result?.['protocolVersion']).toBe(revision)
      expect(answer.result).toMatchObject({ serverInfo: { name: 'test-server' } })
      expect(answer.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{16,}$/)
    },
  )

  test.each(['1.0.0', '2026-07-28', ''])(
    'LC-02 LC-03 %j is answered with the newest handshake revision, as a result',
    async (protocolVersion) => {
      const { handler } = rig(everything())
      const answer = await read(await handler(legacy('initialize', { protocolVersion })))
      expect(answer.result?.['protocolVersion']).toBe('2025-11-25')
    },
  )

  test('LH-05 ids are unique and visible ASCII', async () => {
    const { open } = rig(everything())
    const clients = await Promise.all(Array.from({ length: 50 }, () => open()))
    expect(new Set(clients.map(({ id }) => id)).size).toBe(50)
    for (const { id } of clients) expect(id).toMatch(/^[\x21-\x7e]+$/)
  })

  test('changes, subscriptions and logging are declared', async () => {
    const { handler } = rig(everything())
    const { result } = await read(await handler(legacy('initialize')))
    expect(result?.['capabilities']).toMatchObject({
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    })
  })

  test('without a bus nothing is declared that could not be kept', async () => {
    const { handler } = rig(everything(), { bus: null })
    const { result } = await read(await handler(legacy('initialize')))
    expect(result?.['capabilities']).toMatchObject({ tools: {}, resources: {} })
    expect(JSON.stringify(result)).not.toMatch(/listChanged|subscribe/)
  })

  test('LH-10 a second one is 400 -32600, one with an unknown id 404', async () => {
    const { open, handler } = rig(everything())
    const { id } = await open()
    const second = await read(await handler(legacy('initialize', {}, { session: id })))
    expect([second.status, second.error?.['code']]).toEqual([400, -32600])
    const strange = await handler(legacy('initialize', {}, { session: 'made-up' }))
    expect(strange.status).toBe(404)
  })

  test('what is malformed opens no session', async () => {
    const { handler } = rig(everything())
    for (const params of [{ clientInfo: 'x' }, { capabilities: null }, { protocolVersion: 5 }]) {
      const answer = await read(await handler(legacy('initialize', params)))
      expect(answer.error?.['code']).toBe(-32602)
      expect(answer.headers.has('mcp-session-id')).toBe(false)
    }
  })

  test('a client that says too much of itself is refused', async () => {
    const { handler } = rig(everything())
    const clientInfo = { name: 'x'.repeat(20_000), version: '1' }
    const answer = await read(await handler(legacy('initialize', { clientInfo })))
    expect(answer.error?.['code']).toBe(-32602)
    expect(answer.headers.has('mcp-session-id')).toBe(false)
  })

  test('LC-09 it cannot be cancelled', async () => {
    const { passed, open: finish } = gate()
    const { server } = quiet({
      aroundRequest: async ({ method }, next) => {
        if (method === 'initialize') await passed
        return next()
      },
    })
    const { handler, open } = rig(server)
    finish()
    const other = await open()
    const opening = handler(legacy('initialize', {}, { id: 7 }))
    await other.notify('notifications/cancelled', { requestId: 7 })
    expect((await read(await opening)).result).toMatchObject({ protocolVersion: '2025-11-25' })
  })

  test('LH-31 above the cap it is 503 with Retry-After, until one expires', async () => {
    const clock = fakeClock()
    const sessions = memorySessions({ max: 2, idleTimeoutMs: 1_000, clock })
    const { handler, open } = rig(everything(), { sessions, clock })
    await open()
    const kept = await open()
    const refused = await read(await handler(legacy('initialize')))
    expect([refused.status, refused.error?.['code']]).toEqual([503, -32603])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await kept.ask('ping')).result).toEqual({})
    await clock.advance(1_000)
    await open()
  })
})

describe('requests', () => {
  test('LC-07 LC-10 are served before initialized, ping included', async () => {
    const { open } = rig(everything())
    const client = await open()
    expect((await client.ask('ping')).result).toEqual({})
    expect((await client.ask('tools/list')).result).toHaveProperty('tools')
    expect((await client.notify('notifications/initialized')).status).toBe(202)
    expect((await client.tool('echo', { text: 'hi' })).result).toMatchObject({
      content: [{ text: 'hi' }],
    })
  })

  test('SE-02 LH-06 without a session id they are 400, and the only session is not guessed', async () => {
    const { open, handler } = rig(everything())
    const client = await open()
    for (const request of [
      legacy('tools/list'),
      legacy('notifications/initialized', {}, { id: null }),
      legacy('', {}, { body: { jsonrpc: '2.0', id: 1, result: {} } }),
      new Request(ENDPOINT, { headers: { accept: 'text/event-stream' } }),
      new Request(ENDPOINT, { method: 'DELETE' }),
    ]) {
      expect((await handler(request)).status).toBe(400)
    }
    expect((await client.ask('ping')).result).toEqual({})
  })

  test.each(['made-up', '', '__proto__', 'constructor', 'x'.repeat(5_000)])(
    'LH-07 the unknown session %.20j is 404 on every verb',
    async (session) => {
      const { handler, open } = rig(everything())
      await open()
      const headers = { 'mcp-session-id': session, accept: 'text/event-stream' }
      const answers = await Promise.all([
        handler(legacy('tools/list', {}, { session })),
        handler(new Request(ENDPOINT, { headers })),
        handler(new Request(ENDPOINT, { method: 'DELETE', headers })),
      ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    },
  )

  test('SE-03 one definition serves fifty clients at once', async () => {
    const { open } = rig(everything())
    const texts = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const client = await open()
        await client.ask('tools/list')
        return (await client.tool('echo', { text: `client ${index}` })).result
      }),
    )
    for (const [index, result] of texts.entries()) {
      expect(result).toMatchObject({ content: [{ text: `client ${index}` }] })
    }
  })

  test('LH-02 a handler that says nothing first is answered in JSON, others in a stream', async () => {
    const { open } = rig(everything())
    const client = await open()
    expect((await client.tool('echo', { text: 'x' })).form).toBe('json')
    const params = { name: 'steps', arguments: {}, _meta: { progressToken: 0 } }
    expect((await client.ask('tools/call', params)).form).toBe('sse')
  })

  test('LH-01 HL-10 notifications and answers to nothing are 202 without a body', async () => {
    const { open } = rig(everything())
    const client = await open()
    const answers = [
      await client.notify('notifications/initialized'),
      await client.notify('notifications/unknown_thing'),
      await client.notify('notifications/cancelled', { requestId: 999 }),
      await client.notify('notifications/cancelled', {}),
    ]
    for (const response of answers) {
      expect([response.status, await response.text()]).toEqual([202, ''])
    }
    expect((await client.answer('srv-1', {})).status).toBe(202)
  })

  test('what a handler knows of the caller comes from the session', async () => {
    const { server } = quiet()
    server.tool('who', {}, (_input, ctx) =>
      JSON.stringify([ctx.client.info?.name, ctx.revision, ctx.session, ctx.client.capabilities]),
    )
    const { open } = rig(server)
    const client = await open({ capabilities: { sampling: {} } })
    const { result } = await client.tool('who')
    const text = JSON.stringify(['test', '2025-11-25', client.id, { sampling: {} }])
    expect(result).toMatchObject({ content: [{ text }] })
  })

  test('a modern request passes sessions by, whatever header it carries', async () => {
    const { open, handler } = rig(everything())
    const { id } = await open()
    const headers = { 'mcp-session-id': id }
    const answer = await read(await handler(modern('tools/list', {}, { headers })))
    expect(answer.result).toMatchObject({ resultType: 'complete' })
    const strange = modern('tools/list', {}, { headers: { 'mcp-session-id': 'made-up' } })
    expect((await handler(strange)).status).toBe(200)
  })
})

describe('the version header', () => {
  test.each(['1999-01-01', '1999-01-01-nonsense', '2025/11/25', ''])(
    'LH-11 HL-14 %j is 400 on every verb, and the session stays usable',
    async (version) => {
      const { open } = rig(everything())
      const client = await open()
      const headers = { 'mcp-protocol-version': version }
      expect((await client.send('tools/list', {}, { headers })).status).toBe(400)
      expect((await client.get(headers)).status).toBe(400)
      expect((await client.delete(headers)).status).toBe(400)
      expect((await client.ask('ping')).result).toEqual({})
    },
  )

  test('LH-12 without it the session knows its revision', async () => {
    const { server } = quiet({ revisions: ['2025-11-25'] })
    server.tool('revision', {}, (_input, ctx) => ctx.revision)
    const client = await rig(server).open()
    const headers = { 'mcp-protocol-version': null }
    const { result } = await client.tool('revision', {}, { headers })
    expect(result).toMatchObject({ content: [{ text: '2025-11-25' }] })
  })

  test('one that names another revision we speak changes nothing', async () => {
    const { server } = quiet()
    server.tool('revision', {}, (_input, ctx) => ctx.revision)
    const client = await rig(server).open({ revision: '2025-06-18' })
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    const { result } = await client.tool('revision', {}, { headers })
    expect(result).toMatchObject({ content: [{ text: '2025-06-18' }] })
  })
})

describe('batches', () => {
  test('RPC-09 RPC-10 RPC-11 HL-12 a 2025-03-26 session answers them', async () => {
    const { open, handler } = rig(everything())
    const client = await open({ revision: '2025-03-26' })
    const post = async (body: unknown) => read(await handler(client.request('', {}, { body })))
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const both = await post([ping(1), note, ping(2)])
    expect(both.messages).toMatchObject([{ id: 1 }, { id: 2 }])
    expect((await post([ping(5)])).text).toMatch(/^\[/)
    const silent = await post([note, { jsonrpc: '2.0', id: 'q', result: {} }])
    expect([silent.status, silent.text]).toEqual([202, ''])
    const hello = { jsonrpc: '2.0', id: 3, method: 'initialize', params: {} }
    expect((await post([hello, ping(4)])).messages).toMatchObject([
      { id: 3, error: { code: -32600 } },
      { id: 4, result: {} },
    ])
    expect((await post([])).error?.['code']).toBe(-32600)
    expect((await post([1, 2])).messages).toMatchObject([
      { error: { code: -32600 } },
      { error: { code: -32600 } },
    ])
  })

  test.each(['2025-06-18', '2025-11-25'])(
    'RPC-12 HL-12 a %s session refuses them, whatever the header',
    async (revision) => {
      const { open, handler } = rig(everything())
      const client = await open({ revision })
      const body = [{ jsonrpc: '2.0', id: 1, method: 'ping' }]
      for (const version of [revision, '2025-03-26', null]) {
        const headers = { 'mcp-protocol-version': version }
        const answer = await read(await handler(client.request('', {}, { body, headers })))
        expect([answer.status, answer.error?.['code']]).toEqual([400, -32600])
      }
    },
  )
})

describe('DELETE', () => {
  test('LH-09 SE-06 ends streams and calls, and the session is gone', async () => {
    const { server } = quiet()
    let aborted = false
    server.tool('slow', {}, async (_input, ctx) => {
      const { signal } = ctx
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true
          resolve()
        })
      })
      return 'never read'
    })
    const { open, handler, clock } = rig(server)
    const client = await open()
    const stream = new Reader(await client.get())
    const running = client.send('tools/call', { name: 'slow' }, { id: 9 })
    await settle()
    expect(handler.stats()).toMatchObject({ sessions: 1, inFlight: 1, streams: 1 })

    const ended = await client.delete()
    expect([ended.status, await ended.text()]).toEqual([204, ''])
    expect((await stream.rest()).filter(({ kind }) => kind === 'event')).toEqual([])
    const answer = await read(await running)
    expect([answer.status, answer.error?.['code'], answer.response?.['id']]).toEqual([
      404, -32600, 9,
    ])
    expect(aborted).toBe(true)
    expect((await client.send('tools/list')).status).toBe(404)
    expect((await client.delete()).status).toBe(404)
    expect(handler.stats()).toEqual({
      sessions: 0,
      questions: 0,
      streams: 0,
      listeners: 0,
      inFlight: 0,
    })
    expect(clock.armed()).toBe(0)
  })

  test('a question that waits fails', async () => {
    const { server } = quiet()
    const failures: unknown[] = []
    server.tool('ask', {}, async (_input, ctx) => {
      const schema = z.object({ yes: z.boolean() })
      await ctx.elicit('sure', { message: 'Sure?', schema }).catch((error: unknown) => {
        failures.push(error)
      })
      return 'x'
    })
    const { open, handler } = rig(server)
    const client = await open({ capabilities: FORM })
    const stream = new Reader(await client.send('tools/call', { name: 'ask' }))
    await stream.message()
    expect(handler.stats()).toMatchObject({ questions: 1 })
    await client.delete()
    expect(await stream.message()).toMatchObject({ error: { code: -32600 } })
    await settle()
    expect(failures).toMatchObject([{ name: 'ConnectionClosedError' }])
    expect(handler.stats()).toMatchObject({ questions: 0, sessions: 0 })
  })
})

describe('verbs', () => {
  test('LH-36 HL-16 others are 405 and name those that are served', async () => {
    const { handler } = rig(everything())
    for (const method of ['HEAD', 'PUT', 'PATCH', 'PROPFIND']) {
      const response = await handler(new Request(ENDPOINT, { method }))
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST, GET, DELETE, OPTIONS')
    }
  })

  test('LH-27 an untrusted origin is 403 on GET and DELETE too', async () => {
    const client = await rig(everything()).open()
    const headers = { origin: 'https://evil.example' }
    expect((await client.get(headers)).status).toBe(403)
    expect((await client.delete(headers)).status).toBe(403)
  })

  test('HL-15 a page may name the methods and headers of sessions', async () => {
    const { handler } = rig(everything(), { allowedOrigins: ['https://app.example'] })
    const preflight = await handler(
      new Request(ENDPOINT, { method: 'OPTIONS', headers: { origin: 'https://app.example' } }),
    )
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, GET, DELETE, OPTIONS')
    const hello = await handler(
      legacy('initialize', {}, { headers: { origin: 'https://app.example' } }),
    )
    expect(hello.headers.get('access-control-expose-headers')).toContain('mcp-session-id')
  })

  test('LH-14 without a bus there is no GET stream: 405', async () => {
    const client = await rig(everything(), { bus: null }).open()
    const response = await client.get()
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE, OPTIONS'])
  })
})

describe('whose session it is', () => {
  const people: Readonly<Record<string, AuthInfo>> = {
    'Bearer a1': { subject: 'ann', clientId: 'c', scopes: [] },
    'Bearer a2': { subject: 'ann', clientId: 'c', scopes: ['more'] },
    'Bearer b1': { subject: 'bob', clientId: 'c', scopes: [] },
    'Bearer a3': { subject: 'ann', clientId: 'other', scopes: [] },
  }
  const authenticate = (request: Request) => {
    const person = people[request.headers.get('authorization') ?? '']
    return person ?? new Response(null, { status: 401 })
  }
  const by = (authorization: string) => ({ headers: { authorization } })

  test('LH-38 SE-08 for others it does not exist, on any verb; without a token it is 401', async () => {
    const { open } = rig(everything(), { authenticate })
    const client = await open(by('Bearer a1'))
    for (const authorization of ['Bearer b1', 'Bearer a3']) {
      expect((await client.send('tools/list', {}, by(authorization))).status).toBe(404)
      expect((await client.get({ authorization })).status).toBe(404)
      expect((await client.delete({ authorization })).status).toBe(404)
    }
    expect((await client.send('tools/list', {}, by('none'))).status).toBe(401)
    expect((await client.ask('ping')).result).toEqual({})
  })

  test('SE-09 a refreshed token keeps it, with its own scopes', async () => {
    const { server } = quiet()
    server.tool('scopes', {}, (_input, ctx) => ctx.auth?.scopes.join(' ') ?? '')
    const client = await rig(server, { authenticate }).open(by('Bearer a1'))
    const { result } = await client.tool('scopes', {}, by('Bearer a2'))
    expect(result).toMatchObject({ content: [{ text: 'more' }] })
  })

  test('a page of another origin is 403, no origin at all is fine', async () => {
    const allowedOrigins = ['https://one.example', 'https://two.example']
    const { open } = rig(everything(), { allowedOrigins })
    const client = await open({ headers: { origin: 'https://one.example' } })
    const other = { headers: { origin: 'https://two.example' } }
    expect((await client.send('tools/list', {}, other)).status).toBe(403)
    expect((await client.get({ origin: 'https://two.example' })).status).toBe(403)
    expect((await client.send('ping', {}, { headers: { origin: null } })).status).toBe(200)
    expect((await client.ask('ping')).result).toEqual({})
  })

  test('ownsSession is asked on requests, notifications, answers, GET and DELETE, not at initialize', async () => {
    let allowed = true
    const asked: string[] = []
    const { open, handler } = rig(everything(), {
      ownsSession: async (request, { id }) => {
        asked.push(`${request.method} ${id}`)
        return allowed
      },
    })
    const client = await open()
    expect(asked).toEqual([])
    await client.ask('ping')
    expect(asked).toEqual([`POST ${client.id}`])
    allowed = false
    const statuses = [
      (await client.send('ping')).status,
      (await client.notify('notifications/initialized')).status,
      (await client.answer(1, {})).status,
      (await client.get()).status,
      (await client.delete()).status,
    ]
    expect(statuses).toEqual([403, 403, 403, 403, 403])
    expect(asked).toHaveLength(6)
    expect(handler.stats().sessions).toBe(0)
  })

  test('an ownsSession that throws is a masked 500, and no permission', async () => {
    const { server, reported } = quiet()
    const failure = new Error('secret')
    const client = await rig(server, {
      ownsSession: () => {
        throw failure
      },
    }).open()
    const answer = await read(await client.send('ping'))
    expect([answer.status, answer.error?.['message']]).toEqual([500, 'Internal error'])
    expect(reported).toMatchObject([{ error: failure }])
  })
})

describe('time', () => {
  test('LH-30 an idle session expires', async () => {
    const { open, clock } = rig(everything())
    const client = await open()
    await clock.advance(29 * 60_000)
    expect((await client.ask('ping')).result).toEqual({})
    await clock.advance(30 * 60_000)
    expect((await client.send('ping')).status).toBe(404)
    expect((await client.get()).status).toBe(404)
  })

  test('LH-30 an open stream keeps it alive', async () => {
    const { open, clock } = rig(everything())
    const client = await open()
    const stream = new Reader(await client.get())
    const reading = stream.rest()
    await clock.advance(65 * 60_000)
    expect((await client.ask('ping')).result).toEqual({})
    await client.delete()
    await reading
    expect(clock.armed()).toBe(0)
  })

  test.each(['application/json, text/event-stream', 'application/json'])(
    'LH-30 a call in progress keeps it alive (Accept: %s)',
    async (accept) => {
      const { passed, open: finish } = gate()
      const { server } = quiet()
      server.tool('slow', {}, async () => {
        await passed
        return 'done'
      })
      const { open, clock } = rig(server)
      const client = await open()
      const headers = { accept }
      const running = client.tool('slow', {}, { headers })
      await clock.advance(65 * 60_000)
      expect((await client.ask('ping')).result).toEqual({})
      finish()
      expect((await running).result).toMatchObject({ content: [{ text: 'done' }] })
      expect(clock.armed()).toBe(0)
    },
  )
})
