/**
 * Where the fixture server can run: one function per runtime that starts it on a port.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TargetName } from '../pending.ts'
import { buildFixtureApp, NEXT } from './next-app.ts'
import { REPOSITORY } from './suite.ts'

/** A fixture server that is up. */
export interface RunningFixture {
  readonly url: string
  stop(): Promise<void>
}

type Start = (port: number) => Promise<RunningFixture>

/** How long a runtime may take until it answers. */
const START_TIMEOUT_MS = 30_000
const POLL_MS = 50

const CONDITION = '--conditions=mcp-edge-source'

const TARGETS: Readonly<Record<TargetName, Start>> = {
  node: (port) => startProcess(port, process.execPath, [CONDITION, 'conformance/server.ts']),
  deno: (port) =>
    startProcess(port, bin('deno'), [
      'run',
      '-A',
      CONDITION,
      '--no-check',
      'conformance/server-deno.ts',
    ]),
  bun: (port) => startProcess(port, bin('bun'), [CONDITION, 'conformance/server-bun.ts']),
  workerd: (port) => startProcess(port, process.execPath, ['conformance/server-workerd.ts']),
  'workerd-sealed': (port) =>
    startProcess(port, process.execPath, ['conformance/server-workerd.ts', 'sealed']),
  next: (port) => {
    const args = [NEXT, 'start', buildFixtureApp(), '--hostname', '127.0.0.1']
    return startProcess(port, process.execPath, args)
  },
}

/** Whether a word names a target. */
export function isTarget(name: string): name is TargetName {
  return Object.hasOwn(TARGETS, name)
}

/** Starts the fixture on a free port and waits until it answers. */
export async function startFixture(target: TargetName): Promise<RunningFixture> {
  return await TARGETS[target](await freePort())
}

/** A runtime of the dev dependencies. */
function bin(name: string): string {
  return join(REPOSITORY, 'node_modules', '.bin', name)
}

async function startProcess(
  port: number,
  command: string,
  args: readonly string[],
): Promise<RunningFixture> {
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const url = `http://127.0.0.1:${port}/mcp`
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  const up = await Promise.race([answers(url), ended.then(() => false)])
  if (up) return { url, stop }
  await stop()
  throw new Error(`the fixture (${command} ${args.join(' ')}) did not come up`)
}

async function answers(url: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const response = await fetch(url, { method: 'PUT' }).catch(() => undefined)
    await response?.body?.cancel()
    if (response !== undefined) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
