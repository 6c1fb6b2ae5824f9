import { expect, test } from 'vitest'
import { includesScope, scopeFor, type ScopeSources } from '../../src/oauth/scopes.ts'

const all = { challenged: 'a', supported: ['b'], configured: ['c'], offline: false }
const cases: readonly (readonly [string, Partial<ScopeSources>, string | undefined])[] = [
  ['the challenge wins', {}, 'a'],
  ['an empty challenge says nothing', { challenged: ' ' }, 'b'],
  ['then the resource', { challenged: undefined }, 'b'],
  ['then the application', { challenged: undefined, supported: [] }, 'c'],
  [
    'nothing is left out, not empty',
    { challenged: undefined, supported: undefined, configured: undefined },
    undefined,
  ],
  ['never less than before, each once', { requested: 'z a  y', challenged: 'y x' }, 'z a y x'],
  ['offline_access only where it is wanted', { offered: ['offline_access'] }, 'a'],
  ['offline_access only where it is offered', { offline: true, offered: ['a'] }, 'a'],
  ['offline_access then', { offline: true, offered: ['offline_access'] }, 'a offline_access'],
  [
    'offline_access of others is taken out',
    { challenged: 'a offline_access', requested: 'offline_access b' },
    'b a',
  ],
  [
    'offline_access alone is nothing to ask for',
    { challenged: 'offline_access', offline: true, offered: ['offline_access'] },
    undefined,
  ],
]

test.each(cases)('AU-11 AU-12 %s', (_, sources, scope) => {
  expect(scopeFor({ ...all, ...sources })).toBe(scope)
})

test.each([
  ['a b', 'b a', true],
  ['a b', 'a  a', true],
  ['a', 'a b', false],
  ['ab', 'a', false],
  [undefined, 'a', false],
  ['a', undefined, true],
  [undefined, '', true],
])('%j includes %j: %s', (scope, needed, included) => {
  expect(includesScope(scope, needed)).toBe(included)
})
