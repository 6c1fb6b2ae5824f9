/**
 * `npm run conformance -- [server|client|all] [revision] [--target name | --url URL]`.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { LEGS } from '../pending.ts'
import type { Leg, TargetName } from '../pending.ts'
import type { Selection } from './suite.ts'
import { isTarget } from './targets.ts'

/** One leg at one wire. */
export interface PlannedRun {
  readonly leg: Leg
  readonly revision: string
  readonly selection: Selection
}

/** What a command line asks for. */
export interface Plan {
  readonly target: TargetName
  /** A server that is already up; absent: the fixture is started. */
  readonly url: string | undefined
  readonly runs: readonly PlannedRun[]
}

/** Revisions with a frozen requirement set. */
const REVISIONS: readonly string[] = ['2025-11-25', '2026-07-28']

/** 2025-03-26 has no set, only a group of client scenarios. */
const BACKCOMPAT = '2025-03-26'

const USAGE =
  'usage: conformance [server|client|all] [revision] [--target node|deno|bun|workerd|workerd-sealed|next | --url URL]'

/** Reads the arguments. @throws TypeError that shows the usage */
export function parseCommandLine(args: readonly string[]): Plan {
  const { values, positionals: words } = parseArgs({
    args: [...args],
    options: { target: { type: 'string', default: 'node' }, url: { type: 'string' } },
    allowPositionals: true,
  })
  const { target, url } = values
  if (!isTarget(target)) throw new TypeError(`unknown target ${JSON.stringify(target)}; ${USAGE}`)
  const leg = words.find(isLegWord) ?? 'all'
  const revision = words.find((word) => /^\d{4}-\d\d-\d\d$/.test(word))
  const stranger = words.find((word) => word !== leg && word !== revision)
  if (stranger !== undefined)
    throw new TypeError(`unknown word ${JSON.stringify(stranger)}; ${USAGE}`)
  const runs = allRuns(leg === 'all' ? LEGS : [leg])
  const chosen = runs.filter((run) => revision === undefined || run.revision === revision)
  if (chosen.length === 0) throw new TypeError(`nothing to run at ${String(revision)}; ${USAGE}`)
  return { target, url, runs: chosen }
}

function allRuns(legs: readonly Leg[]): PlannedRun[] {
  return legs.flatMap((leg): PlannedRun[] => [
    ...REVISIONS.map((revision) => ({ leg, revision, selection: { requirements: revision } })),
    ...(leg === 'client'
      ? [{ leg, revision: BACKCOMPAT, selection: { suite: 'backcompat' } }]
      : []),
  ])
}

function isLegWord(word: string): word is Leg | 'all' {
  return word === 'server' || word === 'client' || word === 'all'
}
