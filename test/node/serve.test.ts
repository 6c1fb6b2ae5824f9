import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { McpServer } from 'mcp-edge'
import { serve, type RunningServer, type ServeOptions } from 'mcp-edge/node'
import { legacy, messages, modern, read } from '../support/index.ts'
import { statusForHost } from '../runtime/sockets.ts'

const open: RunningServer[] = []

afterEach(async () => {
  for (const running of open.splice(0)) await running.close()
})

function tools(): McpServer {
  const server = new McpServer({ name: 'node', version: '1.0.0' })
  server.tool('hello', { description: 'Greets' }, () => 'hi')
  server.tool('hang', { description: 'Reports and waits for the end' }, async (_input, ctx) => {
    await ctx.progress(1)
    await new Promise((resolve) => {
      ctx.signal.addEventListener('abort', resolve)
    })
    return 'ended'
  })
  return server
}

async function started(options: ServeOptions = {}): Promise<RunningServer> {
  const running = await serve(tools(), { port: 0, ...options })
  open.push(running)
  return running
}

test('serve answers both eras, on its url and on any other path', async () => {
  const { url, port } = await started({ legacy: 'stateless' })
  expect(url).toBe(`http://127.0.0.1:${port}/mcp`)
  for (const target of [url, new URL('/deep/er?x=1', url).href]) {
    for (const build of [modern, legacy]) {
      const request = build('tools/call', { name: 'hello', arguments: {} }, { url: target })
      const answer = await read(await fetch(request))
      expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'hi' }] })
    }
  }
})

test('serve admits the bound name, loopback and listed hosts, and no other', async () => {
  const bare = await started()
  expect(await statusForHost(bare.url, 'evil.example')).toBe(403)
  expect(await statusForHost(bare.url, `localhost:${bare.port}`)).toBe(200)
  const named = await started({ allowedHosts: ['mcp.example.com'] })
  expect(await statusForHost(named.url, 'mcp.example.com')).toBe(200)
  expect(await statusForHost(named.url, `127.0.0.1:${named.port}`)).toBe(200)
  expect(await statusForHost(named.url, 'evil.example')).toBe(403)
})

test('a port in use is an error that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(serve(tools(), { port })).rejects.toThrow(`127.0.0.1:${port}: the port is in use`)
  other.close()
})

test('close ends open streams, frees the port and may be called twice', async () => {
  const running = await started()
  const params = { name: 'hang', arguments: {} }
  const request = modern('tools/call', params, { url: running.url, meta: { progressToken: 1 } })
  const stream = messages(await fetch(request))
  await stream.next()
  expect(running.handler.stats()).toMatchObject({ inFlight: 1, streams: 1 })
  await Promise.all([running.close(), Array.fromAsync(stream).catch(() => undefined)])
  expect(running.handler.stats()).toMatchObject({ inFlight: 0, streams: 0 })
  await running.close()
  const again = await started({ port: running.port })
  expect(again.port).toBe(running.port)
})

test('an idle keep-alive connection does not hold close up', async () => {
  const running = await started()
  await read(await fetch(modern('tools/list', {}, { url: running.url })))
  const start = performance.now()
  await running.close()
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('what the server declares reaches its handlers: env and data', async () => {
  const server = new McpServer<{ env: { name: string }; data: { user: string } }>({
    name: 'declared',
    version: '1.0.0',
  })
  server.tool(
    'who',
    { description: 'Who asks' },
    (_input, ctx) => `${ctx.data.user}@${ctx.env.name}`,
  )
  const env = { name: 'prod' }
  const running = await serve(server, { port: 0, env, context: () => ({ user: 'ada' }) })
  open.push(running)
  const request = modern('tools/call', { name: 'who', arguments: {} }, { url: running.url })
  const answer = await read(await fetch(request))
  expect(answer.result).toMatchObject({ content: [{ text: 'ada@prod' }] })
})

const onSignals = `
  import { McpServer } from 'mcp-edge'
  import { serve } from 'mcp-edge/node'
  const server = new McpServer({ name: 'signals', version: '1.0.0' })
  server.tool('slow', {}, async (_input, ctx) => {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    return 'late'
  })
  const { url } = await serve(server, { port: 0, closeOnSignals: true })
  console.log(url)`

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s closes a server that was told so, and the process ends by itself',
  async (signal) => {
    const args = ['--conditions=mcp-edge-source', '--input-type=module', '--eval', onSignals]
    const child = spawn('node', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const idle = await fetch(modern('tools/list', {}, { url: url.trim() }))
    await idle.text()
    const waiting = fetch(
      modern('tools/call', { name: 'slow', arguments: {} }, { url: url.trim() }),
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    child.kill(signal)
    expect((await read(await waiting)).response).toBeDefined()
    expect(await exited).toEqual([0, null])
  },
)

test('signals are left alone unless asked for, and given back on close', async () => {
  const before = process.listenerCount('SIGTERM')
  await started()
  expect(process.listenerCount('SIGTERM')).toBe(before)
  const running = await started({ closeOnSignals: true })
  expect(process.listenerCount('SIGTERM')).toBe(before + 1)
  await running.close()
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
