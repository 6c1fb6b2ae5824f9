/**
 * A fresh project that has installed the package as it would be published.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** A project. */
export interface Project {
  readonly folder: string
  /** Copies a folder of the repository into the project, to the same place. */
  readonly copy: (folder: string) => void
  readonly remove: () => void
}

/** The optional peers of the package, and what the tests themselves import. */
const BESIDE = ['@hono/node-server', '@hono/zod-validator', 'hono', 'zod', 'eventsource-parser']

/**
 * Packs the package and installs the tarball, its dependencies and its optional peers into a new folder.
 *
 * @param more packages besides, of the versions that the repository has
 * @throws when a step fails, with what it said
 */
export function installPacked(more: readonly string[] = []): Project {
  run('npm', ['run', '--silent', 'build'], root)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-edge-consumer-')))
  run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  const [tarball = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  const beside = [...BESIDE, ...more].map((name) => `${name}@${versionOf(name)}`)
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  run('npm', ['install', ...quiet, `./${tarball}`, ...beside], folder)
  return {
    folder,
    copy: (part) => cpSync(join(root, part), join(folder, part), { recursive: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The version of a package that the repository has installed. */
function versionOf(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}

/**
 * Runs a command to its end.
 *
 * @param command what to run
 * @param args its arguments
 * @param cwd where
 * @returns what it printed
 * @throws when it fails, with what it said
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  if (status === 0) return stdout
  const reason = error?.message ?? `exit ${String(status)}`
  throw new Error(`${command} ${args.join(' ')} failed (${reason}):\n${stdout}${stderr}`)
}
