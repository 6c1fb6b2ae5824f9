/**
 * The frozen list of scenarios that a revision requires, read from the suite's own files.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Leg } from '../pending.ts'

/** A scenario of a requirement set. */
export interface RequiredScenario {
  readonly scenario: string
  readonly scored: boolean
}

/**
 * The scenarios that a revision requires of one leg, scored ones first.
 *
 * @param suiteRoot the folder of the installed suite
 * @throws Error when the file names no scenario, which means its format has changed
 */
export async function readRequirementSet(
  suiteRoot: string,
  revision: string,
  leg: Leg,
): Promise<readonly RequiredScenario[]> {
  const text = await readFile(join(suiteRoot, 'requirements', `${revision}.yaml`), 'utf8')
  const found = parseRequirementSet(text, leg)
  if (found.every(({ scored }) => !scored)) {
    throw new Error(
      `requirements/${revision}.yaml lists no ${leg} scenario: has its format changed?`,
    )
  }
  return found
}

/** Reads the small part of YAML that the requirement files use. */
export function parseRequirementSet(text: string, leg: Leg): readonly RequiredScenario[] {
  const scored = section(text, leg).map((line) => line.replace(/^\s*-\s*/, ''))
  const unscored = section(text, 'not_scored')
    .join('\n')
    .split(/^\s*- scenario:\s*/m)
    .filter((entry) => new RegExp(`^ {4}leg: ${leg}$`, 'm').test(entry))
    .map((entry) => entry.split('\n', 1)[0]?.trim() ?? '')
  return [
    ...scored.map((scenario) => ({ scenario, scored: true })),
    ...unscored.map((scenario) => ({ scenario, scored: false })),
  ]
}

function section(text: string, name: string): string[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '')
  const start = lines.indexOf(`${name}:`) + 1
  if (start === 0) return []
  const length = lines.slice(start).findIndex((line) => /^\S/.test(line))
  return lines.slice(start, length === -1 ? undefined : start + length)
}
