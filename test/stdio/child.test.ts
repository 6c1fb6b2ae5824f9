import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Client } from '../../src/client/index.ts'
import { stdio } from '../../src/stdio/index.ts'
import type { StdioOptions } from '../../src/stdio/index.ts'
import { until } from '../client/fake-server.ts'
import { script } from './fixtures/script.ts'

const me = { name: 'test', version: '1' }

const node = (args: readonly string[], more: Partial<StdioOptions> = {}): StdioOptions => ({
  command: process.execPath,
  args,
  stderr: 'ignore',
  ...more,
})

/** Whether a process runs; one that has ended and that nobody has asked about does not. */
function alive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
  const state = String(stdout).trim()
  return state !== '' && !state.startsWith('Z')
}

describe('a child process', () => {
  it('IO-04 ST-07 closes the input, asks, then kills; twice is once, and no process stays', async () => {
    const pids: number[] = []
    const stderr = (text: string): void =>
      void pids.push(...text.split('\n').filter(Boolean).map(Number))
    const stubborn = script('')
    stubborn[1] += `; console.error(process.pid); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
    const client = await Client.connect(stdio(node(stubborn, { stderr })), me)
    await until(() => pids.length === 1)
    const started = Date.now()
    await Promise.all([client.close(), client.close()])
    expect(Date.now() - started).toBeGreaterThan(3_500)
    expect(alive(pids[0] ?? 0)).toBe(false)
  })

  it('ST-07 ends the children of a wrapper when told to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stdio-'))
    const inner = join(folder, 'inner.cjs')
    const record = join(folder, 'pid')
    await writeFile(
      inner,
      `require('node:fs').writeFileSync(${JSON.stringify(record)}, String(process.pid))\n${script('')[1] ?? ''}; setInterval(() => {}, 1000)`,
    )
    const args = ['-c', `"${process.execPath}" "${inner}" & wait`]
    // A background process of a shell reads nothing unless it is told from where.
    args[1] = `exec 3<&0; "${process.execPath}" "${inner}" <&3 & wait`
    const target = stdio({ command: 'sh', args, stderr: 'ignore', killTree: true })
    const client = await Client.connect(target, { ...me, mode: 'legacy' })
    const pid = Number(await readFile(record, 'utf8'))
    expect(alive(pid)).toBe(true)
    await client.close()
    await until(() => !alive(pid))
  })

  it('hands over a small environment, and what it is told to', async () => {
    process.env['SECRET_OF_THE_HOST'] = 'x'
    const printing = script(
      `send({ id: m.id, result: { content: [{ type: 'text', text: JSON.stringify(process.env) }] } })`,
    )
    const client = await Client.connect(stdio(node(printing, { env: { OWN: 'y' } })), me)
    const { content } = await client.callTool('x')
    expect(JSON.stringify(content)).toContain('OWN')
    expect(JSON.stringify(content)).toContain('PATH')
    expect(JSON.stringify(content)).not.toContain('SECRET_OF_THE_HOST')
    delete process.env['SECRET_OF_THE_HOST']
    await client.close()
  })

  it('gives nothing to a shell', async () => {
    const echoing = [
      '-e',
      `process.stderr.write(process.argv.slice(1).join('|')); process.exit(1)`,
      '$(id)',
      '; id',
      '&& id',
    ]
    const connecting = Client.connect(stdio(node(echoing)), me)
    await expect(connecting).rejects.toThrow('its last words: $(id)|; id|&& id')
  })
})
