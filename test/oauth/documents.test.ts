import { expect, test } from 'vitest'
import { fetchDocument, post } from '../../src/oauth/documents.ts'
import { MAX_OAUTH_BYTES } from '../../src/protocol/limits.ts'
import { createWorld, json } from './world.ts'

const url = 'https://as.example.com/document'

test('a document is asked for as JSON, and with nothing else unless that is said', async () => {
  const world = createWorld()
  world.routes.set(url, json({ a: 1 }))
  expect(await fetchDocument(url, world)).toEqual({ status: 200, value: { a: 1 } })
  const headers = { 'mcp-protocol-version': '2025-11-25' }
  await fetchDocument(url, { fetch: world.fetch, headers })
  const [bare, more] = world.to(url).map((call) => [call.method, ...call.headers])
  expect(bare).toEqual(['GET', ['accept', 'application/json']])
  expect(more).toEqual(['GET', ['accept', 'application/json'], ...Object.entries(headers)])
})

test('a post sends its own headers and body, not those of documents', async () => {
  const world = createWorld()
  world.routes.set(url, json({}))
  const http = { fetch: world.fetch, headers: { 'mcp-protocol-version': '2025-11-25' } }
  await post(url, http, { headers: { 'content-type': 'text/x' }, body: 'body' })
  const [call] = world.to(url)
  expect([call?.method, call?.body, ...(call?.headers ?? [])]).toEqual([
    'POST',
    'body',
    ['content-type', 'text/x'],
  ])
})

test('AU-23 redirects are not followed, and bytes are bounded', async () => {
  const world = createWorld()
  world.routes.set(url, () => Response.redirect('https://evil.example.com/', 307))
  expect((await fetchDocument(url, world)).problem).toBe('answered with a redirect')
  world.routes.set(url, json('x'.repeat(MAX_OAUTH_BYTES)))
  expect((await fetchDocument(url, world)).problem).toBe('answered with too much')
  expect(world.calls).toHaveLength(2)
})

test('whoever gives up is told his own reason', async () => {
  const reason = new Error('gave up')
  const http = { fetch: createWorld().fetch, signal: AbortSignal.abort(reason) }
  await expect(fetchDocument(url, http)).rejects.toBe(reason)
})
