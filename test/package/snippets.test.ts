/**
 * What the documents show compiles: each fenced `ts` block of README.md and docs/ is a module of its own,
 * and a block fenced as `ts run` also runs to its end.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './package-map.ts'

interface Snippet {
  /** Document and line, to find it again. */
  readonly place: string
  readonly file: string
  readonly code: string
  readonly runs: boolean
}

function snippetsOf(document: string): Snippet[] {
  const text = readFileSync(root + document, 'utf8')
  const fence = /^```ts( run)?\n([^]*?)^```$/gm
  return [...text.matchAll(fence)].map(([, run, code = ''], index) => {
    const line = text.slice(0, text.indexOf(code)).split('\n').length
    return {
      place: `${document}:${line}`,
      file: `${document.slice(0, -'.md'.length).replaceAll('/', '-').toLowerCase()}-${index}.ts`,
      code,
      runs: run !== undefined,
    }
  })
}

const documents = [
  'README.md',
  'workers/README.md',
  ...globSync('docs/*.md', { cwd: root }).toSorted(),
]
const snippets = documents.flatMap(snippetsOf)
const runnable = snippets.filter(({ runs }) => runs)

let folder = ''
let complaints = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-edge-snippets-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/mcp-edge'))
  for (const name of [
    '@types',
    'fastify',
    'hono',
    'zod',
    'valibot',
    '@valibot',
    'arktype',
    '@hono',
  ]) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const config = {
    extends: join(root, 'test/tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const { file, code } of snippets) writeFileSync(join(folder, file), code)
  if (snippets.length > 0)
    complaints = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' }).stdout
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no document closes a block it did not open', () => {
  for (const document of documents) {
    const fences = readFileSync(root + document, 'utf8').match(/^```/gm) ?? []
    expect(fences.length % 2, document).toBe(0)
  }
})

describe.runIf(snippets.length > 0).each(snippets)('$place', ({ file }) => {
  test('compiles', () => {
    const own = complaints.split('\n').filter((line) => line.includes(file))
    expect(own).toEqual([])
  })
})

test('nothing else complains while they compile', () => {
  const others = complaints
    .split('\n')
    .filter((line) => /error TS/.test(line) && !snippets.some(({ file }) => line.includes(file)))
  expect(others).toEqual([])
})

describe.runIf(runnable.length > 0).each(runnable)('$place', ({ file }) => {
  test('runs', () => {
    const run = spawnSync('node', ['--conditions=mcp-edge-source', join(folder, file)], {
      encoding: 'utf8',
      timeout: 15_000,
    })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
})
