/**
 * A thousand clients that leave: what does a server keep of them, and does it end when it is told to?
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from '../consumer/packed.ts'
import { modern } from '../support/requests.ts'
import { read } from '../support/answer.ts'
import { abortedStreams } from './aborted-streams.ts'
import { check, equal, first, until } from './checks.ts'
import { heapOfWorker } from './inspector.ts'
import type { Outcome } from './report.ts'
import type { Runtime } from './runtimes.ts'

const LEAVERS = 1_000
/** Before the first measurement, so that what is compiled and cached once is not counted. */
const WARM_UP = 400
/** Bytes that may remain of all of them. */
const MAY_REMAIN = 1 << 20
/** A server that has not ended this long after it was told to, in milliseconds, holds a handle. */
const END_TIMEOUT_MS = 5_000

/**
 * Sends the clients.
 *
 * @param runtime where the server runs
 * @param project the fresh project
 */
export async function leavers(runtime: Runtime, project: string): Promise<Outcome> {
  const { command, args, server, inProject } = runtime
  const child = spawn(command, [...args, ...server], {
    cwd: inProject ? project : root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const start = Date.now()
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  let name = `disconnect: ${LEAVERS} streams that clients leave`
  try {
    const printed = once(createInterface({ input: child.stdout }), 'line')
    const [line] = (await Promise.race([printed, ended])) as [unknown]
    if (typeof line !== 'string') throw new Error(`the server ended with ${String(line)}`)
    const [url = '', ...beside] = line.split(' ')
    const kept = await remains(url, asker(url, beside))
    name += ` keep ${(kept / 1024).toFixed(0)} KiB and no handle`
    check(kept <= MAY_REMAIN, `at most ${MAY_REMAIN} bytes are kept of ${LEAVERS} streams`)
    child.kill('SIGTERM')
    const over = new Promise((resolve) => setTimeout(resolve, END_TIMEOUT_MS, ['too late']).unref())
    const [code] = (await Promise.race([ended, over])) as [unknown]
    check(
      code === runtime.ends,
      `the process ends by itself with ${runtime.ends}, not ${String(code)}`,
    )
    return { mode: 'leavers', name, ms: Date.now() - start }
  } catch (error) {
    return { mode: 'leavers', name, ms: Date.now() - start, error: String(error) }
  } finally {
    clearTimeout(timer)
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}

/** Asks the server what it holds. */
type Ask = (what: 'stats' | 'heap') => Promise<string>

/** A tool of the server's own says it; in workerd a path beside it and the inspector do. */
function asker(url: string, [beside, inspector]: readonly string[]): Ask {
  if (beside !== undefined && inspector !== undefined) {
    return async (what) => {
      if (what === 'stats') return (await fetch(`${beside}/stats`)).text()
      equal(await (await fetch(`${beside}/gc`)).json(), 'function', 'the type of gc')
      return String(await heapOfWorker(inspector))
    }
  }
  return async (name) => {
    const request = modern('tools/call', { name, arguments: {} }, { url })
    const { result } = await read(await fetch(request))
    return String(first(result?.['content'])['text'])
  }
}

/** Bytes of heap that the clients left behind. */
async function remains(url: string, ask: Ask): Promise<number> {
  await abortedStreams(url, WARM_UP)
  const before = await heap(ask)
  await abortedStreams(url, LEAVERS)
  return (await heap(ask)) - before
}

/** The heap in use once nothing is in progress. */
async function heap(ask: Ask): Promise<number> {
  let last = ''
  await until(async () => {
    last = await ask('stats')
    const counts: Record<string, number> = JSON.parse(last)
    const { streams, listeners, inFlight = 0 } = counts
    return streams === 0 && listeners === 0 && inFlight <= 1
  }, 'every stream is let go').catch((cause: unknown) => {
    throw new Error(`stats() say ${last}`, { cause })
  })
  return Number(await ask('heap'))
}
