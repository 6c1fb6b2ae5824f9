import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Client } from '../../../src/client/index.ts'
import type { ClientOptions, ConnectOptions, Target } from '../../../src/client/index.ts'
import { createHandler, McpServer } from '../../../src/index.ts'
import { stdio } from '../../../src/stdio/index.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { handlers } from './servers.ts'
import { until } from '../fake-server.ts'

const me = { name: 'test', version: '1' }
const root = fileURLToPath(new URL('../../..', import.meta.url))
const everything = `${root}node_modules/@modelcontextprotocol/server-everything/dist/index.js`

/** What every server here can do, asked of whichever it is. */
async function drive(
  target: Target,
  options: Partial<ClientOptions & ConnectOptions> = {},
): Promise<Client> {
  const client = await Client.connect(target, { ...me, ...options })
  expect((await client.tools()).map(({ name }) => name)).toContain('measure')
  const result = await client.callTool('measure', { text: 'héllo' })
  expect(result.structuredContent).toEqual({ length: 5 })
  expect(result.content).toMatchObject([{ type: 'text', text: 'héllo' }])
  expect((await client.resources()).map(({ uri }) => uri)).toContain('test:greeting')
  const { contents } = await client.readResource('test:greeting')
  expect(contents).toMatchObject([{ uri: 'test:greeting', text: 'hello' }])
  const wrong = await client.callTool('measure', { text: 7 }).catch((error: unknown) => ({ error }))
  expect('error' in wrong || wrong.isError === true).toBe(true)
  await expect(client.request('acme/unknown')).rejects.toMatchObject({ code: -32601 })
  return client
}

const eras: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server 2.4.0': 'modern',
  '@modelcontextprotocol/sdk 1.32.2': 'legacy',
  'mcp-lite 0.10.0': 'legacy',
  'tmcp 1.20.0': 'modern',
}

describe('servers of other people over HTTP', () => {
  it.each(Object.keys(handlers))('drives %s by itself', async (name) => {
    const fetch = handlers[name]?.()
    if (fetch === undefined) throw new Error(name)
    const client = await drive({ fetch })
    expect(client.era).toBe(eras[name])
    await client.close()
  })

  it.each(Object.keys(handlers))('drives %s by handshake', async (name) => {
    const fetch = handlers[name]?.()
    if (fetch === undefined) throw new Error(name)
    const client = await drive({ fetch }, { mode: 'legacy' })
    expect(client.era).toBe('legacy')
    await client.close()
  })

  it('answers the questions of @modelcontextprotocol/sdk 1.32.2', async () => {
    const fetch = handlers['@modelcontextprotocol/sdk 1.32.2']?.()
    if (fetch === undefined) throw new Error('no handler')
    const client = await drive({ fetch }, { onElicitation: () => ({ action: 'accept' }) })
    expect((await client.callTool('ask')).content).toMatchObject([{ text: 'accept' }])
    await client.close()
  })

  it('drives server-everything over HTTP', async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    try {
      await until(() => said.includes(String(port)))
      await driveEverything(`http://127.0.0.1:${port}/mcp`)
    } finally {
      child.kill()
    }
  })
})

/** A process that takes long to start is not old: on a busy machine, silence has to last longer. */
const patient = {
  ...systemClock,
  setTimeout: (callback: () => void, ms: number): unknown =>
    systemClock.setTimeout(callback, ms * 10),
}

describe('servers of other people over stdio', () => {
  it.each([
    ['v1', 'legacy'],
    ['v2', 'modern'],
    ['tmcp', 'modern'],
    ['lite', 'legacy'],
  ])('drives %s', { timeout: 60_000 }, async (name, era) => {
    const args = [`${root}test/client/peers/stdio-server.ts`, name]
    const target = stdio({ command: process.execPath, args, stderr: 'ignore' })
    const client = await drive(target, { clock: patient })
    expect(client.era).toBe(era)
    await client.close()
  })

  it('drives server-everything over stdio', async () => {
    await driveEverything(
      stdio({ command: process.execPath, args: [everything], stderr: 'ignore' }),
    )
  })
})

describe('our own server', () => {
  it.each([
    ['auto', 'modern'],
    ['legacy', 'legacy'],
  ] as const)('is driven in the same way (%s)', async (mode, era) => {
    const server = new McpServer({ name: 'own', version: '1' })
    server.tool(
      'measure',
      { input: z.object({ text: z.string() }), output: z.object({ length: z.number() }) },
      ({ text }) => ({ length: text.length }),
    )
    server.tool('ask', {}, async (_input, ctx) => {
      const answer = await ctx.elicit('q', { message: '?', schema: z.object({ ok: z.boolean() }) })
      return answer.action
    })
    server.resource('test:greeting', { name: 'greeting' }, () => 'hello')
    const handler = createHandler(server)
    const client = await Client.connect(
      { fetch: (request) => handler(request) },
      { ...me, mode, onElicitation: () => ({ action: 'decline' }) },
    )
    expect(client.era).toBe(era)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['measure', 'ask'])
    expect((await client.callTool('measure', { text: 'abc' })).structuredContent).toEqual({
      length: 3,
    })
    expect((await client.callTool('ask')).content).toEqual([{ type: 'text', text: 'decline' }])
    const subscription = client.listen({ resourceSubscriptions: ['test:greeting'] })
    await subscription.acknowledged
    await server.notify.resourceUpdated('test:greeting')
    for await (const change of subscription) {
      expect(change).toEqual({ kind: 'resourceUpdated', uri: 'test:greeting' })
      break
    }
    await client.close()
    await handler.close()
  })
})

async function driveEverything(target: Target): Promise<void> {
  const client = await Client.connect(target, {
    ...me,
    onSampling: () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'sampled' },
    }),
    onElicitation: () => ({ action: 'cancel' }),
    onRoots: () => [{ uri: 'file:///here' }],
    onWarning: () => undefined,
  })
  const text = async (name: string, args = {}): Promise<string> =>
    JSON.stringify((await client.callTool(name, args)).content)
  expect(client.serverInfo?.name).toContain('everything')
  expect((await client.tools()).length).toBeGreaterThan(10)
  expect(await text('echo', { message: 'hi' })).toContain('hi')
  expect(await text('trigger-sampling-request', { prompt: 'x', maxTokens: 5 })).toContain('sampled')
  const seen: number[] = []
  await client.callTool(
    'trigger-long-running-operation',
    { duration: 0.4, steps: 4 },
    { onProgress: ({ progress }) => void seen.push(progress) },
  )
  expect(seen).toEqual([1, 2, 3, 4])
  const [first] = await client.resources()
  expect((await client.readResource(first?.uri ?? '')).contents).toHaveLength(1)
  expect((await client.getPrompt('simple-prompt')).messages.length).toBeGreaterThan(0)
  await client.close()
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
