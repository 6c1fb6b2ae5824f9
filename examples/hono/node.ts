/**
 * The bookmarks on Node.
 *
 * `npm run example:hono` — then http://127.0.0.1:8787/mcp with `Authorization: Bearer key-of-ada`
 *
 * @module
 */
import process from 'node:process'
import { serve } from '@hono/node-server'
import { mcp } from 'mcp-edge/hono'
import { authenticate, bookmarks, bookmarksApp, callerOf } from './app.ts'

const endpoint = mcp(
  bookmarks(),
  { authenticate },
  {
    data: callerOf,
    // POST /notify {"kind":"tools"} lets another system say that something has changed.
    notify: { authorize: (c) => callerOf(c).user === 'ada' },
  },
)
const app = bookmarksApp().route('/', endpoint)

const place = { port: Number(process.env['PORT'] ?? 8787), hostname: '127.0.0.1' }
const listening = serve({ fetch: app.fetch, ...place }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/mcp`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => listening.close())
