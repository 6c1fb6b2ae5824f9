/**
 * Runs the repository's lint over files that exist only for the test, in a folder of their own.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One finding: the file, the rule as `plugin(name)`, and what it says. */
export interface Finding {
  readonly filename: string
  readonly code: string
  readonly message: string
}

/** One row of the import law, as `.oxlintrc.json` writes it. */
export interface LawRow {
  readonly layer: string
  readonly may: string
  readonly npm: string
}

interface LintConfig {
  readonly options: { typeAware: boolean }
  readonly rules: { readonly 'house/import-law': readonly [string, readonly LawRow[]] }
}

/** The lint configuration of the repository. */
export function lintConfig(): LintConfig {
  const text = readFileSync(join(root, '.oxlintrc.json'), 'utf8')
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''))
}

/** Lints `files` (path → text) with the repository's own configuration, typed rules apart. */
export function lint(files: Readonly<Record<string, string>>): {
  readonly status: number | null
  readonly findings: readonly Finding[]
} {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-edge-lint-'))
  try {
    cpSync(join(root, '.ci/lint'), join(folder, '.ci/lint'), { recursive: true })
    const config = { ...lintConfig(), options: { typeAware: false } }
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const run = spawnSync('oxlint', ['--format', 'json', ...Object.keys(files)], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(run.stdout)
    return { status: run.status, findings: diagnostics }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
