/**
 * Starts the official suite and reads what it recorded.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Leg } from '../pending.ts'
import { parseChecks } from './judge.ts'
import type { Check } from './judge.ts'

/** Which scenarios to run: a requirement set, or a named group at its own wire. */
export type Selection = { readonly requirements: string } | { readonly suite: string }

/** One run of the suite. */
export interface SuiteRun {
  readonly leg: Leg
  readonly selection: Selection
  /** The server under test, or the command that starts the client under test. */
  readonly subject: string
  readonly outputDir: string
}

/** Everything is spawned from here, so that relative paths in commands work. */
export const REPOSITORY: string = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the installed suite. */
export const SUITE_ROOT: string = dirname(
  fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
)

/** All clients of a set start at once: on a small machine the suite's own 30 s is too short. */
const TIMEOUT_MS = 60_000

/** A scenario's folder ends with the time it ran. */
const TIME_SUFFIX = /-\d{4}-\d\d-\d\dT[\d-]+Z$/

/** Runs the suite. @returns its exit code */
export async function runSuite(run: SuiteRun): Promise<number> {
  const args = [join(SUITE_ROOT, 'dist/index.js'), ...suiteArguments(run)]
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: unknown) => (output += String(chunk)))
  child.stderr.on('data', (chunk: unknown) => (output += String(chunk)))
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit) => resolve(exit ?? 1))
  })
  if (process.env['CONFORMANCE_VERBOSE'] !== undefined) process.stdout.write(output)
  return code
}

/** The arguments of one run: strict, because the list of expected failures is empty. */
export function suiteArguments({ leg, selection, subject, outputDir }: SuiteRun): string[] {
  return [
    leg,
    ...(leg === 'server' ? ['--url', subject] : ['--command', subject]),
    ...('suite' in selection
      ? ['--suite', selection.suite]
      : ['--requirements', selection.requirements]),
    '--timeout',
    String(TIMEOUT_MS),
    '--expected-failures',
    join('conformance', 'none.yml'),
    '-o',
    outputDir,
  ]
}

/** The checks of every scenario that left a record. */
export async function readRecords(
  leg: Leg,
  outputDir: string,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const names = await readdir(outputDir, { recursive: true }).catch(() => [])
  const records = new Map<string, readonly Check[]>()
  for (const name of names.filter((path) => path.endsWith(`${sep}checks.json`))) {
    const text = await readFile(join(outputDir, name), 'utf8')
    records.set(scenarioOf(leg, relative('', dirname(name))), parseChecks(text))
  }
  return records
}

/** The scenario that a result folder belongs to. */
export function scenarioOf(leg: Leg, folder: string): string {
  const name = folder.split(sep).join('/').replace(TIME_SUFFIX, '')
  return leg === 'server' ? name.replace(/^server-/, '') : name
}
