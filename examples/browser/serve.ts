/**
 * A page with an MCP client in it, and the almanac for it to talk to. They are two origins, as they would be in
 * the world, so the server names the page's origin and answers with CORS headers.
 *
 * `npm run example:browser` — then open http://127.0.0.1:8080
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { serve } from 'mcp-edge/node'
import { almanac } from '../demo/server.ts'

const page = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url))

const bundle = await build({
  entryPoints: [page('client.ts')],
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  conditions: ['mcp-edge-source'],
  tsconfigRaw: {},
})
const script = bundle.outputFiles[0]?.text ?? ''
const html = await readFile(page('index.html'), 'utf8')

const web = createServer((request, response) => {
  const isScript = request.url === '/client.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
  response.end(isScript ? script : html.replace('%SERVER%', server.url))
})
await new Promise<void>((resolve) => {
  web.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', resolve)
})
const { port } = web.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`

const server = await serve(almanac(), {
  port: 0,
  allowedOrigins: [origin],
  cors: true,
  closeOnSignals: true,
})
console.log(origin)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => web.close())
