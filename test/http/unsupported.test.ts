import { expect, test } from 'vitest'
import { servesModern, unsupported } from '../../src/http/unsupported.ts'
import { toSettings } from '../../src/http/options.ts'
import { quiet } from './served.ts'

function deployment(revisions: readonly string[] | undefined, modern: boolean) {
  const { server } = quiet(revisions === undefined ? {} : { revisions: revisions as never })
  return { server, settings: toSettings({ modern }) } as never
}

test('MH-06 what is named is served here: the modern revisions, or else the others', () => {
  expect(unsupported(deployment(undefined, true), 'x').data).toEqual({
    supported: ['2026-07-28'],
    requested: 'x',
  })
  expect(unsupported(deployment(undefined, false), 'x').data).toMatchObject({
    supported: expect.arrayContaining(['2025-11-25']),
  })
  expect(unsupported(deployment(['2025-06-18'], true), 'x').data).toMatchObject({
    supported: ['2025-06-18'],
  })
})

test('the modern wire is served when neither option nor revisions exclude it', () => {
  expect(servesModern(deployment(undefined, true))).toBe(true)
  expect(servesModern(deployment(undefined, false))).toBe(false)
  expect(servesModern(deployment(['2025-06-18'], true))).toBe(false)
})
