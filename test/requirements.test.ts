import { describe, expect, test } from 'vitest'
import { PENDING, ALLOWED_SKIPS } from '../conformance/pending.ts'
import {
  allRequirements,
  DONE_PARTS,
  ledgerProblems,
  titlesIn,
} from '../conformance/requirements.ts'
import { readRequirementSet } from '../conformance/runner/requirement-set.ts'
import { SUITE_ROOT } from '../conformance/runner/suite.ts'
import { readTitles } from '../conformance/requirements/read-titles.ts'

const FIELD_AREAS = /^(case |HL|HM|SS|SE|ST|SC|TL|OC|RS|ED|NX|TY)/

describe('the ledger of requirements', () => {
  test('what the finished parts claim is proved or has a written reason', async () => {
    expect(ledgerProblems(await readTitles())).toEqual([])
  })

  test('it lists every wire requirement and field case once', () => {
    const ids = [...new Set(allRequirements().map(({ id, subject }) => `${id} ${subject}`))]
    const fieldCases = ids.filter((id) => FIELD_AREAS.test(id))
    expect(fieldCases).toHaveLength(103)
    expect(ids.length - fieldCases.length).toBe(377)
    expect(new Set(allRequirements().map(({ id, side }) => `${id} ${side}`)).size).toBe(
      allRequirements().length,
    )
  })

  test('no scenario of the official suite waits for a part that is done', () => {
    const parts = [...PENDING, ...ALLOWED_SKIPS].map(({ part }) => part)
    expect(parts.filter((part) => part !== null && DONE_PARTS.includes(part))).toEqual([])
  })
})

test('every pending scenario exists in the suite', async () => {
  const sets = ['2025-11-25', '2026-07-28'].flatMap((revision) =>
    (['server', 'client'] as const).map(async (leg) => {
      const required = await readRequirementSet(SUITE_ROOT, revision, leg)
      return required.map(({ scenario }) => `${leg} ${revision} ${scenario}`)
    }),
  )
  const known = (await Promise.all(sets)).flat()
  const unknown = PENDING.flatMap(({ leg, revision = '2026-07-28', scenarios }) =>
    scenarios
      .filter((name) => !name.endsWith('*'))
      .map((name) => `${leg} ${revision} ${name}`)
      .filter((name) => !known.includes(name)),
  )
  expect(unknown).toEqual([])
})

describe('how the ledger judges', () => {
  test('an id of a finished part without a test is named', () => {
    expect(ledgerProblems([], [1])).toContain(
      'MH-05 (header against envelope) has no server test: claimed by part 1',
    )
    const titles = [{ file: 'http/modern.test.ts', text: "'MH-05 a test'" }]
    expect(ledgerProblems(titles, [1]).join('\n')).not.toContain('MH-05')
  })

  test('an id of a part that is not finished is left alone', () => {
    expect(ledgerProblems([], [])).toEqual([])
    expect(ledgerProblems([], [1]).join('\n')).not.toMatch(/claimed by part [2-7]/)
  })

  test('a reason that waits for a finished part is named', () => {
    const waiting = {
      id: 'XX-01',
      section: 'x',
      subject: 'later',
      side: 'server',
      part: 1,
      reason: 'part 5',
    } as const
    expect(ledgerProblems([], [1, 5], [waiting])).toEqual([
      'XX-01 (later) still waits for part 5, which is done',
    ])
    expect(ledgerProblems([], [1], [waiting])).toEqual([])
    expect(ledgerProblems([], [5]).join('\n')).not.toContain('LH-39')
  })

  test('the client half of an id needs a test of the client', () => {
    const server = [{ file: 'server/tools.test.ts', text: "'FT-12 kept'" }]
    const client = [{ file: 'client/tools.test.ts', text: "'FT-12 kept'" }]
    expect(ledgerProblems(server, [5]).join('\n')).toContain('FT-12')
    expect(ledgerProblems(client, [5]).join('\n')).not.toContain('FT-12')
  })

  test('a client case of the field is not a wire requirement of the same number', () => {
    const wire = [{ file: 'client/a.test.ts', text: "'CL-02 one'" }]
    const field = [{ file: 'client/a.test.ts', text: "'case CL-02 other'" }]
    expect(ledgerProblems(wire, [5]).join('\n')).toContain('case CL-02 (')
    expect(ledgerProblems(wire, [5]).join('\n')).not.toMatch(/^CL-02 /m)
    expect(ledgerProblems(field, [5]).join('\n')).not.toContain('case CL-02 (')
    expect(ledgerProblems(field, [5]).join('\n')).toMatch(/^CL-02 /m)
  })

  test('comments and skipped tests carry nothing', () => {
    const source = [
      "// 'RPC-01'",
      "test.skip('RPC-02 later', () => {})",
      "test('RPC-03 kept', () => {})",
    ].join('\n')
    expect(titlesIn('a.test.ts', source).map(({ text }) => text)).toEqual(["'RPC-03 kept'"])
  })
})
