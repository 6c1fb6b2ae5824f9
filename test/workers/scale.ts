/**
 * What takes long, or much, on Workers, in real workerd: many listeners, sleep, floods, readers that
 * do not read. `node test/workers/scale.ts [new|old]`; both without an argument.
 *
 * @module
 */
import { connect } from 'node:net'
import process from 'node:process'
import { messages } from '../support/events.ts'
import { modern } from '../support/requests.ts'
import { Rig, until, type RunningWorker, type Runtime } from './rig.ts'

let worker: RunningWorker

const LISTENERS = 1_000
const FORGED = 10_000
const AT_ONCE = 10

const listen = (uri: string): Promise<Response> =>
  worker.send(modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }))

const numberIn = (message: unknown): unknown => Object(Object(message)['params'])['number']

async function shardOf(running: RunningWorker): Promise<string> {
  for (let shard = 0; shard < 4; shard += 1) {
    const { sockets } = await running.control(`hub?name=hub/${shard}of4`)
    if (Number(sockets) > 0) return `hub/${shard}of4`
  }
  throw new Error('no hub has a socket')
}

const socketsOf = async (hub: string): Promise<number> =>
  Number((await worker.control(`hub?name=${hub}`))['sockets'])

function expectSame(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (left !== right) throw new Error(`${left} instead of ${right}`)
}

const cases: Readonly<Record<string, () => Promise<void>>> = {
  'a thousand listeners on one hub hear everything, in order': async () => {
    const streams: AsyncGenerator<unknown, unknown, unknown>[] = []
    while (streams.length < LISTENERS) {
      const some = Array.from({ length: AT_ONCE }, async () => {
        const stream = messages(await connected(() => listen('counter://a')))
        await stream.next()
        return stream
      })
      streams.push(...(await Promise.all(some)))
    }
    const hub = await shardOf(worker)
    await until('all listen', async () => (await socketsOf(hub)) === LISTENERS, 10_000)
    await worker.control('publish?many&count=20')
    const expected = Array.from({ length: 20 }, (_, index) => index)
    await Promise.all(
      streams.map(async (stream) => {
        const heard: unknown[] = []
        while (heard.length < 20) heard.push(numberIn((await stream.next()).value))
        expectSame(heard, expected)
      }),
    )
    await Promise.all(streams.map((stream) => stream.return(undefined)))
    await until('the hub is empty', async () => (await socketsOf(hub)) === 0, 30_000)
  },
  'ED-05 a hub sleeps while nothing happens, and the next publish is delivered': async () => {
    const stream = messages(await listen('counter://a'))
    await stream.next()
    const hub = await shardOf(worker)
    const { incarnation } = await worker.control(`hub?name=${hub}`)
    await new Promise((resolve) => setTimeout(resolve, 15_000))
    await worker.control('publish?many&from=77')
    expectSame(numberIn((await stream.next()).value), 77)
    const after = await worker.control(`hub?name=${hub}`)
    expectSame([after['sockets'], after['incarnation'] === incarnation], [1, false])
    await stream.return(undefined)
    await until('the hub is empty', async () => (await socketsOf(hub)) === 0)
  },
  'ten thousand made-up sessions touch no object': async () => {
    const session = await worker.initialize()
    const { touched } = await worker.control('seen')
    const flood = await worker.control(`flood?session=${session}&count=${FORGED}`)
    expectSame(flood, { '404': FORGED })
    expectSame((await worker.control('seen'))['touched'], touched)
  },
  'ED-09 a reader that does not read is let go after three ticks; the others hear everything':
    async () => {
      const stream = messages(await listen('counter://a'))
      await stream.next()
      const hub = await shardOf(worker)
      const paused = await pausedListener(worker.url)
      await until('two sockets', async () => (await socketsOf(hub)) === 2)
      const heard: unknown[] = []
      const reading = (async () => {
        while (heard.at(-1) !== 399) heard.push(numberIn((await stream.next()).value))
      })()
      for (let from = 0; from < 400; from += 4)
        await worker.control(`publish?many&count=4&from=${from}&pad=60000`)
      await until('the paused one is gone', async () => (await socketsOf(hub)) === 1, 15_000)
      await reading
      expectSame(
        heard,
        [...heard].toSorted((left, right) => Number(left) - Number(right)),
      )
      paused.destroy()
      await stream.return(undefined)
      await until('the hub is empty', async () => (await socketsOf(hub)) === 0)
    },
}

/** A busy machine drops connections while a thousand are opened; clients try again, and so do we. */
async function connected(open: () => Promise<Response>): Promise<Response> {
  try {
    return await open()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return open()
  }
}

/** A client that asks and then reads nothing. */
async function pausedListener(url: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port, host } = new URL(url)
  const request = modern('subscriptions/listen', {
    notifications: { resourceSubscriptions: ['counter://a'] },
  })
  const body = await request.text()
  const socket = connect(Number(port), hostname)
  const headers = [...request.headers, ['host', host], ['content-length', String(body.length)]]
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.pause()
  return socket
}

async function runIn(runtime: Runtime): Promise<void> {
  const rig = await Rig.start(runtime, { vars: { KEEPALIVE_MS: '1000' } })
  worker = rig.worker
  console.log(`\nworkerd ${runtime}`)
  try {
    for (const [name, run] of Object.entries(cases)) {
      const started = performance.now()
      const error = await run().then(
        () => undefined,
        (failure: unknown) =>
          failure instanceof Error && failure.cause instanceof Error
            ? `${failure.message}: ${failure.cause.message}`
            : String(failure),
      )
      const ms = Math.round(performance.now() - started)
      console.log(`  ${error === undefined ? '✔' : '✘'} ${name} (${ms} ms)`)
      if (error === undefined) continue
      console.log(`      ${error}`)
      process.exitCode = 1
    }
  } finally {
    await rig.stop()
  }
}

const wanted = process.argv[2]
for (const runtime of ['new', 'old'] as const) {
  if (wanted === undefined || wanted === runtime) await runIn(runtime)
}
