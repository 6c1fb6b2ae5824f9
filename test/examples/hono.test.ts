import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from 'mcp-edge/client'
import { Rig } from '../workers/rig.ts'
import { start, type Started } from './started.ts'

interface Running {
  readonly url: string
  readonly stop: () => Promise<unknown>
}

async function onWorkers(): Promise<Running> {
  const rig = await Rig.start('new', { entry: '../../examples/hono/worker.ts' })
  return { url: rig.worker.url, stop: () => rig.stop() }
}

async function onNode(): Promise<Running> {
  const example: Started = await start('examples/hono/node.ts')
  return { url: example.url, stop: async () => expect(await example.stop()).toBe(0) }
}

function connect(url: string, user: string, mode: 'legacy' | 'auto'): Promise<Client> {
  const headers = { authorization: `Bearer key-of-${user}` }
  return Client.connect(url, { name: 'test', version: '1.0.0', headers, mode })
}

describe.each([
  { platform: 'Node', run: onNode },
  { platform: 'Workers', run: onWorkers },
])('the bookmarks on $platform', ({ run }) => {
  let example: Running

  beforeAll(async () => {
    example = await run()
  })

  afterAll(() => example.stop())

  test.each(['legacy', 'auto'] as const)('each caller has their own, in mode %s', async (mode) => {
    const ada = await connect(example.url, 'ada', mode)
    const alan = await connect(example.url, 'alan', mode)
    const url = `https://example.com/${mode}`
    await ada.callTool('keep', { url })
    const [hers, his] = [
      await ada.callTool('find', { word: mode }),
      await alan.callTool('find', { word: mode }),
    ]
    expect(hers.structuredContent).toEqual({ urls: [url] })
    expect(his.structuredContent).toEqual({ urls: [] })
    await Promise.all([ada.close(), alan.close()])
  })

  test('without a key there is nothing but the health', async () => {
    expect((await fetch(example.url, { method: 'POST' })).status).toBe(401)
    const health = await fetch(new URL('/health', example.url))
    expect(await health.json()).toEqual({ status: 'ok' })
  })

  test('a session is of no use with another key', async () => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const info = { clientInfo: { name: 'thief', version: '1' }, capabilities: {} }
    const params = { protocolVersion: '2025-11-25', ...info }
    const post = (key: string, body: object, more: object = {}): Promise<Response> =>
      fetch(example.url, {
        method: 'POST',
        headers: { ...headers, ...more, authorization: `Bearer ${key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      })
    const opened = await post('key-of-ada', { method: 'initialize', params })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    expect(session['mcp-session-id']).not.toBe('')
    const list = { method: 'tools/list' }
    expect((await post('key-of-ada', list, session)).status).toBe(200)
    expect([403, 404]).toContain((await post('key-of-alan', list, session)).status)
  })
})
