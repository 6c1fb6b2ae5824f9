import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { until } from '../client/fake-server.ts'

const fixture = fileURLToPath(new URL('fixtures/server.ts', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

interface Served {
  readonly child: ChildProcessWithoutNullStreams
  readonly send: (message: unknown) => void
  /** The lines of stdout so far; whatever is no JSON would fail here. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[]
  readonly err: () => string
  readonly exited: Promise<number | null>
}

function serve(command = process.execPath, args: readonly string[] = [fixture]): Served {
  const child = spawn(command, [...args], { stdio: 'pipe', cwd: root })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
  child.stdin.on('error', () => undefined)
  return {
    child,
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    lines: () =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    err: () => err,
    exited: once(child, 'close').then(() => child.exitCode),
  }
}

const call = (id: number, name: string, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...META },
})

describe('serveStdio', () => {
  it('IO-02 ST-01 keeps stdout clean: whatever is printed reaches stderr', async () => {
    const { child, send, lines, err, exited } = serve()
    send(call(1, 'noise'))
    child.stdin.end()
    expect(await exited).toBe(0)
    const own = lines().filter(({ id }) => id === 1)
    expect(own).toMatchObject([{ result: { content: [{ text: 'quiet' }] } }])
    expect(err().match(/stray/g)?.length).toBeGreaterThanOrEqual(4)
    expect(err()).toContain('ready')
  })

  it('IO-03 ends on EOF, with work in progress finished and the last line read', async () => {
    const { child, send, lines, exited } = serve()
    send(call(1, 'slow', { ms: 200 }))
    child.stdin.end(JSON.stringify(call(2, 'echo', { text: 'no newline' })))
    expect(await exited).toBe(0)
    expect(lines().map(({ id }) => id)).toEqual([2, 1])
  })

  it('IO-03 does not wait for work that takes too long', async () => {
    const { child, send, lines, err, exited } = serve()
    send(call(1, 'slow', { ms: 60_000 }))
    child.stdin.end()
    expect(await exited).toBe(0)
    expect(err()).toContain('aborted: ConnectionClosedError')
    expect(lines()).toEqual([])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s, with answers written', async (signal) => {
    const { child, send, lines, err, exited } = serve()
    await until(() => err().includes('ready'))
    send(call(1, 'slow', { ms: 100 }))
    send(call(2, 'echo', { text: 'x' }))
    await until(() => lines().length === 1)
    child.kill(signal)
    expect(await exited).toBe(0)
    expect(lines().map(({ id }) => id)).toEqual([2, 1])
  })

  it('ST-03 a client that stops reading ends the process quietly', async () => {
    const { child, send, err, exited } = serve()
    send(call(1, 'echo', { text: 'x' }))
    await once(child.stdout, 'data')
    child.stdout.destroy()
    send(call(2, 'big'))
    send(call(3, 'big'))
    expect(await exited).toBe(0)
    expect(err()).not.toContain('EPIPE')
  })

  it('writes a result of five megabytes to a slow reader', async () => {
    const { child, send, lines, exited } = serve()
    child.stdout.pause()
    send(call(1, 'big'))
    send(call(2, 'echo', { text: 'x' }))
    setTimeout(() => child.stdout.resume(), 200)
    await until(() => lines().length === 2)
    child.stdin.end()
    expect(await exited).toBe(0)
  })

  it('IO-05 ends a conversation whose line is too long, and says why', async () => {
    const { child, err, exited } = serve()
    await until(() => err().includes('ready'))
    child.stdin.write('x'.repeat(4_300_000))
    expect(await exited).toBe(0)
    expect(err()).toContain('too long')
  })

  it('IO-05 takes CRLF', async () => {
    const { child, lines, exited } = serve()
    child.stdin.end(`${JSON.stringify(call(1, 'echo', { text: 'x' }))}\r\n`)
    await exited
    expect(lines()).toMatchObject([{ id: 1 }])
  })

  it.each(['node', 'bun', 'deno'])('ST-11 %s ends when there is no input', async (runtime) => {
    const command = `${root}node_modules/.bin/${runtime}`
    const args =
      {
        node: [fixture],
        bun: ['run', fixture],
        deno: ['run', '-A', '--unstable-sloppy-imports', fixture],
      }[runtime] ?? []
    const { child, lines, err, exited } = serve(command, args)
    child.stdin.end(`${JSON.stringify(call(1, 'noise'))}\n`)
    expect(await exited).toBe(0)
    expect(err()).toContain('stray')
    expect(lines()).toMatchObject([{ id: 1, result: { content: [{ text: 'quiet' }] } }])
  })
})
