import { describe, expect, test } from 'vitest'
import { createHandler } from '../../src/http/handler.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { call, legacy, modern, settle } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'
import { listen, listenRequest, LISTS } from './listening.ts'

const TAG = 'io.modelcontextprotocol/subscriptionId'

describe('a listen stream', () => {
  test.each(['a', '', '5', 5, 0])(
    'SB-01 SB-02 F30 F32 F34 begins with the acknowledgement, tagged with the id %j',
    async (id) => {
      const { handler } = served(everything())
      const { response, heard, leave } = await listen(handler, LISTS, { id })
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      expect(response.headers.get('x-accel-buffering')).toBe('no')
      expect(response.headers.get('cache-control')).toContain('no-transform')
      await handler.notify().toolsChanged()
      await settle()
      expect(heard).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { _meta: { [TAG]: id }, notifications: LISTS },
        },
        {
          jsonrpc: '2.0',
          method: 'notifications/tools/list_changed',
          params: { _meta: { [TAG]: id } },
        },
      ])
      await leave()
    },
  )

  test('SB-03 F33 acknowledges what the server declares, and no more', async () => {
    const { server } = quiet({ capabilities: { tools: { listChanged: false } } })
    server.tool('t', {}, () => 'x')
    server.resource('a://1', { name: 'a' }, () => 'x')
    const { handler } = served(server)
    const wanted = { ...LISTS, resourceSubscriptions: ['a://1', 'a://2'] }
    const { heard, news, leave } = await listen(handler, wanted)
    expect(heard[0]).toMatchObject({
      params: {
        notifications: { resourcesListChanged: true, resourceSubscriptions: ['a://1', 'a://2'] },
      },
    })
    const notify = handler.notify()
    await notify.toolsChanged()
    await notify.promptsChanged()
    await notify.resourcesChanged()
    await settle()
    expect(news()).toEqual(['resources/list_changed'])
    await leave()
  })

  test('SB-04 SB-16 F31 carries only what it asked for, resources by their exact URI', async () => {
    const { handler } = served(everything())
    const lists = await listen(handler, { promptsListChanged: true, toolsListChanged: false })
    const one = await listen(handler, { resourceSubscriptions: ['test://a'] })
    const notify = handler.notify()
    await notify.toolsChanged()
    await notify.promptsChanged()
    await notify.resourcesChanged()
    await notify.resourceUpdated('test://a')
    await notify.resourceUpdated('test://a/b')
    await notify.resourceUpdated('test://')
    await notify.elicitationComplete('e')
    await settle()
    expect(lists.news()).toEqual(['prompts/list_changed'])
    expect(one.news()).toEqual(['test://a'])
    await Promise.all([lists.leave(), one.leave()])
  })

  test('SB-06 SB-07 F40 equal ids of two clients, and several streams of one, do not meet', async () => {
    const { handler } = served(everything())
    const first = await listen(handler, { toolsListChanged: true }, { id: 1 })
    const twin = await listen(handler, { toolsListChanged: true }, { id: 1 })
    const other = await listen(handler, { toolsListChanged: true }, { id: '1' })
    await handler.notify().toolsChanged()
    await first.leave()
    await handler.notify().toolsChanged()
    await settle()
    expect(first.news()).toHaveLength(1)
    expect(twin.news()).toHaveLength(2)
    expect(other.heard.map(({ params }) => params)).toEqual(
      [{ notifications: { toolsListChanged: true } }, {}, {}].map((more) => ({
        _meta: { [TAG]: '1' },
        ...more,
      })),
    )
    expect(handler.stats()).toMatchObject({ listeners: 2 })
    await Promise.all([twin.leave(), other.leave()])
  })

  test('SB-08 carries neither progress nor log messages of other calls', async () => {
    const { handler, ask } = served(everything())
    const { news, leave } = await listen(handler, LISTS)
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
    const { notifications } = await ask(modern('tools/call', { name: 'steps' }, { meta }))
    await settle()
    expect(notifications).toHaveLength(3)
    expect(news()).toEqual([])
    await leave()
  })

  test('SB-09 SB-22 CX-13 F35 ends with a result when the server closes, and says and cancels nothing after', async () => {
    const { handler, clock } = served(everything())
    const { heard, ended } = await listen(handler, LISTS, { id: 'last' })
    await handler.close()
    await ended
    await handler.notify().toolsChanged()
    expect(heard).toHaveLength(2)
    expect(heard.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 'last',
      result: {
        resultType: 'complete',
        _meta: {
          [TAG]: 'last',
          'io.modelcontextprotocol/serverInfo': { name: 'test-server', version: '1.2.3' },
        },
      },
    })
    expect([handler.stats().listeners, clock.armed()]).toEqual([0, 0])
    expect((await handler(listenRequest(LISTS))).status).toBe(503)
  })

  test('F48 HM-11 one of which nothing is granted is acknowledged and completed', async () => {
    const { server } = quiet()
    const { handler, ask } = served(server)
    const { form, messages } = await ask(listenRequest(LISTS, { id: 3 }))
    expect(form).toBe('sse')
    expect(messages).toMatchObject([
      { params: { _meta: { [TAG]: 3 }, notifications: {} } },
      { id: 3, result: { resultType: 'complete', _meta: { [TAG]: 3 } } },
    ])
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })
})

describe('a listen request is refused', () => {
  test.each([
    ['without parameters', {}, {}],
    ['with a filter of another type', { notifications: [] }, {}],
    ['with 10 000 URIs', { notifications: { resourceSubscriptions: tenThousand() } }, {}],
    ['with an ill-typed flag', { notifications: { toolsListChanged: 'true' } }, {}],
  ])('SB-12 %s', async (_, params, overrides) => {
    const { handler, ask } = served(everything())
    const { status, form, error } = await ask(modern('subscriptions/listen', params, overrides))
    expect([status, form, error?.['code']]).toEqual([400, 'json', -32602])
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })

  test('without an envelope, without an id, and in a legacy conversation', async () => {
    const { handler, ask } = served(everything())
    const bare = { 'io.modelcontextprotocol/clientCapabilities': undefined }
    const envelope = await ask(listenRequest(LISTS, { meta: bare }))
    expect([envelope.status, envelope.error?.['code']]).toEqual([400, -32602])
    const notification = await ask(listenRequest(LISTS, { id: null }))
    expect([notification.status, notification.text]).toEqual([202, ''])
    const old = await ask(legacy('subscriptions/listen', { notifications: LISTS }))
    expect(old.error?.['code']).toBe(-32601)
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })

  test('by whom it cannot be served: a client that takes no stream', async () => {
    const { ask } = served(everything())
    const { status } = await ask(listenRequest(LISTS, { headers: { accept: 'application/json' } }))
    expect(status).toBe(406)
  })

  test.each([
    ['no bus', { bus: null }],
    ['JSON alone', { responses: 'json' }],
  ] as const)('HM-11 F9 where there is %s, and then nothing is advertised', async (_, options) => {
    const server = everything({ capabilities: { tools: { listChanged: true } } })
    const { ask } = served(server, options)
    const refused = await ask(listenRequest(LISTS))
    expect([refused.status, refused.error?.['code']]).toEqual([404, -32601])
    const { result } = await ask(modern('server/discover'))
    const text = JSON.stringify(result?.['capabilities'])
    expect(text).toContain('"tools":{}')
    expect(text).not.toMatch(/listChanged|subscribe/)
  })

  test('SB-13 F36 when too many are open: 503 and when to come back, until one leaves', async () => {
    const { handler, ask } = served(everything(), { limits: { listenStreams: 2 } })
    const first = await listen(handler, LISTS)
    const second = await listen(handler, LISTS)
    const { status, headers, error } = await ask(listenRequest(LISTS, { id: 9 }))
    expect([status, headers.get('retry-after'), error?.['code']]).toEqual([503, '5', -32603])
    await first.leave()
    const third = await listen(handler, LISTS)
    expect(handler.stats()).toMatchObject({ listeners: 2 })
    await Promise.all([second.leave(), third.leave()])
  })

  test('F37 never for their number, when there is no cap', async () => {
    const { handler } = served(everything(), { limits: { listenStreams: null } })
    const open = await Promise.all(
      Array.from({ length: 1_100 }, () => handler(listenRequest(LISTS))),
    )
    expect(open.every(({ status }) => status === 200)).toBe(true)
    expect(handler.stats()).toMatchObject({ listeners: 1_100 })
    await handler.close()
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })

  test('when one principal has too many open, anonymous callers apart', async () => {
    const authenticate = (request: Request) => {
      const subject = request.headers.get('authorization')
      return subject === null ? ('anonymous' as const) : { subject, scopes: [] }
    }
    const { handler } = served(everything(), { authenticate, limits: { listenPerPrincipal: 1 } })
    const as = (authorization: string) => ({ headers: { authorization } })
    const ada = await listen(handler, LISTS, as('ada'))
    expect((await handler(listenRequest(LISTS, as('ada')))).status).toBe(503)
    const bob = await listen(handler, LISTS, as('bob'))
    const nobody = [await listen(handler, LISTS), await listen(handler, LISTS)]
    await ada.leave()
    const again = await listen(handler, LISTS, as('ada'))
    await Promise.all([bob, again, ...nobody].map(({ leave }) => leave()))
    expect(handler.stats()).toMatchObject({ listeners: 0 })
  })
})

test('HM-13 the end of the request is no disconnect: a request whose body was read and copied works', async () => {
  const { handler } = served(everything())
  const read = listenRequest(LISTS)
  const copy = new Request(read.url, {
    method: 'POST',
    headers: read.headers,
    body: await read.text(),
  })
  const { body: stream, status } = await handler(copy)
  await handler.notify().toolsChanged()
  await settle()
  expect([status, handler.stats().listeners]).toEqual([200, 1])
  await stream?.cancel()
  const used = listenRequest(LISTS)
  await used.text()
  expect((await handler(used)).status).toBe(500)
  expect(handler.stats()).toMatchObject({ listeners: 0 })
})

test('every option about listening is checked', () => {
  const server = everything()
  for (const name of ['listenStreams', 'listenUris', 'listenPerPrincipal', 'maxStreamAgeMs']) {
    expect(() => createHandler(server, { limits: { [name]: 0 } })).toThrow(`limits.${name} must be`)
  }
  const half: object = { publish: () => Promise.resolve() }
  expect(() => createHandler(server, { bus: { ...memoryBus(), ...half } })).toThrow("option 'bus'")
})

test('TL-08 SB-15 what is added later is told to streams that asked, once for many', async () => {
  const server = everything()
  const { handler } = served(server)
  const { news, leave } = await listen(handler, LISTS)
  server.tool('late', {}, () => 'x')
  server.tool('later', {}, () => 'x')
  server.prompt('late', {}, () => [])
  await settle()
  expect(news()).toEqual(['tools/list_changed', 'prompts/list_changed'])
  const { result } = await call(handler, modern('tools/list'))
  expect(JSON.stringify(result)).toContain('"later"')
  await leave()
})

test('TL-09 a change flag that is off stays off, and nothing is sent', async () => {
  const { server } = quiet({ capabilities: { tools: { listChanged: false } } })
  server.tool('t', {}, () => 'x')
  server.prompt('p', {}, () => [])
  const { handler, ask } = served(server)
  const { result } = await ask(modern('server/discover'))
  expect(result?.['capabilities']).toMatchObject({ tools: { listChanged: false } })
  const { news, leave } = await listen(handler, LISTS)
  server.tool('late', {}, () => 'x')
  await handler.notify().toolsChanged()
  await settle()
  expect(news()).toEqual([])
  await leave()
})

function tenThousand(): readonly string[] {
  return Array.from({ length: 10_000 }, (_, index) => `test://${index}`)
}
