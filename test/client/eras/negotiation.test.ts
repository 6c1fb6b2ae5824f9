import { describe, expect, it } from 'vitest'
import {
  Client,
  HttpError,
  NegotiationError,
  RequestTimeoutError,
  UnauthorizedError,
} from '../../../src/client/index.ts'
import type { ConnectOptions } from '../../../src/client/index.ts'
import { errorOf, json, legacyServer, modernServer } from '../fake-server.ts'
import type { Answer, FakeServer, Reply } from '../fake-server.ts'

const me = { name: 'test', version: '1' }

const connect = (server: FakeServer, options: ConnectOptions = {}): Promise<Client> =>
  Client.connect(server, { ...me, ...options })

/** A legacy server whose answer to the probe is given. */
const probed = (reply: (message: Parameters<Answer>[0]) => Reply): FakeServer =>
  legacyServer((message) => (message.method === 'server/discover' ? reply(message) : undefined))

describe('negotiation over HTTP', () => {
  it('finds a modern server with one request', async () => {
    const server = modernServer()
    const client = await connect(server)
    expect(client.era).toBe('modern')
    expect(client.protocolVersion).toBe('2026-07-28')
    expect(client.serverInfo).toEqual({ name: 'fake', version: '1' })
    expect(server.seen).toHaveLength(1)
  })

  it.each<[string, (message: Parameters<Answer>[0]) => Reply]>([
    ['400 with -32600', (m) => errorOf(m, -32600, { status: 400 })],
    ['400 with -32000', (m) => errorOf(m, -32000, { status: 400 })],
    ['400 without a body', () => new Response(null, { status: 400 })],
    [
      '400 with HTML',
      () => new Response('<html>', { status: 400, headers: { 'content-type': 'text/html' } }),
    ],
    ['404', () => new Response('not found', { status: 404 })],
    ['405', () => new Response(null, { status: 405 })],
    ['406', () => new Response(null, { status: 406 })],
    ['415', () => new Response(null, { status: 415 })],
    ['404 with -32601', (m) => errorOf(m, -32601, { status: 404 })],
    ['200 with -32601', (m) => errorOf(m, -32601)],
    ['200 with -32602', (m) => errorOf(m, -32602)],
    ['200 that is no discovery', () => ({ hello: 1 })],
    ['200 that is no JSON', () => json('{"a"')],
    [
      'a discovery of legacy revisions',
      () => ({ supportedVersions: ['2025-11-25'], capabilities: {} }),
    ],
    [
      '-32022 that lists legacy revisions',
      (m) => errorOf(m, -32022, { status: 400, data: { supported: ['2025-11-25'] } }),
    ],
  ])('CL-03 HM-21 falls back to the handshake after %s', async (_name, reply) => {
    const server = probed(reply)
    const client = await connect(server)
    expect(client.era).toBe('legacy')
    expect(server.asked('initialize')).toHaveLength(1)
  })

  it.each<[string, (message: Parameters<Answer>[0]) => Reply, unknown]>([
    [
      'CL-02 -32022 with other revisions',
      (m) => errorOf(m, -32022, { status: 400, data: { supported: ['2099-01-01'] } }),
      NegotiationError,
    ],
    ['CL-02 -32022 without data', (m) => errorOf(m, -32022, { status: 400 }), NegotiationError],
    [
      'CL-02 a discovery of other revisions',
      () => ({ supportedVersions: ['2099-01-01'], capabilities: {} }),
      NegotiationError,
    ],
    ['CL-04 -32020', (m) => errorOf(m, -32020, { status: 400 }), { code: -32020 }],
    ['CL-04 -32021', (m) => errorOf(m, -32021, { status: 400 }), { code: -32021 }],
    ['CL-06 401', () => new Response(null, { status: 401 }), UnauthorizedError],
    ['CL-06 403', () => new Response(null, { status: 403 }), HttpError],
    ['CL-06 500', () => new Response('oops', { status: 500 }), HttpError],
    ['CL-06 503 with -32603', (m) => errorOf(m, -32603, { status: 503 }), { code: -32603 }],
    ['CL-06 429', () => new Response(null, { status: 429 }), HttpError],
  ])('HM-21 does not fall back after %s', async (_name, reply, expected) => {
    const server = probed(reply)
    const error = await connect(server).catch((thrown: unknown) => thrown)
    if (typeof expected === 'function') expect(error).toBeInstanceOf(expected)
    else expect(error).toMatchObject(expected as object)
    expect(server.asked('initialize')).toHaveLength(0)
  })

  it('CL-06 does not fall back when the network fails', async () => {
    const broken = { fetch: () => Promise.reject(new TypeError('refused')) }
    await expect(Client.connect(broken, me)).rejects.toThrow(
      'server/discover could not be sent: refused',
    )
  })

  it('CL-06 does not take silence over HTTP for age', async () => {
    const silent = { fetch: () => new Promise<Response>(() => undefined) }
    const connecting = Client.connect(silent, { ...me, timeoutMs: 20 })
    await expect(connecting).rejects.toThrow(RequestTimeoutError)
  })

  it('CL-01 tries once more after -32022 with a mutual revision', async () => {
    let asked = 0
    const server = modernServer((message) => {
      asked += 1
      const data = { supported: ['2026-07-28'], requested: 'x' }
      return asked === 1 ? errorOf(message, -32022, { status: 400, data }) : undefined
    })
    expect((await connect(server)).era).toBe('modern')
    expect(asked).toBe(2)
  })

  it('CL-01 gives up after the second -32022', async () => {
    const server = probed((m) =>
      errorOf(m, -32022, { status: 400, data: { supported: ['2026-07-28'] } }),
    )
    await expect(connect(server)).rejects.toThrow(NegotiationError)
    expect(server.seen).toHaveLength(2)
  })

  it('LC-05 CL-14 shakes hands with a legacy revision and says so', async () => {
    const server = legacyServer()
    const client = await connect(server, { mode: 'legacy' })
    expect(server.seen.map(({ message }) => message?.method)).toEqual([
      'initialize',
      'notifications/initialized',
    ])
    expect(server.seen[0]?.message?.params).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: me,
    })
    expect(client.serverInfo?.name).toBe('old')
  })

  it.each(['2026-07-28', '1999-01-01', 7])(
    'LC-06 leaves a server that answers %s',
    async (version) => {
      const server = legacyServer((message) =>
        message.method === 'initialize'
          ? { protocolVersion: version, capabilities: {}, serverInfo: me }
          : undefined,
      )
      await expect(connect(server, { mode: 'legacy' })).rejects.toThrow(NegotiationError)
      expect(server.asked('notifications/initialized')).toHaveLength(0)
    },
  )

  it('F13 insists on a pinned legacy revision', async () => {
    const other = legacyServer(() => undefined, { protocolVersion: '2025-11-25' })
    await expect(connect(other, { mode: '2025-06-18' })).rejects.toThrow(NegotiationError)
    const client = await connect(legacyServer(), { mode: '2025-06-18' })
    expect(client.protocolVersion).toBe('2025-06-18')
  })

  it('F11 never shakes hands in modern mode', async () => {
    const server = legacyServer()
    await expect(connect(server, { mode: 'modern' })).rejects.toThrow('HTTP 400')
    expect(server.asked('initialize')).toHaveLength(0)
  })

  it('F18 CL-07 a verdict skips the probe, in both eras', async () => {
    const first = await connect(modernServer())
    const kept = JSON.parse(JSON.stringify(first.verdict))
    const again = modernServer()
    const client = await connect(again, { verdict: kept })
    expect(again.seen).toHaveLength(0)
    expect(client.serverInfo?.name).toBe('fake')
    expect(await client.tools()).toEqual([])

    const old = legacyServer()
    await connect(old, { verdict: (await connect(legacyServer())).verdict })
    expect(old.asked('server/discover')).toHaveLength(0)
    expect(old.asked('initialize')).toHaveLength(1)
  })
})
