/**
 * The emitted declarations compile for a consumer who checks libraries, with Node's types and no DOM, and
 * with the DOM and no types at all.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entries, root } from './package-map.ts'
import { requireBuild } from './require-build.ts'

requireBuild()

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-edge-consumer-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/mcp-edge'))
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const needsNode = ['mcp-edge/node', 'mcp-edge/stdio', 'mcp-edge/oauth-node']

function compile(paths: readonly string[], compilerOptions: object): string {
  const text = paths.map((path, index) => `export * as entry${index} from '${path}'\n`).join('')
  writeFileSync(join(folder, 'consumer.ts'), text)
  const options = { strict: true, noEmit: true, skipLibCheck: false, ...compilerOptions }
  const config = { compilerOptions: options, files: ['consumer.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const run = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' })
  return run.stdout + run.stderr
}

test('nodenext with the types of Node and no DOM', () => {
  const options = { module: 'nodenext', target: 'es2023', lib: ['es2024'], types: ['node'] }
  expect(compile([...entries().keys()], options)).toBe('')
})

test('bundler with the DOM and no types', () => {
  const options = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    exactOptionalPropertyTypes: true,
  }
  const paths = [...entries().keys()].filter((path) => !needsNode.includes(path))
  expect(compile(paths, options)).toBe('')
})
