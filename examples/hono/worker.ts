/**
 * The bookmarks on Cloudflare Workers. Sessions and subscriptions live in Durable Objects, but what a server keeps in
 * its own variables lasts only as long as an isolate: a real application would bind a database.
 *
 * `npm run example:hono:workers` — then http://127.0.0.1:8787/mcp with `Authorization: Bearer key-of-ada`
 *
 * @module
 */
import { mcp } from 'mcp-edge/hono'
import { workersOptions } from 'mcp-edge/workers'
import { authenticate, bookmarks, bookmarksApp, callerOf } from './app.ts'

export { McpHub, McpSession } from 'mcp-edge/workers'

const endpoint = mcp(bookmarks(), workersOptions({ authenticate, context: () => ({ user: '' }) }), {
  data: callerOf,
})

export default bookmarksApp().route('/', endpoint)
