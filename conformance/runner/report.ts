/**
 * The table that a conformance run prints.
 *
 * @module
 */

import { isGood } from './judge.ts'
import type { Outcome, Verdict } from './judge.ts'

/** One line per scenario, its problems below it, and a summary line. */
export function renderTable(title: string, verdicts: readonly Verdict[]): string {
  const width = Math.max(8, ...verdicts.map(({ scenario }) => scenario.length))
  const header = `  ${'scenario'.padEnd(width)}  scored  pass  fail  warn  skip  outcome`
  return [
    '',
    title,
    header,
    ...verdicts.flatMap((row) => rowLines(row, width)),
    summary(verdicts),
    '',
  ].join('\n')
}

function rowLines(verdict: Verdict, width: number): string[] {
  const cells = [
    verdict.scenario.padEnd(width),
    (verdict.scored ? 'yes' : '-').padEnd(6),
    String(verdict.passed).padStart(4),
    String(verdict.failed).padStart(4),
    String(verdict.warned).padStart(4),
    String(verdict.skipped).padStart(4),
    verdict.outcome,
  ]
  const line = `${isGood(verdict) ? ' ' : '!'} ${cells.join('  ')}`
  const problems = isGood(verdict) ? [] : verdict.problems.map((problem) => `      ${problem}`)
  return [line, ...problems]
}

function summary(verdicts: readonly Verdict[]): string {
  const scored = verdicts.filter((verdict) => verdict.scored)
  const bad = verdicts.filter((verdict) => !isGood(verdict)).length
  const unscored = verdicts.filter((verdict) => !verdict.scored)
  return (
    `  scored ${countOf(scored, 'pass')}/${scored.length}, others ${countOf(unscored, 'pass')}/${unscored.length}, ` +
    `${countOf(verdicts, 'pending')} pending, ${bad} bad`
  )
}

function countOf(verdicts: readonly Verdict[], outcome: Outcome): number {
  return verdicts.filter((verdict) => verdict.outcome === outcome).length
}
