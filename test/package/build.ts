/**
 * Builds `dist/` once before the package tests, because they look at what is published.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the emitting projects; a compile error fails the whole run with the compiler's own text. */
export function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const built = spawnSync('tsc', ['-b', 'src', 'src/tsconfig.node.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new Error(`tsc -b failed:\n${built.stdout}${built.stderr}`)
}
