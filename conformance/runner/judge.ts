/**
 * Judges what a run of the official suite recorded. Pure: text in, verdict out.
 *
 * Stricter than the suite: a warning fails, a scenario without one real success fails, a scenario
 * that left no record fails, and a pending scenario that passes fails until it is taken off the list.
 *
 * @module
 */

/** One entry of a `checks.json`, as far as we read it. */
export interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string | undefined
  readonly description?: string | undefined
}

/** What was expected of one scenario, with what was recorded. */
export interface Expectation {
  readonly scenario: string
  readonly scored: boolean
  /** The recorded checks; `undefined` when the scenario left none. */
  readonly checks: readonly Check[] | undefined
  /** Not expected to pass yet. */
  readonly pending?: { readonly hollow: boolean } | undefined
  /** Check ids that are skipped, and how often at most. */
  readonly skips?: Readonly<Record<string, number>> | undefined
}

/** What became of one scenario. */
export type Outcome =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'vacuous'
  | 'missing'
  | 'skip'
  | 'stale skip'
  | 'pending'
  | 'unnoticed pass'

/** One row of the report. */
export interface Verdict {
  readonly scenario: string
  readonly scored: boolean
  readonly outcome: Outcome
  readonly passed: number
  readonly failed: number
  readonly warned: number
  readonly skipped: number
  /** What went wrong, one line each. */
  readonly problems: readonly string[]
}

/** Outcomes that do not fail a run. */
const GOOD: readonly Outcome[] = ['pass', 'pending']

/** The suite adds these two to nearly every scenario: they say nothing about the scenario itself. */
const SYNTHETIC: readonly string[] = ['wire-schema-valid', 'wire-schema-harness-error']

/** Whether a verdict lets the run succeed. */
export function isGood(verdict: Verdict): boolean {
  return GOOD.includes(verdict.outcome)
}

/** Reads the array of a `checks.json`. @throws TypeError when the text is not such an array. */
export function parseChecks(text: string): readonly Check[] {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new TypeError('checks.json is not an array')
  return value.map(toCheck)
}

/** Judges one scenario. */
export function judge(expectation: Expectation): Verdict {
  const checks = expectation.checks ?? []
  const problems = [...complaints(checks), ...skipProblems(expectation)]
  const measured = measure(expectation)
  return {
    scenario: expectation.scenario,
    scored: expectation.scored,
    outcome: expectation.pending === undefined ? measured : againstPending(measured, expectation),
    passed: count(checks, 'SUCCESS'),
    failed: count(checks, 'FAILURE'),
    warned: count(checks, 'WARNING'),
    skipped: count(checks, 'SKIPPED'),
    problems,
  }
}

function measure({ checks, skips }: Expectation): Outcome {
  if (checks === undefined) return 'missing'
  if (count(checks, 'FAILURE') > 0) return 'fail'
  if (count(checks, 'WARNING') > 0) return 'warn'
  if (!checks.some(isRealSuccess)) return 'vacuous'
  if (unexpectedSkips(checks, skips ?? {}).length > 0) return 'skip'
  if (staleSkips(checks, skips ?? {}).length > 0) return 'stale skip'
  return 'pass'
}

function againstPending(measured: Outcome, { pending }: Expectation): Outcome {
  if (measured === 'missing') return 'missing'
  return measured === 'pass' && pending?.hollow !== true ? 'unnoticed pass' : 'pending'
}

function isRealSuccess(check: Check): boolean {
  return check.status === 'SUCCESS' && !SYNTHETIC.includes(check.id)
}

function count(checks: readonly Check[], status: string): number {
  return checks.filter((check) => check.status === status).length
}

function complaints(checks: readonly Check[]): string[] {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage, description }) => {
      return `${status} ${id}: ${errorMessage ?? description ?? 'no message'}`
    })
}

function skipProblems({ checks, skips }: Expectation): string[] {
  if (checks === undefined) return ['left no checks.json']
  return [
    ...unexpectedSkips(checks, skips ?? {}).map((id) => `SKIPPED ${id}: not on the list of skips`),
    ...staleSkips(checks, skips ?? {}).map(
      (id) => `${id} is no longer skipped: take it off the list`,
    ),
  ]
}

function unexpectedSkips(
  checks: readonly Check[],
  skips: Readonly<Record<string, number>>,
): string[] {
  const ids = new Set(checks.filter(({ status }) => status === 'SKIPPED').map(({ id }) => id))
  return [...ids].filter((id) => skippedTimes(checks, id) > (skips[id] ?? 0))
}

function staleSkips(checks: readonly Check[], skips: Readonly<Record<string, number>>): string[] {
  return Object.keys(skips).filter((id) => skippedTimes(checks, id) === 0)
}

function skippedTimes(checks: readonly Check[], id: string): number {
  return checks.filter((check) => check.id === id && check.status === 'SKIPPED').length
}

function toCheck(value: unknown): Check {
  const entry: Readonly<Record<string, unknown>> = { ...(typeof value === 'object' ? value : {}) }
  const { id, status, errorMessage, description } = entry
  if (typeof id !== 'string' || typeof status !== 'string') {
    throw new TypeError('a check of checks.json lacks its id or status')
  }
  return {
    id,
    status,
    errorMessage: typeof errorMessage === 'string' ? errorMessage : undefined,
    description: typeof description === 'string' ? description : undefined,
  }
}
