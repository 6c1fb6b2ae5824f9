/**
 * Running the cases and saying what came of them.
 *
 * @module
 */
import type { Env } from './case.ts'
import { cases } from './suite.ts'

/** What came of one case. */
export interface Outcome {
  readonly mode: string
  readonly name: string
  readonly ms: number
  readonly error?: string | undefined
}

/** Marks a line of a child's output that carries an {@link Outcome}. */
export const MARK = '@outcome '

/** A case that takes longer than this, in milliseconds, has failed. */
const CASE_TIMEOUT_MS = 25_000

/**
 * Runs every case.
 *
 * @param mode How the server is reached, for the report.
 * @param env The server under test.
 */
export async function runCases(mode: string, env: Env): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { name, run, when } of cases) {
    if (when?.(env) === false) continue
    const start = Date.now()
    const error = await failureOf(run(env))
    outcomes.push({ mode, name, ms: Date.now() - start, error })
  }
  return outcomes
}

/**
 * Prints outcomes for the parent to read.
 *
 * @param outcomes What to print.
 */
export function report(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) console.log(MARK + JSON.stringify(outcome))
}

async function failureOf(running: Promise<void>): Promise<string | undefined> {
  const timeout = Promise.withResolvers<string>()
  const timer = setTimeout(
    () => timeout.resolve(`no end after ${CASE_TIMEOUT_MS} ms`),
    CASE_TIMEOUT_MS,
  )
  const failure = running.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  try {
    return await Promise.race([failure, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
