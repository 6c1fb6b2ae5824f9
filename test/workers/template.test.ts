/**
 * The template under `wrangler dev`, as other people's clients use it.
 *
 * @module
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect as connectSocket, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from './rig.ts'

const TOKEN = 'a-token-for-tests'
const COUNTER = 'counter://visits'
const INFO = { name: 'peer', version: '1.0.0' }
const CAPABILITIES = { elicitation: {} }
const ANSWER = { action: 'accept' as const, content: { name: 'Ada' } }
const root = fileURLToPath(new URL('../..', import.meta.url))

let child: ChildProcess
let folder = ''
let base = ''
let proxied = ''
let cut: () => void = () => undefined
let closeProxy: () => void = () => undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-edge-'))
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  const config = ['--config', 'workers/template/wrangler.jsonc', '--persist-to', folder]
  const vars = ['--var', `MCP_STATE_KEYS:${'A'.repeat(43)}`, '--var', `NOTIFY_TOKEN:${TOKEN}`]
  const where = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0']
  child = spawn(join(root, 'node_modules/.bin/wrangler'), ['dev', ...config, ...vars, ...where], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
      WRANGLER_BUILD_CONDITIONS: 'mcp-edge-source,workerd,worker,browser',
      WRANGLER_SEND_METRICS: 'false',
      CI: '1',
    },
  })
  await until('wrangler dev answers', () => answers(base), 60_000)
  await startProxy(port)
}, 90_000)

afterAll(() => {
  closeProxy()
  if (child.pid !== undefined) process.kill(-child.pid)
  rmSync(folder, { recursive: true, force: true })
})

interface Peer {
  readonly tools: () => Promise<readonly { readonly name: string }[]>
  readonly call: (name: string, onprogress?: () => void) => Promise<unknown>
  readonly watch: () => Promise<unknown>
  readonly updated: readonly string[]
  readonly close: () => Promise<void>
}

async function connectV1(url: string): Promise<Peer> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES })
  const updated: string[] = []
  client.setRequestHandler(ElicitRequestSchema, async () => ANSWER)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri)
  })
  await client.connect(new TransportV1(new URL(url)))
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, onprogress) =>
      client.callTool({ name }, undefined, onprogress === undefined ? {} : { onprogress }),
    watch: () => client.subscribeResource({ uri: COUNTER }),
    updated,
    close: () => client.close(),
  }
}

function connectV2(mode: 'legacy' | 'auto') {
  return async (url: string): Promise<Peer> => {
    const client = new ClientV2(INFO, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode },
    })
    const updated: string[] = []
    client.setRequestHandler('elicitation/create', async () => ANSWER)
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri)
    })
    await client.connect(new TransportV2(new URL(url)))
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, onprogress) =>
        client.callTool({ name }, onprogress === undefined ? {} : { onprogress }),
      watch: () =>
        mode === 'legacy'
          ? client.subscribeResource({ uri: COUNTER })
          : client.listen({ resourceSubscriptions: [COUNTER] }),
      updated,
      close: () => client.close(),
    }
  }
}

describe.each([
  ['@modelcontextprotocol/sdk', 'legacy', connectV1],
  ['@modelcontextprotocol/client, legacy', 'legacy', connectV2('legacy')],
  ['@modelcontextprotocol/client, auto', 'modern', connectV2('auto')],
] as const)('%s', (_name, era, connect) => {
  test('lists, calls, answers a question, and hears what changes', async () => {
    const peer = await connect(`${base}/mcp`)
    expect((await peer.tools()).map(({ name }) => name)).toContain('visit')
    await peer.watch()
    expect(JSON.stringify(await peer.call('visit'))).toMatch(/Visit number \d+/)
    await until('the change is heard', () => peer.updated.length === 1)
    expect((await notify(TOKEN)).status).toBe(204)
    await until('the webhook is heard', () => peer.updated.length === 2)
    expect(JSON.stringify(await peer.call('greet'))).toContain('Hello, Ada!')
    await peer.close()
  })

  test.runIf(era === 'legacy')('resumes a call whose connection was cut', async () => {
    const peer = await connect(proxied)
    let steps = 0
    const answer = await peer.call('countdown', () => {
      steps += 1
      if (steps === 2) cut()
    })
    expect(JSON.stringify(answer)).toContain('Lift-off')
    expect(steps).toBe(5)
    await peer.close()
  })
})

test('the webhook is for those who know the token', async () => {
  for (const token of ['', 'wrong', `${TOKEN}x`]) expect((await notify(token)).status).toBe(401)
})

function notify(token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${base}/notify`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ uri: COUNTER }),
  })
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  await response?.body?.cancel()
  return response !== undefined
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Stands between client and server, and cuts every connection when it is told to. */
async function startProxy(port: number): Promise<void> {
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = connectSocket(port, '127.0.0.1')
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
    }
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port: own } = proxy.address() as AddressInfo
  proxied = `http://127.0.0.1:${own}/mcp`
  cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  closeProxy = () => {
    cut()
    proxy.close()
  }
}
