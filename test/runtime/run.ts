/**
 * `npm run test:runtimes -- [runtime…]`: installs the packed package into a fresh project, runs the suite there on every
 * runtime, then sends each runtime a thousand clients that leave; prints a table, fails on any failure.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { installPacked, root } from '../consumer/packed.ts'
import { leavers } from './leavers.ts'
import { MARK, type Outcome } from './report.ts'
import { findRuntimes, type Runtime } from './runtimes.ts'

/** A runtime that takes longer than this, in milliseconds, is killed. */
const RUNTIME_TIMEOUT_MS = 180_000

const wanted = process.argv.slice(2)
const project = installPacked()
for (const part of ['test/runtime', 'test/support']) project.copy(part)
let failures = 0
try {
  const runtimes = findRuntimes(project.folder)
  const chosen = runtimes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  for (const runtime of chosen) {
    const ran = await run(runtime)
    const left = await leavers(runtime, project.folder)
    failures += show(runtime.name, { ...ran, outcomes: [...ran.outcomes, left] })
  }
} finally {
  project.remove()
}
process.exitCode = failures === 0 ? 0 : 1

interface Ran {
  readonly outcomes: readonly Outcome[]
  readonly exit: string
  readonly other: string
}

function run({ command, args, suite, inProject }: Runtime): Promise<Ran> {
  return new Promise((resolve) => {
    const cwd = inProject ? project.folder : root
    const child = spawn(command, [...args, ...suite], { cwd, timeout: RUNTIME_TIMEOUT_MS })
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
