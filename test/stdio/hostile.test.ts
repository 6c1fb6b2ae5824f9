/** Servers that break, in processes of their own, from a client in each runtime that has processes. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const server = fileURLToPath(new URL('fixtures/hostile.ts', import.meta.url))
const usable = { ok: true }
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules/.stdio-suite-'))
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('fixtures/hostile-suite.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
  })
  await writeFile(join(folder, 'suite.mjs'), outputFiles[0]?.text ?? '')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['node', []],
  ['bun', ['run']],
  ['deno', ['run', '-A']],
])(
  'IO-04 IO-05 each fails by name, is replaced or ended, and leaves nothing: %s',
  async (runtime, args) => {
    const command = `${root}node_modules/.bin/${runtime}`
    const suite = [...args, join(folder, 'suite.mjs'), process.execPath, server]
    const { stdout, stderr } = await promisify(execFile)(command, suite, { timeout: 60_000 })
    expect(JSON.parse(stdout)).toEqual({
      exit: { odd: expect.stringContaining('odd was not answered'), ok: usable, warnings: 1 },
      'ill-typed': {
        odd: expect.stringContaining('answer to odd is invalid'),
        ok: usable,
        warnings: 0,
      },
      twice: { odd: { turn: 1 }, ok: usable, warnings: 0 },
      endless: { odd: expect.stringContaining('4194304 bytes'), ok: usable, warnings: 1 },
      pings: { odd: { done: true }, ok: usable, warnings: expect.any(Number) },
      deaf: { odd: expect.stringContaining('odd was not answered'), ok: usable, warnings: 0 },
      loud: { odd: expect.stringContaining('odd was not answered'), ok: usable, warnings: 0 },
      start: expect.stringContaining('could not be started'),
      strays: 0,
    })
    expect(stderr).toBe('')
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    expect(
      processes.split('\n').filter((line) => line.includes(server) && !line.includes(folder)),
    ).toEqual([])
  },
  90_000,
)
