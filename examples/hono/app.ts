/**
 * Bookmarks of several people behind an API key, as a Hono app that runs anywhere.
 *
 * @module
 */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { McpServer } from 'mcp-edge'
import type { AuthInfo, HandlerOptions } from 'mcp-edge'
import * as z from 'zod'

/** What a tool knows about its caller. */
export interface Caller {
  readonly user: string
}

/** What the middleware leaves for whoever comes after it. */
interface Variables {
  readonly Variables: Caller
}

/** Whose key it is. A real application would look them up. */
const KEYS = new Map([
  ['key-of-ada', 'ada'],
  ['key-of-alan', 'alan'],
])

function userOf(authorization: string | undefined | null): string | undefined {
  return KEYS.get(authorization?.replace(/^Bearer /, '') ?? '')
}

/** Every request has to bring a key, but for the one of whoever watches the server's health. */
const signedIn = createMiddleware<Variables>(async (c, next) => {
  if (c.req.path === '/health') return next()
  const user = userOf(c.req.header('authorization'))
  if (user === undefined) return c.json({ error: 'send Authorization: Bearer key-of-ada' }, 401)
  c.set('user', user)
  return next()
})

/** The app around the endpoint, which each platform mounts in its own way. */
export function bookmarksApp(): Hono<Variables> {
  return new Hono<Variables>().use(signedIn)
}

/** What the middleware left becomes `ctx.data`. */
export function callerOf(c: Context): Caller {
  return { user: String(c.get('user')) }
}

/** Binds sessions to whoever opened them: a key is asked for already, but another key is another person. */
export const authenticate: HandlerOptions['authenticate'] = (request): AuthInfo => ({
  subject: userOf(request.headers.get('authorization')) ?? '',
  scopes: [],
})

/** The server: each caller sees their own bookmarks. */
export function bookmarks(): McpServer<{ data: Caller }> {
  const server = new McpServer<{ data: Caller }>({ name: 'bookmarks', version: '1.0.0' })
  const kept = new Map<string, readonly string[]>()
  server.tool(
    'keep',
    { description: 'Keep a bookmark', input: z.object({ url: z.url() }) },
    ({ url }, { data }) => {
      const mine = [...(kept.get(data.user) ?? []), url]
      kept.set(data.user, mine)
      return `Kept; ${data.user} has ${mine.length}.`
    },
  )
  server.tool(
    'find',
    {
      description: 'Find bookmarks that contain a word',
      input: z.object({ word: z.string() }),
      output: z.object({ urls: z.array(z.string()) }),
      annotations: { readOnlyHint: true },
    },
    ({ word }, { data }) => ({
      urls: (kept.get(data.user) ?? []).filter((url) => url.includes(word)),
    }),
  )
  return server
}
