/**
 * Fails a test file whose subject, `dist/`, could not be built.
 *
 * @module
 */
import { beforeAll, inject } from 'vitest'

/** Registers the check; a stale `dist/` proves nothing. */
export function requireBuild(): void {
  beforeAll(() => {
    const failure = inject('buildFailure')
    if (failure !== '') throw new Error(failure)
  })
}
