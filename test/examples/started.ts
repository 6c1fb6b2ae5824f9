/**
 * Examples as people start them: a process, its first line, and the signal that ends it.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { root } from '../package/package-map.ts'

/** An example that runs. */
export interface Started {
  /** The first line it printed. */
  readonly url: string
  /** Ends it as a platform would. @returns its exit code; null when it had to be killed */
  readonly stop: () => Promise<number | null>
}

/** An example that does not end by itself after this long, in milliseconds, is killed. */
const STOP_TIMEOUT_MS = 5_000

/**
 * Starts an example on a free port.
 *
 * @param file the program, from the root of the repository
 * @throws when it ends before it says where it is
 */
export async function start(file: string): Promise<Started> {
  const child = spawn('node', ['--conditions=mcp-edge-source', file], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), ended])
  const line: unknown = first[0]
  if (typeof line !== 'string') throw new Error(`${file} ended with ${String(line)}`)
  return {
    url: line,
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      const [code] = (await ended) as [number | null]
      clearTimeout(timer)
      return code
    },
  }
}
