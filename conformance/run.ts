/**
 * Runs the official conformance suite against our fixture server and client, strictly.
 *
 * `npm run conformance -- [server|client|all] [revision] [--target node|deno|bun|workerd|workerd-sealed|next]`
 * `npm run conformance -- server [revision] --url http://127.0.0.1:8787/mcp` (a server that is up)
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOT_RUN } from './pending.ts'
import { parseCommandLine } from './runner/command-line.ts'
import type { Plan, PlannedRun } from './runner/command-line.ts'
import { covers, expectations, pendingFor } from './runner/expectations.ts'
import { isGood, judge } from './runner/judge.ts'
import type { Verdict } from './runner/judge.ts'
import { renderTable } from './runner/report.ts'
import { readRequirementSet } from './runner/requirement-set.ts'
import { readRecords, REPOSITORY, runSuite, SUITE_ROOT } from './runner/suite.ts'
import { startFixture } from './runner/targets.ts'

const CLIENT = 'conformance/client.ts'

async function main(): Promise<number> {
  const plan = parseCommandLine(process.argv.slice(2))
  let good = true
  for (const run of plan.runs) {
    const passed =
      run.leg === 'server' ? await runServerLeg(run, plan) : await runClientLeg(run, plan)
    good &&= passed
  }
  printNotRun()
  return good ? 0 : 1
}

function complain(error: unknown): number {
  console.error(error instanceof Error ? error.message : error)
  return 1
}

async function runServerLeg(run: PlannedRun, plan: Plan): Promise<boolean> {
  if (plan.url !== undefined) return await runLeg(run, plan, plan.url)
  const fixture = await startFixture(plan.target)
  try {
    return await runLeg(run, plan, fixture.url)
  } finally {
    await fixture.stop()
  }
}

async function runClientLeg(run: PlannedRun, plan: Plan): Promise<boolean> {
  if (!existsSync(join(REPOSITORY, CLIENT))) throw new Error(`${CLIENT} comes with part 5`)
  // Started directly: behind a wrapper the suite could not end a client that hangs.
  return await runLeg(run, plan, `${process.execPath} --conditions=mcp-edge-source ${CLIENT}`)
}

async function runLeg(run: PlannedRun, { target }: Plan, subject: string): Promise<boolean> {
  const outputDir = await mkdtemp(join(tmpdir(), 'mcp-edge-conformance-'))
  const exitCode = await runSuite({ ...run, subject, outputDir })
  const required =
    'requirements' in run.selection
      ? await readRequirementSet(SUITE_ROOT, run.revision, run.leg)
      : []
  const records = await readRecords(run.leg, outputDir)
  const verdicts = expectations({ ...run, target }, required, records).map(judge)
  const unexplained =
    verdicts.length === 0 || (exitCode !== 0 && !verdicts.some((verdict) => isBlamed(verdict, run)))
  const good = verdicts.every(isGood) && !unexplained
  console.log(renderTable(`${run.leg} ${run.revision} on ${target}`, verdicts))
  printPending({ ...run, target }, verdicts)
  if (unexplained) console.log(`! the suite ended with ${exitCode} and nothing above says why`)
  if (good) await rm(outputDir, { recursive: true })
  else console.log(`  records: ${outputDir}`)
  return good
}

/** Whether the suite, which judges only scored scenarios of a requirement set, fails by this one. */
function isBlamed({ outcome, scored }: Verdict, { selection }: PlannedRun): boolean {
  return outcome !== 'pass' && (scored || 'suite' in selection)
}

function printPending(run: Parameters<typeof pendingFor>[0], verdicts: readonly Verdict[]): void {
  for (const entry of pendingFor(run)) {
    const names = verdicts.map(({ scenario }) => scenario).filter((name) => covers(entry, name))
    if (names.length === 0) continue
    const label = entry.part === null ? 'out of scope' : `part ${entry.part}`
    console.log(`  ${label}: ${entry.reason}\n    ${names.join(', ')}`)
  }
}

function printNotRun(): void {
  console.log('\nnot run')
  for (const [scenario, reason] of Object.entries(NOT_RUN)) console.log(`  ${scenario}: ${reason}`)
}

process.exitCode = await main().catch(complain)
