/** `npm run test:runtimes`: builds the package, runs the suite on every runtime, prints a table, fails on any failure. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { MARK, type Outcome } from './report.ts'

interface Runtime {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')

/** A runtime that says nothing for this long, in milliseconds, is killed. */
const RUNTIME_TIMEOUT_MS = 120_000

const runtimes: readonly Runtime[] = [
  { name: 'node', command: 'node', args: ['test/runtime/node.ts'] },
  { name: 'deno', command: 'deno', args: ['run', '-A', '--no-check', 'test/runtime/deno.ts'] },
  { name: 'bun', command: 'bun', args: ['test/runtime/bun.ts'] },
  { name: 'workerd old', command: 'node', args: ['test/runtime/workerd.ts', 'miniflare'] },
  { name: 'workerd new', command: 'node', args: ['test/runtime/workerd.ts', 'wrangler'] },
  { name: 'objects new', command: 'node', args: ['test/runtime/workers.ts', 'new'] },
  { name: 'objects old', command: 'node', args: ['test/runtime/workers.ts', 'old'] },
]

const wanted = process.argv.slice(2)
const chosen = runtimes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

const build = spawnSync(join(bin, 'tsc'), ['-b', 'src', 'src/tsconfig.node.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (build.status !== 0) process.exit(1)

let failures = 0
for (const runtime of chosen) failures += show(runtime.name, await run(runtime))
process.exit(failures === 0 ? 0 : 1)

interface Ran {
  readonly outcomes: readonly Outcome[]
  readonly exit: string
  readonly other: string
}

function run({ command, args }: Runtime): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(join(bin, command), args, { cwd: root, timeout: RUNTIME_TIMEOUT_MS })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => resolve({ outcomes: [], exit: error.message, other: '' }))
    child.on('close', (code, signal) => {
      const lines = output.split('\n')
      const marked = lines.filter((line) => line.startsWith(MARK))
      resolve({
        outcomes: marked.map((line): Outcome => JSON.parse(line.slice(MARK.length))),
        exit: code === 0 ? '' : `exit ${code ?? signal}`,
        other: lines.filter((line) => !line.startsWith(MARK)).join('\n'),
      })
    })
  })
}

function show(name: string, { outcomes, exit, other }: Ran): number {
  const failed = outcomes.filter(({ error }) => error !== undefined)
  const broken = exit !== '' || outcomes.length === 0
  console.log(
    `\n${name}: ${outcomes.length - failed.length} passed, ${failed.length} failed ${exit}`,
  )
  for (const { mode, name: title, ms, error } of outcomes) {
    console.log(`  ${error === undefined ? '✔' : '✘'} ${mode.padEnd(10)} ${title} (${ms} ms)`)
    if (error !== undefined) console.log(`      ${error}`)
  }
  if (broken) console.log(other.trim())
  return failed.length + (broken ? 1 : 0)
}
