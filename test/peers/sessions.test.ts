/**
 * Sessions as other people's clients use them.
 */
import { createServer } from 'node:http'
import { connect as connectSocket } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { memoryEvents, memorySessions, userMessage } from 'mcp-edge'
import { serve, type RunningServer } from 'mcp-edge/node'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { almanac } from '../../examples/demo/server.ts'

const JOURNAL = 'journal://observations'
const INFO = { name: 'peer', version: '1.0.0' }
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} }
const ROOTS = { roots: [{ uri: 'file:///home/ann', name: 'home' }] }
const SAMPLE = {
  role: 'assistant' as const,
  model: 'm',
  content: { type: 'text' as const, text: 'Clear skies' },
}

/** What the tests need of a client. */
interface SessionPeer {
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<unknown>
  /** Calls a tool and wants to hear of its progress. */
  readonly follow: (name: string, onprogress: () => void) => Promise<unknown>
  readonly subscribe: (uri: string) => Promise<unknown>
  readonly updated: string[]
  readonly session: () => string | undefined
  readonly close: () => Promise<void>
}

const open: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function connectV1(url: string): Promise<SessionPeer> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES })
  const updated: string[] = []
  client.setRequestHandler(ElicitRequestSchema, async () => ACCEPTED)
  client.setRequestHandler(CreateMessageRequestSchema, async () => SAMPLE)
  client.setRequestHandler(ListRootsRequestSchema, async () => ROOTS)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri)
  })
  const transport = new TransportV1(new URL(url))
  await client.connect(transport)
  return {
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    follow: (name, onprogress) => client.callTool({ name }, undefined, { onprogress }),
    subscribe: (uri) => client.subscribeResource({ uri }),
    updated,
    session: () => transport.sessionId,
    close: () => client.close(),
  }
}

const ACCEPTED = { action: 'accept' as const, content: { sure: true } }

async function connectV2(url: string): Promise<SessionPeer> {
  const client = new ClientV2(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: 'legacy' },
  })
  const updated: string[] = []
  client.setRequestHandler('elicitation/create', async () => ACCEPTED)
  client.setRequestHandler('sampling/createMessage', async () => SAMPLE)
  client.setRequestHandler('roots/list', async () => ROOTS)
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri)
  })
  const transport = new TransportV2(new URL(url))
  await client.connect(transport)
  return {
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    follow: (name, onprogress) => client.callTool({ name }, { onprogress }),
    subscribe: (uri) => client.subscribeResource({ uri }),
    updated,
    session: () => transport.sessionId,
    close: () => client.close(),
  }
}

async function demo(options: Parameters<typeof serve>[1] = {}): Promise<RunningServer> {
  const server = almanac()
  server.tool('ask_model', {}, async (_input, ctx) => {
    const { text } = await ctx.sample('sky', { messages: [userMessage('Sky?')], maxTokens: 10 })
    return text
  })
  server.tool('list_roots', {}, async (_input, ctx) => {
    const roots = await ctx.roots('roots')
    return roots.map(({ uri }) => uri).join(' ')
  })
  server.tool('slow', {}, async (_input, ctx) => {
    await ctx.progress(1)
    const { promise, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 400)
    await promise
    return 'still here'
  })
  const running = await serve(server, { port: 0, events: memoryEvents(), ...options })
  open.push(() => running.close())
  return running
}

/** Stands between client and server, and cuts every connection when it is told to. */
async function cuttable(port: number): Promise<{ readonly url: string; readonly cut: () => void }> {
  const sockets = new Set<Socket>()
  const proxy = createServer()
  proxy.removeAllListeners('request')
  proxy.on('connection', (socket) => {
    const upstream = connectSocket(port, '127.0.0.1')
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
    }
    socket.pipe(upstream).pipe(socket)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  proxy.listen(0, '127.0.0.1', resolve)
  await promise
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  open.push(async () => {
    cut()
    proxy.close()
  })
  const { port: own } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${own}/mcp`, cut }
}

describe.each([
  ['@modelcontextprotocol/sdk', connectV1],
  ['@modelcontextprotocol/client, legacy', connectV2],
] as const)('sessions under %s', (_name, connect) => {
  async function connected(url: string): Promise<SessionPeer> {
    const peer = await connect(url)
    open.push(() => peer.close())
    return peer
  }

  test('it answers questions: a form, its model, its roots', async () => {
    const { url, handler } = await demo()
    const peer = await connected(url)
    expect(JSON.stringify(await peer.call('clear_journal'))).toContain('The journal is empty.')
    expect(JSON.stringify(await peer.call('ask_model'))).toContain('Clear skies')
    expect(JSON.stringify(await peer.call('list_roots'))).toContain('file:///home/ann')
    expect(handler.stats()).toMatchObject({ questions: 0, inFlight: 0 })
  })

  test('it subscribes, and hears', async () => {
    const { url, handler } = await demo()
    const peer = await connected(url)
    await vi.waitFor(() => expect(handler.stats().streams).toBe(1))
    await peer.subscribe(JOURNAL)
    await peer.call('note_observation', { city: 'Oslo', seen: 'Mars' })
    await vi.waitFor(() => expect(peer.updated).toEqual([JOURNAL]))
  })

  test('it comes back for an answer after its connections were cut', async () => {
    const { port } = await demo()
    const { url, cut } = await cuttable(port)
    const peer = await connected(url)
    const answer = await peer.follow('slow', cut)
    expect(JSON.stringify(answer)).toContain('still here')
  })

  test('after expiry it is told to open another session, and can', async () => {
    let time = Date.now()
    const sessions = memorySessions({ clock: { now: () => time } })
    const { url } = await demo({ sessions })
    const peer = await connected(url)
    const before = peer.session()
    await peer.call('list_roots')
    await peer.close()
    time += 31 * 60_000
    const stale = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': before ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    expect(stale.status).toBe(404)
    const again = await connected(url)
    expect(again.session()).not.toBe(before)
    expect(JSON.stringify(await again.call('list_roots'))).toContain('file:///home/ann')
  })
})
