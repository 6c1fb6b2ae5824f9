/**
 * Every house rule bites, and lets pass what it is meant to let pass.
 *
 * @module
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { lint, type Finding } from './oxlint.ts'

interface Case {
  readonly rule: string
  readonly file: string
  readonly bad: string
  readonly good: string
  /** Where `bad` is at home. */
  readonly home?: string
}

const cases: readonly Case[] = [
  {
    rule: 'house(no-module-state)',
    file: 'src/shared/a.ts',
    bad: 'let count = 0',
    good: 'const limits = { depth: 3 }',
  },
  {
    rule: 'house(no-module-state)',
    file: 'src/shared/a.ts',
    bad: 'const table = new Map<string, string>()',
    good: "const table: ReadonlySet<string> = new Set(['a'])",
  },
  {
    rule: 'house(no-module-state)',
    file: 'src/shared/a.ts',
    bad: 'setTimeout(() => undefined, 1)',
    good: 'const wait = (): unknown => setTimeout(() => undefined, 1)',
  },
  {
    rule: 'house(no-module-state)',
    file: 'src/shared/a.ts',
    bad: 'class A { static x = compute() }',
    good: "class A { static x = 'literal' }",
  },
  {
    rule: 'house(no-era-branching)',
    file: 'src/server/a.ts',
    bad: "const f = (era: string): boolean => era === 'modern'",
    good: "const f = (era: string): boolean => era === 'stateless'",
    home: 'src/server/eras/modern.ts',
  },
  {
    rule: 'house(no-era-branching)',
    file: 'src/server/a.ts',
    bad: "const revision = '2025-11-25'",
    good: "const revision = 'on 2025-11-25'",
    home: 'src/protocol/versions.ts',
  },
  {
    rule: 'house(no-era-branching)',
    file: 'src/server/a.ts',
    bad: "function f(era: string): number { switch (era) { case 'legacy': return 1; default: return 2 } }",
    good: "function f(era: string): number { switch (era) { case 'other': return 1; default: return 2 } }",
    home: 'src/http/route.ts',
  },
  {
    rule: 'house(no-empty-catch)',
    file: 'src/shared/a.ts',
    bad: 'function f(): void { try { g() } catch { } }',
    good: 'function f(): void { try { g() } catch { /* A cancelled reader cannot fail us. */ } }',
  },
  {
    rule: 'house(no-empty-catch)',
    file: 'src/shared/a.ts',
    bad: 'const f = (p: Promise<void>): unknown => p.catch(() => {})',
    good: 'const f = (p: Promise<void>): unknown => p.catch(() => undefined)',
  },
  {
    rule: 'house(throw-known-errors)',
    file: 'src/shared/a.ts',
    bad: "function f(): never { throw new Error('no') }",
    good: "function f(): never { throw new TypeError('no') }",
    home: 'src/testing/a.ts',
  },
  {
    rule: 'house(documented-exports)',
    file: 'src/shared/a.ts',
    bad: 'export const limit = 3',
    good: '/** How many. */\nexport const limit = 3',
    home: 'test/a.ts',
  },
  {
    rule: 'house(one-place-for-errors)',
    file: 'src/server/a.ts',
    bad: "const body = { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'no' } }",
    good: "const body = { jsonrpc: '2.0', id: 1, result: {} }",
    home: 'src/protocol/errors.ts',
  },
  {
    rule: 'house(one-place-for-errors)',
    file: 'src/http/a.ts',
    bad: "const f = (): Response => new Response('no', { status: 404 })",
    good: 'const f = (): Response => new Response(null, { status: 202 })',
    home: 'src/http/responses.ts',
  },
  {
    rule: 'house(zod-namespace)',
    file: 'src/hono/a.ts',
    bad: "import { z } from 'zod'\nexport { z }",
    good: "import * as z from 'zod'\nexport { z }",
  },
  {
    rule: 'eslint(no-restricted-globals)',
    file: 'src/shared/a.ts',
    bad: 'const size = (): number => Buffer.byteLength("a")',
    good: 'const size = (): number => new TextEncoder().encode("a").length',
    home: 'src/node/a.ts',
  },
  {
    rule: 'import(no-default-export)',
    file: 'src/shared/a.ts',
    bad: 'export default 1',
    good: 'export {}',
  },
]

const doc = '/**\n * A file of the rule test.\n *\n * @module\n */\n'
const placed = (index: number, path: string) => path.replace('.ts', `-${index}.ts`)

/** Homes are exact paths, so cases that share a path are linted one run apart. */
function run(
  pick: (one: Case) => readonly [string, string] | undefined,
): Map<Case, readonly Finding[]> {
  const results = new Map<Case, readonly Finding[]>()
  let waiting = cases.filter((one) => pick(one) !== undefined)
  while (waiting.length > 0) {
    const files = new Map<string, Case>()
    const texts: Record<string, string> = {}
    for (const one of waiting) {
      const [path, text] = pick(one) ?? ['', '']
      if (files.has(path)) continue
      files.set(path, one)
      texts[path] = doc + text + '\n'
    }
    const { findings } = lint(texts)
    for (const [path, one] of files) {
      results.set(
        one,
        findings.filter(({ filename }) => filename === path),
      )
    }
    waiting = waiting.filter((one) => !results.has(one))
  }
  return results
}

const numbered = (one: Case) => placed(cases.indexOf(one), one.file)

let bad: Map<Case, readonly Finding[]>
let good: Map<Case, readonly Finding[]>
let home: Map<Case, readonly Finding[]>

beforeAll(() => {
  bad = run((one) => [numbered(one), one.bad])
  good = run((one) => [numbered(one), one.good])
  home = run((one) => (one.home === undefined ? undefined : [one.home, one.bad]))
})

describe.each(cases)('$rule', (one) => {
  const codes = (from: Map<Case, readonly Finding[]>) =>
    (from.get(one) ?? []).map(({ code }) => code)

  test(`refuses ${one.bad}`, () => {
    expect(codes(bad)).toContain(one.rule)
  })

  test(`accepts ${one.good}`, () => {
    expect(codes(good)).not.toContain(one.rule)
  })

  if (one.home === undefined) return
  test(`accepts it in ${one.home}`, () => {
    expect(codes(home)).not.toContain(one.rule)
  })
})
