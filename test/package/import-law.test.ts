/**
 * Every row of the import law bites: for each layer, a file that imports everything the row does not allow,
 * and a file that imports everything it does.
 *
 * @module
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { lint, lintConfig, type Finding, type LawRow } from './oxlint.ts'

const rows = lintConfig().rules['house/import-law'][1]
const folders = rows.flatMap(({ layer }) =>
  layer.startsWith('src/') && !layer.endsWith('.ts') ? [layer.slice('src/'.length)] : [],
)
const packages = [
  'node:fs',
  'hono',
  'zod',
  'jose',
  'eventsource-parser',
  '@cfworker/json-schema',
  '@hono/node-server',
  'mcp-edge/server',
]

const doc = '/**\n * A file of the law test.\n *\n * @module\n */\n'
const words = (list: string) => list.split(' ').filter((word) => word !== '')
const fileIn = (row: LawRow, name: string) =>
  row.layer.endsWith('.ts') ? row.layer : `${row.layer}/${name}.ts`

function specifierFor(row: LawRow, folder: string): string {
  const up = row.layer.startsWith('src/') ? '..' : '../src'
  return row.layer.endsWith('.ts') ? `./${folder}/index.ts` : `${up}/${folder}/index.ts`
}

function packageAllowed(row: LawRow, specifier: string): boolean {
  const allowed = words(row.npm)
  if (allowed.includes('*')) return true
  if (specifier.startsWith('node:')) return allowed.includes('node:*')
  return allowed.includes(specifier.startsWith('@') ? specifier : (specifier.split('/')[0] ?? ''))
}

function split(row: LawRow): { forbidden: string[]; allowed: string[] } {
  const own = row.layer.replace('src/', '')
  const allowedFolders = row.layer.startsWith('src/') ? [own, ...words(row.may)] : []
  const isAllowed = (folder: string) => allowedFolders.includes(folder)
  return {
    forbidden: [
      ...folders.filter((folder) => !isAllowed(folder)).map((folder) => specifierFor(row, folder)),
      ...packages.filter((name) => !packageAllowed(row, name)),
    ],
    allowed: [
      ...folders.filter(isAllowed).map((folder) => specifierFor(row, folder)),
      ...packages.filter((name) => packageAllowed(row, name)),
    ],
  }
}

const imports = (specifiers: readonly string[]) =>
  doc + specifiers.map((from, index) => `export { x${index} } from '${from}'\n`).join('')

const lawOf = (findings: readonly Finding[], filename: string) =>
  findings.filter((found) => found.filename === filename && found.code === 'house(import-law)')

let broken: readonly Finding[] = []
let kept: readonly Finding[] = []
let status: number | null = 0

beforeAll(() => {
  const breaking = rows.map(
    (row) => [fileIn(row, 'breaker'), imports(split(row).forbidden)] as const,
  )
  const keeping = rows.map((row) => [fileIn(row, 'keeper'), imports(split(row).allowed)] as const)
  ;({ findings: broken, status } = lint(Object.fromEntries(breaking)))
  kept = lint(Object.fromEntries(keeping)).findings
})

test('breaking the law fails the lint', () => {
  expect(status).toBe(1)
})

describe.each(rows)('$layer', (row) => {
  test('may import nothing outside its row', () => {
    const messages = lawOf(broken, fileIn(row, 'breaker')).map(({ message }) => message)
    const { forbidden } = split(row)
    expect(forbidden.length).toBeGreaterThan(0)
    expect(messages.toSorted()).toEqual(
      forbidden.map((from) => `import law: ${row.layer} may not import '${from}'`).toSorted(),
    )
  })

  test('may import what its row names', () => {
    expect(lawOf(kept, fileIn(row, 'keeper'))).toEqual([])
  })
})

test('types, dynamic imports, side effects and re-exports count', () => {
  const forms = [
    `import type { A } from '../http/a.ts'`,
    `export type { A } from '../http/a.ts'`,
    `export * from '../http/a.ts'`,
    `export const load = (): unknown => import('../http/a.ts')`,
    `export type B = import('../http/a.ts').A`,
    `import '../http/a.ts'`,
  ]
  const files = Object.fromEntries(
    forms.map((text, index) => [`src/shared/f${index}.ts`, doc + text]),
  )
  const { findings } = lint(files)
  for (const file of Object.keys(files)) expect(lawOf(findings, file), file).toHaveLength(1)
})

test('a folder of src without a row is no place for a file', () => {
  const { findings } = lint({ 'src/new/a.ts': `${doc}export const a = 1\n` })
  expect(lawOf(findings, 'src/new/a.ts')).toHaveLength(1)
})

test('a cycle is a cycle, made of types or not', () => {
  const { findings } = lint({
    'src/shared/a.ts': `${doc}import type { B } from './b.ts'\n/** A. */\nexport type A = B[]\n`,
    'src/shared/b.ts': `${doc}import type { A } from './a.ts'\n/** B. */\nexport type B = A[]\n`,
  })
  expect(findings.map(({ code }) => code)).toContain('import(no-cycle)')
})
