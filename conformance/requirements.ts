/**
 * The ledger of requirements: every numbered wire requirement and field case, the part that claims
 * it, and how a test proves that it is kept — by carrying the id in its title.
 *
 * @module
 */

import { FIELD_CASES } from './requirements/field-cases.ts'
import { CLIENT_PART } from './requirements/row.ts'
import type { Section } from './requirements/row.ts'
import { WIRE_ENDS } from './requirements/wire-ends.ts'
import { WIRE_FEATURES } from './requirements/wire-features.ts'
import { WIRE_MESSAGES } from './requirements/wire-messages.ts'

/** Parts that are finished: what they claim must be proved. */
export const DONE_PARTS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]

/** One thing that a test must show. A requirement on both sides is two of them. */
export interface Requirement {
  readonly id: string
  readonly section: string
  readonly subject: string
  readonly side: 'server' | 'client'
  readonly part: number
  readonly reason: string | undefined
}

/** A string of a test file. */
export interface Title {
  readonly file: string
  readonly text: string
}

/** Every requirement, wire first. */
export function allRequirements(): readonly Requirement[] {
  return [...WIRE_MESSAGES, ...WIRE_FEATURES, ...WIRE_ENDS, ...FIELD_CASES].flatMap(ofSection)
}

/**
 * What is wrong with the ledger, one line each; empty when every claim is proved.
 *
 * @param titles the titles of all tests
 * @param done the parts whose claims count
 * @param requirements what has to be proved
 */
export function ledgerProblems(
  titles: readonly Title[],
  done: readonly number[] = DONE_PARTS,
  requirements: readonly Requirement[] = allRequirements(),
): readonly string[] {
  return requirements.flatMap((requirement) => problemOf(requirement, titles, done))
}

/** The titles in the text of a test file: its string literals, without those of skipped tests. */
export function titlesIn(file: string, source: string): readonly Title[] {
  const code = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '').replace(/\.(skip|todo)\([^\n]*/g, '')
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  return literals.map((text) => ({ file, text }))
}

function ofSection({ name, part, rows }: Section): readonly Requirement[] {
  return rows.flatMap(([id, subject, options = {}]) => {
    const common = { id, section: name, subject, reason: options.reason }
    const server: Requirement = { ...common, side: 'server', part: options.part ?? part }
    const client: Requirement = { ...common, side: 'client', part: Math.max(part, CLIENT_PART) }
    const side = options.side ?? 'server'
    if (side === 'both') return [server, client]
    return side === 'client' ? [client] : [server]
  })
}

function problemOf(
  requirement: Requirement,
  titles: readonly Title[],
  done: readonly number[],
): readonly string[] {
  const { id, subject, side, part, reason } = requirement
  const awaited = /^part (\d)$/.exec(reason ?? '')?.[1]
  if (awaited !== undefined && done.includes(Number(awaited))) {
    return [`${id} (${subject}) still waits for part ${awaited}, which is done`]
  }
  if (reason !== undefined || !done.includes(part)) return []
  const proved = titles.some((title) => carries(title, id) && proves(title, side))
  return proved ? [] : [`${id} (${subject}) has no ${side} test: claimed by part ${part}`]
}

function carries({ text }: Title, id: string): boolean {
  const prefix = id.startsWith('case ') ? '' : '(?<!case )'
  return new RegExp(`${prefix}\\b${id}\\b`).test(text)
}

/** The client's half must be shown by a test of the client, not by the server's test of the same id. */
function proves({ file }: Title, side: 'server' | 'client'): boolean {
  return side === 'server' || /client|stdio|oauth/.test(file)
}
