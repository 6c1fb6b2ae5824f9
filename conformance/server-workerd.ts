/**
 * Serves the fixture in workerd, with Durable Objects, through the miniflare that wrangler brings:
 * `node conformance/server-workerd.ts [sealed]`; with `sealed`, sessions live in their ids.
 *
 * `PORT` names the port (3902 by default); the endpoint is `/mcp` on 127.0.0.1.
 *
 * @module
 */

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => { readonly ready: Promise<URL> }
  readonly convertV4MiniflareOptions: (options: unknown) => unknown
}

const port = Number(process.env['PORT'] ?? 3902)
const sealed = process.argv.includes('sealed')

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('fixture/worker.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['mcp-edge-source', 'workerd'],
  target: 'es2022',
})
const here = createRequire(import.meta.url)
const miniflare: MiniflareModule = createRequire(here.resolve('wrangler/package.json'))('miniflare')
const hub = { MCP_HUB: { className: 'McpHub', useSQLite: true } }
const objects = sealed
  ? hub
  : { ...hub, MCP_SESSIONS: { className: 'McpSession', useSQLite: true } }
const instance = new miniflare.Miniflare(
  miniflare.convertV4MiniflareOptions({
    modules: true,
    script: outputFiles[0]?.text,
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['enable_request_signal'],
    bindings: { MCP_STATE_KEYS: 'A'.repeat(43) },
    durableObjects: objects,
    host: '127.0.0.1',
    port,
  }),
)
const { origin } = await instance.ready
console.log(`${origin}/mcp`)
