/**
 * What one run is held to: the scenarios of its set, less what is pending.
 *
 * @module
 */

import { ALLOWED_SKIPS, PENDING } from '../pending.ts'
import type { Pending, TargetName } from '../pending.ts'
import type { PlannedRun } from './command-line.ts'
import type { Check, Expectation } from './judge.ts'
import type { RequiredScenario } from './requirement-set.ts'

/** Pairs every scenario of a set, and every record, with what is expected of it. */
export function expectations(
  run: PlannedRun & { readonly target: TargetName },
  required: readonly RequiredScenario[],
  records: ReadonlyMap<string, readonly Check[]>,
): readonly Expectation[] {
  const known = new Set(required.map(({ scenario }) => scenario))
  const extra = [...records.keys()].filter((scenario) => !known.has(scenario))
  const all = [...required, ...extra.map((scenario) => ({ scenario, scored: false }))]
  return all.map(({ scenario, scored }) => {
    const pending = findPending(run, scenario)
    return {
      scenario,
      scored,
      checks: records.get(scenario),
      pending: pending && { hollow: pending.hollow === true },
      skips: allowedSkips(run, scenario),
    }
  })
}

/** Whether an entry speaks of a scenario, by its name or by a prefix that ends in `*`. */
export function covers({ scenarios }: Pending, scenario: string): boolean {
  return scenarios.some((name) =>
    name.endsWith('*') ? scenario.startsWith(name.slice(0, -1)) : name === scenario,
  )
}

/** The entries of the list that bear on a run. */
export function pendingFor(run: PlannedRun & { readonly target: TargetName }): readonly Pending[] {
  return PENDING.filter(
    ({ leg, revision, targets }) =>
      leg === run.leg &&
      (revision === undefined || revision === run.revision) &&
      (targets === undefined || targets.includes(run.target)),
  )
}

function findPending(
  run: PlannedRun & { readonly target: TargetName },
  scenario: string,
): Pending | undefined {
  return pendingFor(run).find((entry) => covers(entry, scenario))
}

function allowedSkips(run: PlannedRun, scenario: string): Record<string, number> {
  const entries = ALLOWED_SKIPS.filter(
    (skip) => skip.leg === run.leg && skip.revision === run.revision && skip.scenario === scenario,
  )
  return Object.fromEntries(entries.map(({ check, times }) => [check, times]))
}
