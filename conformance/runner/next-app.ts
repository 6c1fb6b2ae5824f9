/**
 * Building Next.js applications with the package as it would be published.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from './suite.ts'

/** The example, whose `node_modules` hold Next.js. */
export const NEXT_EXAMPLE = join(REPOSITORY, 'examples', 'next')

/** Next.js itself, to be run with Node. */
export const NEXT = join(NEXT_EXAMPLE, 'node_modules', 'next', 'dist', 'bin', 'next')

/**
 * Installs what the example needs, and puts the package of this tree among it.
 *
 * @throws when a step fails, with what it said
 */
export function installNext(): void {
  run('npm', ['run', '--silent', 'build'], REPOSITORY)
  if (!existsSync(NEXT)) {
    run('npm', ['ci'], NEXT_EXAMPLE)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'mcp-edge-pack-'))
  run('npm', ['pack', '--silent', '--pack-destination', folder], REPOSITORY)
  const [packed = ''] = readdirSync(folder)
  const target = join(NEXT_EXAMPLE, 'node_modules', 'mcp-edge')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  run('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', target], REPOSITORY)
  rmSync(folder, { recursive: true })
}

/**
 * Builds an application.
 *
 * @param folder where it is
 * @throws when it does not build, with what Next.js said
 */
export function buildNext(folder: string): void {
  run(process.execPath, [NEXT, 'build', folder], NEXT_EXAMPLE)
}

/** Puts the fixture's application below the example, builds it, and says where it is. */
export function buildFixtureApp(): string {
  installNext()
  const stage = join(NEXT_EXAMPLE, '.conformance')
  rmSync(stage, { recursive: true, force: true })
  for (const part of ['fixture', 'next']) {
    cpSync(join(REPOSITORY, 'conformance', part), join(stage, part), { recursive: true })
  }
  const app = join(stage, 'next')
  buildNext(app)
  return app
}

function run(command: string, args: readonly string[], cwd: string): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return
  throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
