/**
 * Bundles: their size, and what a fresh process pays to answer its first call from one.
 *
 * @module
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { FiguresRow, Peer, PeerName } from '../harness/types.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

// The sources when this process runs on them, the built package else.
const OWN_CONDITIONS = process.execArgv.includes('--conditions=mcp-edge-source')
  ? ['mcp-edge-source']
  : []

const WHOLE: Readonly<Partial<Record<PeerName, string>>> = {
  'mcp-lite': `export { McpServer, StreamableHttpTransport } from 'mcp-lite'`,
  official: `export { McpServer, createMcpHandler } from '@modelcontextprotocol/server'`,
  ours: `export * from 'mcp-edge'`,
}

/** The size of a server over a schema library; ours is all of the root entry. */
export const bundleRow: FiguresRow = {
  kind: 'figures',
  name: 'bundle',
  about: 'server bundle without zod',
  floor: 'raw',
  peers: ['mcp-lite', 'official', 'ours'],
  repeats: 1,
  figures: [
    { key: 'min + gzip', unit: 'KB', goal: { atMost: 18, of: 'value', exact: true, reached: 46 } },
    { key: 'min', unit: 'KB' },
  ],
  async measure(peer) {
    const source = WHOLE[peer.name]
    if (source === undefined) return undefined
    const code = await bundle(source, ['zod', 'zod/*'])
    return { 'min + gzip': gzipSync(code, { level: 9 }).length / 1000, min: code.length / 1000 }
  },
}

/** CPU of a process that loads a bundle of one tool and answers one call, zod included. */
export const coldStartRow: FiguresRow = {
  kind: 'figures',
  name: 'cold-start',
  about: 'fresh process, bundled, first call',
  floor: 'raw',
  peers: ['raw', 'mcp-lite', 'official', 'ours'],
  repeats: 9,
  figures: [{ key: 'CPU', unit: 'ms', goal: { atMost: 30, of: 'over', reached: 45 } }],
  measure: coldStart,
}

async function coldStart(peer: Peer): Promise<Readonly<Record<string, number>>> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    const file = join(directory, 'cold.mjs')
    await writeFile(file, await bundle(COLD_SOURCES[peer.name], []))
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    const { status, cpu } = JSON.parse(stdout)
    if (status !== 200) throw new Error(`the first call was answered ${status}`)
    return { CPU: cpu / 1000 }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Bundles a module as a deployment would.
 *
 * @param source its code
 * @param external packages that stay outside
 */
export async function bundle(source: string, external: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: [...OWN_CONDITIONS, 'import', 'workerd', 'worker'],
    external: ['node:*', ...external],
    legalComments: 'none',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

const FIRST_CALL = `
const legacy = { name: 'hello', arguments: { city: 'Oslo' } }
const request = new Request('http://localhost:8787/mcp', {
  method: 'POST',
  headers: { host: 'localhost:8787', 'content-type': 'application/json', accept, 'mcp-protocol-version': '2025-06-18' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: legacy }),
})
const response = await fetch(request)
await response.text()
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ status: response.status, cpu: user + system }))`

const SCHEMA = `import * as z from 'zod'
const input = z.object({ city: z.string() })`

const COLD_RAW = `
const accept = 'application/json'
async function fetch(request) {
  const { id, params } = JSON.parse(await request.text())
  const result = { content: [{ type: 'text', text: params.arguments.city }] }
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), { headers: { 'content-type': 'application/json' } })
}${FIRST_CALL}`

const COLD_SOURCES: Readonly<Record<PeerName, string>> = {
  raw: COLD_RAW,
  'raw-zod': `${SCHEMA}${COLD_RAW}`,
  'mcp-lite': `${SCHEMA}
import { McpServer, StreamableHttpTransport } from 'mcp-lite'
const server = new McpServer({ name: 'cold', version: '1.0.0', schemaAdapter: (schema) => z.toJSONSchema(schema) })
server.tool('hello', { inputSchema: input, handler: ({ city }) => ({ content: [{ type: 'text', text: city }] }) })
const fetch = new StreamableHttpTransport().bind(server)
const accept = 'application/json'${FIRST_CALL}`,
  official: `${SCHEMA}
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
const { fetch } = createMcpHandler(() => {
  const server = new McpServer({ name: 'cold', version: '1.0.0' })
  server.registerTool('hello', { inputSchema: input }, ({ city }) => ({ content: [{ type: 'text', text: city }] }))
  return server
})
const accept = 'application/json, text/event-stream'${FIRST_CALL}`,
  ours: `${SCHEMA}
import { McpServer, createHandler } from 'mcp-edge'
const server = new McpServer({ name: 'cold', version: '1.0.0' })
server.tool('hello', { input }, ({ city }) => city)
const fetch = createHandler(server, { legacy: 'stateless' })
const accept = 'application/json, text/event-stream'${FIRST_CALL}`,
}
