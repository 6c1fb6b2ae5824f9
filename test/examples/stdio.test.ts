import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Client } from 'mcp-edge/client'
import { stdio } from 'mcp-edge/stdio'
import { root } from '../package/package-map.ts'

interface Runtime {
  readonly name: string
  readonly args: readonly string[]
}

const condition = '--conditions=mcp-edge-source'

const runtimes: readonly Runtime[] = [
  { name: 'node', args: [condition] },
  { name: 'bun', args: [condition] },
  { name: 'deno', args: ['run', '-A', '--no-check', condition] },
]

describe.each(runtimes)('the notes on $name', (runtime) => {
  test.each(['legacy', 'auto'] as const)('in mode %s', (mode) => notes(runtime, mode))
})

async function notes(runtime: Runtime, mode: 'legacy' | 'auto'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'notes-'))
  const command = join(root, 'node_modules/.bin', runtime.name)
  const args = [...runtime.args, join(root, 'examples/stdio/server.ts'), folder]
  const client = new Client({ name: 'test', version: '1.0.0' })
  client.onElicitation(() => ({ action: 'accept', content: { yes: true } }))
  try {
    await client.connect(stdio({ command, args, cwd: root }), { mode })
    await client.callTool('write', { name: 'moon', text: 'It is full.' })
    const again = await client.callTool('write', { name: 'moon', text: 'It is new.' })
    expect(again.content).toMatchObject([{ text: 'Wrote moon.' }])
    const seen: number[] = []
    const found = await client.callTool(
      'search',
      { text: 'NEW' },
      { onProgress: ({ progress }) => seen.push(progress) },
    )
    expect(found.structuredContent).toEqual({ found: [{ name: 'moon', line: 'It is new.' }] })
    expect(seen).toEqual([1])
    const { contents } = await client.readResource('note://local/moon')
    expect(contents).toMatchObject([{ text: 'It is new.' }])
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
