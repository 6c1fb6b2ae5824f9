import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isRecord, messages, modern } from '../support/index.ts'

const KEEPALIVE_MS = 3_000
const MIB = 1_048_576
const URIS = Array.from({ length: 200 }, (_, index) => `test://${index}/${'x'.repeat(2_000)}`)
/** 25 MB of events, and a bit. */
const ROUNDS = 63

let child: ChildProcess | undefined

afterEach(() => {
  child?.kill()
})

async function told(server: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  const [message]: unknown[] = await once(server, 'message')
  return isRecord(message) ? message : {}
}

/** Opens a stream over a socket of its own that nobody reads. */
async function openPaused(url: string): Promise<IncomingMessage> {
  const built = listenRequest(url)
  const sending = request(url, { method: 'POST', headers: Object.fromEntries(built.headers) })
  sending.end(await built.text())
  const [response]: IncomingMessage[] = await once(sending, 'response')
  if (response === undefined) throw new Error('no response')
  response.pause()
  return response
}

function listenRequest(url: string): Request {
  const notifications = { resourceSubscriptions: URIS }
  return modern('subscriptions/listen', { notifications }, { url })
}

test('SB-21 F42 a stalled reader of 25 MB costs no memory, ends after three ticks, and keeps nobody from reading all', async () => {
  const source = fileURLToPath(new URL('stalled-server.ts', import.meta.url))
  child = fork(source, [String(KEEPALIVE_MS)], {
    execArgv: ['--conditions=mcp-edge-source'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const url = String((await told(child))['url'])
  const paused = await openPaused(url)
  const healthy = await fetch(listenRequest(url))
  const heard: string[] = []
  const { promise: all, resolve: done } = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const { params } of messages(healthy)) {
      if (isRecord(params) && typeof params['uri'] === 'string') heard.push(params['uri'])
      if (heard.length === URIS.length * ROUNDS) done()
    }
  })()
  const bursting = told(child)
  child.send({ uris: URIS, rounds: ROUNDS })
  const { grown, listeners } = await bursting
  const ending = told(child)
  expect(Number(grown)).toBeLessThan(64 * MIB)
  await all
  expect(heard).toEqual(Array.from({ length: ROUNDS }, () => URIS).flat())
  // Both were there to the end of the burst, so the one that is gone is the one that was paused.
  expect(listeners).toBe(2)
  expect(await ending).toEqual({ left: 1 })
  paused.destroy()
  child.send('close')
  await reading
  await once(child, 'exit')
}, 60_000)
