/**
 * `test/` mirrors `src/`: whatever can go wrong at run time has a test file of the same name.
 *
 * @module
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { root } from './package-map.ts'

/** Files without a test of their own, each with where it is tested instead. */
const exempt: Readonly<Record<string, string>> = {
  'src/stores/memory-sessions.ts': 'test/stores/memory.test.ts, by the contract of all stores',
  'src/stores/memory-events.ts': 'test/stores/memory.test.ts, by the contract of all stores',
  'src/testing/session-store-contract.ts': 'test/testing/contracts.test.ts, all contracts at once',
  'src/testing/event-store-contract.ts': 'test/testing/contracts.test.ts, all contracts at once',
  'src/testing/bus-contract.ts': 'test/testing/contracts.test.ts, all contracts at once',
}

/** Types, re-exports and tables of literals cannot go wrong by themselves. */
function hasRuntimeCode(file: string): boolean {
  const code = stripTypeScriptTypes(readFileSync(root + file, 'utf8'))
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
  return /\b(function|class)\b|=>/.test(code)
}

const sources = globSync('src/**/*.ts', { cwd: root }).toSorted()

test('the sources are found', () => {
  expect(sources.length).toBeGreaterThan(5)
})

test('each source with runtime code has its test', () => {
  const missing = sources
    .filter((file) => hasRuntimeCode(file) && exempt[file] === undefined)
    .map((file) => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts'))
    .filter((file) => !existsSync(root + file))
  expect(missing).toEqual([])
})

test('nothing is exempt that has a test or is gone', () => {
  const stale = Object.keys(exempt).filter(
    (file) =>
      !existsSync(root + file) ||
      existsSync(root + file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')),
  )
  expect(stale).toEqual([])
})
