/**
 * What the official suite is not expected to show yet, each with the part that brings it and why.
 *
 * The runner prints the list, fails when anything outside it fails, and fails when something on it
 * passes, so that the list can only shrink knowingly.
 *
 * @module
 */

/** Which end of a conversation the suite examines. */
export type Leg = 'server' | 'client'

/** Where the fixture server runs. */
export type TargetName = 'node' | 'deno' | 'bun' | 'workerd' | 'workerd-sealed' | 'next'

/** A scenario that is not expected to pass yet. */
export interface Pending {
  readonly leg: Leg
  /** The wire it runs on; absent: every one. */
  readonly revision?: string | undefined
  /** Names; one that ends in `*` stands for all that begin so and no earlier entry names. */
  readonly scenarios: readonly string[]
  /** The part that brings it; `null` when none does. */
  readonly part: number | null
  readonly reason: string
  /** Passes on a server that lacks the feature, so a pass proves nothing until the part is done. */
  readonly hollow?: boolean | undefined
  /** Only there; absent: on every target. */
  readonly targets?: readonly TargetName[] | undefined
}

/** A check that the suite reports as skipped, and may. */
export interface AllowedSkip {
  readonly leg: Leg
  readonly revision: string
  readonly scenario: string
  readonly check: string
  /** How many times at most. */
  readonly times: number
  /** The part after which it no longer is skipped; `null` when it always is. */
  readonly part: number | null
  readonly reason: string
}

/** The legs that exist: `npm run conformance` without an argument runs these. */
export const LEGS: readonly Leg[] = ['server', 'client']

/** Scenarios that may fail, and must. */
export const PENDING: readonly Pending[] = [
  {
    leg: 'server',
    revision: '2026-07-28',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
    part: null,
    reason: 'the tasks extension is optional and not built',
  },
  {
    leg: 'server',
    revision: '2025-11-25',
    scenarios: [
      'logging-set-level',
      'tools-call-with-logging',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'resources-subscribe',
      'resources-unsubscribe',
      'server-session-lifecycle',
      'server-sse-polling',
    ],
    part: null,
    reason: 'sealed sessions are kept nowhere: what has to be remembered, or asked, is refused',
    targets: ['workerd-sealed'],
  },
  {
    leg: 'client',
    scenarios: ['auth/dpop', 'auth/dpop-nonce'],
    part: null,
    reason: 'optional authorization extensions that are not built',
  },
]

/** Scenarios that no requirement set runs and we do not run either. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'sep-2640-skills-enumeration': 'the skills extension is optional and not built',
  'sep-2640-skills-manifest': 'the skills extension is optional and not built',
  'sep-2640-skills-directory': 'the skills extension is optional and not built',
  'sep-2640-client-no-prefetch': 'the skills extension is optional and not built',
  'sep-2640-client-verify-digest': 'the skills extension is optional and not built',
  'sep-2640-client-verify-size': 'the skills extension is optional and not built',
  'sep-2640-client-verify-frontmatter': 'the skills extension is optional and not built',
  'authorization-server-metadata-endpoint': 'we ship no authorization server',
  'authorization-code-grant': 'we ship no authorization server',
}

/** Checks that may be skipped, and must be. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  {
    leg: 'client',
    revision: '2026-07-28',
    scenario: 'http-standard-headers',
    check: 'sep-2243-client-includes-standard-headers',
    times: 2,
    part: null,
    reason: 'a modern client sends neither initialize nor initialized',
  },
]
