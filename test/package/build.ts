/**
 * Builds `dist/` once before the package tests, because they look at what is published.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the compiler said when it could not build; empty after a good build. */
    readonly buildFailure: string
  }
}

/** Runs the emitting projects; a failure is handed to the tests that need the build, and fails those. */
export function setup(project: TestProject): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, encoding: 'utf8' })
  const failure = `the build failed:\n${built.stdout}${built.stderr}`
  project.provide('buildFailure', built.status === 0 ? '' : failure)
}
