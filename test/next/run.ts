/**
 * `npm run test:next`: builds the example application with the package as it would be published, starts it, and
 * talks to it with the official client and with ours. It needs no network once its packages are installed.
 *
 * @module
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import process from 'node:process'
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client } from 'mcp-edge/client'
import { buildNext, installNext, NEXT, NEXT_EXAMPLE } from '../../conformance/runner/next-app.ts'
import { abortedStreams } from '../runtime/aborted-streams.ts'
import { legacy, modern, read } from '../support/index.ts'

const LIST = 'list://shopping'
const START_TIMEOUT_MS = 30_000

type Case = readonly [name: string, run: (url: string) => Promise<void>]

const cases: readonly Case[] = [
  ['the official client connects, calls, elicits and listens', officialClient],
  ['the official client of the legacy era connects and calls', officialLegacy],
  ['our client does, in both eras', ourClient],
  ['the page shows what the tools did', page],
  ['NX-01 HEAD and OPTIONS are answered at once, GET is refused', verbs],
  ['an event stream arrives piece by piece, uncompressed', streaming],
  ['a client that leaves ends the work', leaving],
  ['the edge runtime serves both eras, progress included', edge],
]

async function officialClient(url: string): Promise<void> {
  const client = new OfficialClient(
    { name: 'official', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { yes: true } }
  })
  const updated = Promise.withResolvers<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.resolve(params.uri)
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  deepEqual(tools.map(({ name }) => name).toSorted(), ['clear', 'put', 'shop'])
  const subscription = await client.listen({ resourceSubscriptions: [LIST] })
  await client.callTool({ name: 'put', arguments: { name: 'pears', amount: 3 } })
  equal(await updated.promise, LIST)
  const progress: number[] = []
  await client.callTool(
    { name: 'shop', arguments: {} },
    { onprogress: (step) => void progress.push(step.progress) },
  )
  deepEqual(progress, [1, 2])
  const cleared = await client.callTool({ name: 'clear', arguments: {} })
  match(JSON.stringify(cleared.content), /The list is empty/)
  deepEqual(asked, ['Throw away a list of 2?'])
  await subscription.close()
  await client.close()
}

async function officialLegacy(url: string): Promise<void> {
  const client = new OfficialClient(
    { name: 'official', version: '1.0.0' },
    { versionNegotiation: { mode: 'legacy' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const put = await client.callTool({ name: 'put', arguments: { name: 'plums' } })
  match(JSON.stringify(put.content), /1 × plums/)
  await client.close()
}

async function ourClient(url: string): Promise<void> {
  for (const mode of ['legacy', 'auto'] as const) {
    const client = await Client.connect(url, { name: 'ours', version: '1.0.0', mode })
    const { contents } = await client.readResource(LIST)
    match(JSON.stringify(contents), /plums/)
    await client.close()
  }
}

async function page(url: string): Promise<void> {
  const html = await (await fetch(new URL('/', url))).text()
  match(html.replaceAll('<!-- -->', ''), /1 × plums/)
}

async function verbs(url: string): Promise<void> {
  const head = await fetch(url, { method: 'HEAD' })
  deepEqual([head.status, await head.text()], [405, ''])
  const accept = { accept: 'text/event-stream' }
  equal((await fetch(url, { headers: accept })).status, 405)
  ok((await fetch(url, { method: 'OPTIONS' })).status < 500)
}

async function streaming(url: string): Promise<void> {
  const headers = { 'accept-encoding': 'gzip' }
  const options = { url, meta: { progressToken: 1 }, headers }
  const response = await fetch(modern('tools/call', { name: 'shop', arguments: {} }, options))
  equal(response.headers.get('content-type')?.split(';')[0], 'text/event-stream')
  equal(response.headers.get('content-encoding'), null)
  ok((await read(response)).notifications.length > 0)
  const plain = await read(await fetch(legacy('tools/list', {}, { url })))
  equal(plain.form, 'json')
}

async function leaving(url: string): Promise<void> {
  await abortedStreams(url, 100)
  const answer = await read(await fetch(modern('tools/list', {}, { url })))
  equal(answer.status, 200)
}

async function edge(url: string): Promise<void> {
  const there = new URL('/api/edge', url).href
  for (const mode of ['legacy', 'auto'] as const) {
    const client = await Client.connect(there, { name: 'ours', version: '1.0.0', mode })
    const seen: number[] = []
    const onProgress = ({ progress }: { readonly progress: number }): number => seen.push(progress)
    const { content } = await client.callTool('shop', {}, { onProgress })
    match(JSON.stringify(content), /Bought 1 things/)
    deepEqual(seen, [1])
    await client.close()
  }
  equal((await fetch(there, { method: 'HEAD' })).status, 405)
  const filter = { notifications: { toolsListChanged: true } }
  const refused = await read(await fetch(modern('subscriptions/listen', filter, { url: there })))
  equal(refused.error?.['code'], -32_601)
}

async function main(): Promise<number> {
  installNext()
  buildNext(NEXT_EXAMPLE)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/api/mcp`
  const child = spawn(process.execPath, [NEXT, 'start', '-p', `${port}`, '-H', '127.0.0.1'], {
    cwd: NEXT_EXAMPLE,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    await answers(url, child)
    return await runAll(url)
  } finally {
    child.kill()
    await ended
  }
}

async function runAll(url: string): Promise<number> {
  let failed = 0
  for (const [name, run] of cases) {
    try {
      await run(url)
      console.log(`  ok    ${name}`)
    } catch (error) {
      failed += 1
      console.error(`  FAIL  ${name}`, error)
    }
  }
  console.log(`\n${cases.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
    if (response !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('next start did not come up')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

process.exitCode = await main()
