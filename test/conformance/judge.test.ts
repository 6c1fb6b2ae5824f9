import { describe, expect, test } from 'vitest'
import { parseCommandLine } from '../../conformance/runner/command-line.ts'
import { isGood, judge, parseChecks } from '../../conformance/runner/judge.ts'
import type { Check, Expectation } from '../../conformance/runner/judge.ts'
import { renderTable } from '../../conformance/runner/report.ts'
import { parseRequirementSet } from '../../conformance/runner/requirement-set.ts'
import { scenarioOf, suiteArguments } from '../../conformance/runner/suite.ts'

const SUCCESS: Check = { id: 'ping', status: 'SUCCESS' }
const FAILURE: Check = { id: 'ping', status: 'FAILURE', errorMessage: 'no answer' }
const WARNING: Check = { id: 'ping-order', status: 'WARNING', description: 'out of order' }
const SKIPPED: Check = { id: 'ping-extra', status: 'SKIPPED' }
const INFO: Check = { id: 'note', status: 'INFO' }
const SCHEMA: Check = { id: 'wire-schema-valid', status: 'SUCCESS' }

function outcome(checks: readonly Check[] | undefined, rest: Partial<Expectation> = {}): string {
  return judge({ scenario: 'ping', scored: true, checks, ...rest }).outcome
}

describe('one scenario', () => {
  test('passes when something real succeeded and nothing else happened', () => {
    expect(outcome([SUCCESS, SCHEMA, INFO])).toBe('pass')
  })

  test('fails by a failure, and says what failed', () => {
    const verdict = judge({ scenario: 'ping', scored: true, checks: [SUCCESS, FAILURE] })
    expect(verdict).toMatchObject({ outcome: 'fail', passed: 1, failed: 1 })
    expect(verdict.problems).toEqual(['FAILURE ping: no answer'])
    expect(isGood(verdict)).toBe(false)
  })

  test('fails by a warning, which the suite itself would let pass', () => {
    const verdict = judge({ scenario: 'ping', scored: true, checks: [SUCCESS, WARNING] })
    expect(verdict.outcome).toBe('warn')
    expect(verdict.problems).toEqual(['WARNING ping-order: out of order'])
    expect(isGood(verdict)).toBe(false)
  })

  test('is vacuous without a success of its own', () => {
    expect(outcome([])).toBe('vacuous')
    expect(outcome([INFO, SKIPPED])).toBe('vacuous')
    expect(outcome([SCHEMA])).toBe('vacuous')
  })

  test('is missing when it left no record, pending or not', () => {
    expect(outcome(undefined)).toBe('missing')
    expect(outcome(undefined, { pending: { hollow: false } })).toBe('missing')
  })

  test('fails by a skipped check that is not on the list, or skipped too often', () => {
    expect(outcome([SUCCESS, SKIPPED])).toBe('skip')
    expect(outcome([SUCCESS, SKIPPED], { skips: { 'ping-extra': 1 } })).toBe('pass')
    expect(outcome([SUCCESS, SKIPPED, SKIPPED], { skips: { 'ping-extra': 1 } })).toBe('skip')
  })

  test('fails when a listed skip no longer happens', () => {
    expect(outcome([SUCCESS], { skips: { 'ping-extra': 1 } })).toBe('stale skip')
  })
})

describe('a pending scenario', () => {
  test('may fail, warn or stay empty', () => {
    for (const checks of [[FAILURE], [SUCCESS, WARNING], [SCHEMA]]) {
      expect(outcome(checks, { pending: { hollow: false } })).toBe('pending')
    }
  })

  test('fails the run when it passes unnoticed', () => {
    const pending = { hollow: false }
    const verdict = judge({ scenario: 'ping', scored: true, checks: [SUCCESS], pending })
    expect(verdict.outcome).toBe('unnoticed pass')
    expect(isGood(verdict)).toBe(false)
  })

  test('may pass where a pass proves nothing', () => {
    expect(outcome([SUCCESS], { pending: { hollow: true } })).toBe('pending')
  })
})

describe('what the suite wrote', () => {
  test('checks are read, and anything else is refused', () => {
    expect(parseChecks(JSON.stringify([{ ...FAILURE, timestamp: 'x' }]))).toMatchObject([FAILURE])
    expect(() => parseChecks('{}')).toThrow(TypeError)
    expect(() => parseChecks('[{"id":"a"}]')).toThrow(TypeError)
  })

  test('folders name their scenario', () => {
    const time = '2026-11-30T22-30-01-034Z'
    expect(scenarioOf('server', `server-server-stateless-${time}`)).toBe('server-stateless')
    expect(scenarioOf('client', `auth/scope-step-up-${time}`)).toBe('auth/scope-step-up')
  })

  test('requirement files are read by leg', () => {
    const text = [
      '# server:',
      'server:',
      '  - ping',
      'client:',
      '  - initialize',
      '  - auth/basic',
      'not_scored:',
      '  - scenario: extra',
      '    leg: server',
      '    reason: pending',
      '    note: >-',
      '      leg: client',
      '  - scenario: auth/more',
      '    leg: client',
      '    reason: extension',
    ].join('\n')
    expect(parseRequirementSet(text, 'client')).toEqual([
      { scenario: 'initialize', scored: true },
      { scenario: 'auth/basic', scored: true },
      { scenario: 'auth/more', scored: false },
    ])
    expect(parseRequirementSet(text, 'server')).toEqual([
      { scenario: 'ping', scored: true },
      { scenario: 'extra', scored: false },
    ])
  })
})

describe('the command line', () => {
  test('names legs, a revision and a target', () => {
    const { target, runs } = parseCommandLine(['server', '2026-07-28', '--target', 'node'])
    expect(target).toBe('node')
    expect(runs).toEqual([
      { leg: 'server', revision: '2026-07-28', selection: { requirements: '2026-07-28' } },
    ])
    expect(parseCommandLine(['client']).runs.map(({ revision }) => revision)).toEqual([
      '2025-11-25',
      '2026-07-28',
      '2025-03-26',
    ])
  })

  test('refuses words it does not know', () => {
    expect(() => parseCommandLine(['servr'])).toThrow('"servr"')
    expect(() => parseCommandLine(['--target', 'php'])).toThrow('"php"')
    expect(() => parseCommandLine(['server', '2025-06-18'])).toThrow('nothing to run')
  })

  test('the suite is always run strictly', () => {
    const selection = { requirements: '2026-07-28' }
    const args = suiteArguments({ leg: 'server', selection, subject: 'http://x', outputDir: 'out' })
    expect(args).toContain('--expected-failures')
    expect(args.join(' ')).toContain('server --url http://x --requirements 2026-07-28')
  })
})

test('the table marks what is bad and explains it', () => {
  const good = judge({ scenario: 'ping', scored: true, checks: [SUCCESS] })
  const bad = judge({ scenario: 'tools-list', scored: false, checks: [FAILURE] })
  const table = renderTable('server', [good, bad])
  expect(table).toMatch(/^  ping .*pass$/m)
  expect(table).toMatch(/^! tools-list .*fail$/m)
  expect(table).toContain('FAILURE ping: no answer')
  expect(table).toContain('scored 1/1, others 0/1, 0 pending, 1 bad')
})
