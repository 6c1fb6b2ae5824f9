import { expect, test } from 'vitest'
import {
  ASSUMED_REVISION,
  featuresOf,
  hasVersionHeader,
  isLegacyRevision,
  isModernRevision,
  isRevision,
  LATEST_LEGACY_REVISION,
  LATEST_MODERN_REVISION,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
} from '../../src/protocol/versions.ts'

test('each revision belongs to one era', () => {
  expect(
    LEGACY_REVISIONS.every((revision) => isLegacyRevision(revision) && !isModernRevision(revision)),
  ).toBe(true)
  expect(
    MODERN_REVISIONS.every((revision) => isModernRevision(revision) && !isLegacyRevision(revision)),
  ).toBe(true)
  expect(['2025-11-24', '', 'latest', null, 20260728].some(isRevision)).toBe(false)
})

test('the latest are the last of their lists, and the assumed one is known', () => {
  expect(LATEST_LEGACY_REVISION).toBe(LEGACY_REVISIONS.at(-1))
  expect(LATEST_MODERN_REVISION).toBe(MODERN_REVISIONS.at(-1))
  expect(isLegacyRevision(ASSUMED_REVISION)).toBe(true)
})

test.each([
  ['batches', ['2025-03-26']],
  ['audio', ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']],
  ['structured', ['2025-06-18', '2025-11-25', '2026-07-28']],
  ['anyStructured', ['2026-07-28']],
  ['icons', ['2025-11-25', '2026-07-28']],
  ['elicitation', ['2025-06-18', '2025-11-25', '2026-07-28']],
  ['richElicitation', ['2025-11-25', '2026-07-28']],
  ['priming', ['2025-11-25']],
  ['elicitationIds', ['2025-11-25']],
] as const)('%s came and went with its revisions', (feature, revisions) => {
  const having = [...LEGACY_REVISIONS, ...MODERN_REVISIONS].filter(
    (revision) => featuresOf(revision)[feature],
  )
  expect(having).toEqual(revisions)
})

test('the version header came with 2025-06-18', () => {
  const having = [...LEGACY_REVISIONS, ...MODERN_REVISIONS].filter(hasVersionHeader)
  expect(having).toEqual(['2025-06-18', '2025-11-25', '2026-07-28'])
})
