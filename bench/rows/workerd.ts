/**
 * The same in workerd: what a call costs there, and how long a new Worker takes to its first answer.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FiguresRow, Peer, PeerName } from '../harness/types.ts'
import { bundle } from './bundle.ts'

const CALLS = 4_000
const WARM_UP = 1_000
/** The kernel counts CPU in ticks of this many milliseconds. */
const TICK_MS = 10

/** CPU of the runtime for each call, without the network. */
export const workerdCallRow: FiguresRow = {
  kind: 'figures',
  name: 'workerd-call',
  about: 'tools/call inside workerd, JSON',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  repeats: 3,
  figures: [{ key: 'CPU', unit: 'µs' }],
  async measure(peer) {
    return withWorker(peer, async ({ url, cpuMs }) => {
      await run(url, WARM_UP)
      const before = cpuMs()
      await run(url, CALLS)
      return { CPU: ((cpuMs() - before) * 1_000) / CALLS }
    })
  },
}

/** Time and CPU from nothing to the first answer. */
export const workerdColdRow: FiguresRow = {
  kind: 'figures',
  name: 'workerd-cold',
  about: 'new Worker, first call',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  repeats: 5,
  figures: [
    { key: 'time', unit: 'ms', goal: { atMost: 1.5, of: 'ratio' } },
    { key: 'CPU', unit: 'ms' },
  ],
  async measure(peer) {
    const script = await bundle(sourceOf(peer), [])
    const started = performance.now()
    return withScript(script, async ({ url, cpuMs }) => {
      await run(url, 1)
      return { time: performance.now() - started, CPU: cpuMs() }
    })
  },
}

async function run(url: URL, calls: number): Promise<void> {
  const response = await fetch(new URL(`/run?calls=${calls}`, url))
  const text = await response.text()
  if (text !== String(calls)) throw new Error(`the Worker answered ${text.slice(0, 200)}`)
}

interface Running {
  readonly url: URL
  /** CPU that the runtime has used so far. */
  readonly cpuMs: () => number
}

type Figures = Readonly<Record<string, number>>

async function withWorker(
  peer: Peer,
  use: (running: Running) => Promise<Figures>,
): Promise<Figures> {
  return withScript(await bundle(sourceOf(peer), []), use)
}

interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => {
    readonly ready: Promise<URL>
    readonly dispose: () => Promise<void>
  }
  readonly convertV4MiniflareOptions: (options: unknown) => unknown
}

async function withScript(
  script: string,
  use: (running: Running) => Promise<Figures>,
): Promise<Figures> {
  const here = createRequire(import.meta.url)
  const brought = createRequire(here.resolve('wrangler/package.json'))
  const { Miniflare, convertV4MiniflareOptions }: MiniflareModule = brought('miniflare')
  const before = new Set(workerds())
  const options = {
    modules: true,
    script,
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['enable_request_signal'],
    host: '127.0.0.1',
    port: 0,
  }
  const instance = new Miniflare(convertV4MiniflareOptions(options))
  try {
    const url = await instance.ready
    const pids = workerds().filter((pid) => !before.has(pid))
    return await use({ url, cpuMs: () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0) })
  } finally {
    await instance.dispose()
  }
}

/** The runtimes that this process has started. */
function workerds(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const [name, parent] = statOf(pid)
    return name === 'workerd' && parent === String(process.pid)
  })
}

function cpuOf(pid: string): number {
  const [, , user = '0', system = '0'] = statOf(pid)
  return (Number(user) + Number(system)) * TICK_MS
}

/** Name, parent, and ticks as user and in the kernel. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = /\((.*)\)/.exec(text)?.[1] ?? ''
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [name, fields[1] ?? '', fields[11] ?? '0', fields[12] ?? '0']
  } catch {
    // It has ended meanwhile.
    return []
  }
}

function sourceOf({ name }: Peer): string {
  const source = SOURCES[name]
  if (source === undefined) throw new Error(`${name} does not run in workerd`)
  return source + LOOP
}

const LOOP = `
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello', arguments: {} } })
const headers = {
  'content-type': 'application/json', accept, 'mcp-protocol-version': '2025-06-18', 'content-length': String(body.length),
}
const init = { method: 'POST', headers, body }
export default {
  async fetch(request, env, execution) {
    const calls = Number(new URL(request.url).searchParams.get('calls'))
    for (let done = 0; done < calls; done += 1) {
      const response = await serve(new Request('http://localhost/mcp', init), env, execution)
      const text = await response.text()
      if (!text.includes('Oslo')) return new Response(response.status + ' ' + text)
    }
    return new Response(String(calls))
  },
}`

const SOURCES: Readonly<Partial<Record<PeerName, string>>> = {
  raw: `
const accept = 'application/json'
async function serve(request) {
  const { id } = JSON.parse(await request.text())
  const result = { content: [{ type: 'text', text: 'Oslo' }] }
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), { headers: { 'content-type': 'application/json' } })
}`,
  'mcp-lite': `
import { McpServer, StreamableHttpTransport } from 'mcp-lite'
const server = new McpServer({ name: 'bench', version: '1.0.0' })
server.tool('hello', { handler: () => ({ content: [{ type: 'text', text: 'Oslo' }] }) })
const serve = new StreamableHttpTransport().bind(server)
const accept = 'application/json'`,
  official: `
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'Oslo' }] }))
  return server
})
const serve = (request) => handler.fetch(request)
const accept = 'application/json, text/event-stream'`,
  ours: `
import { McpServer } from 'mcp-edge'
import { workers } from 'mcp-edge/workers'
const server = new McpServer({ name: 'bench', version: '1.0.0' })
server.tool('hello', {}, () => 'Oslo')
const serve = workers(server).fetch
const accept = 'application/json, text/event-stream'`,
}
