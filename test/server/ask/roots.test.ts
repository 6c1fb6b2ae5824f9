import { expect, it } from 'vitest'
import { readRoots, rootsQuestion } from '../../../src/server/ask/roots.ts'

it('F121 asks for roots', () => {
  expect(rootsQuestion('k', { timeoutMs: 5 })).toEqual({
    key: 'k',
    method: 'roots/list',
    params: {},
    timeoutMs: 5,
  })
})

it('EL-16 reads file URIs and nothing else', () => {
  const roots = [{ uri: 'file:///a', name: 'A' }]
  expect(readRoots({ roots })).toEqual(roots)
  expect(readRoots({ roots: [] })).toEqual([])
  for (const wrong of [undefined, null, 'x', [{ uri: 'https://a' }], [{ uri: 1 }], [null]])
    expect(() => readRoots({ roots: wrong })).toThrow('file:// URIs')
})
