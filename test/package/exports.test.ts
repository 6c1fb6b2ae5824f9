/**
 * The public names, path by path: what is added or lost shows in a review.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entries, root } from './package-map.ts'
import { requireBuild } from './require-build.ts'

requireBuild()

const paths = [...entries().keys()]

function namesOf(specifiers: readonly string[]): Record<string, string[]> {
  const script = `
    const names = {}
    for (const path of ${JSON.stringify(specifiers)}) names[path] = Object.keys(await import(path)).sort()
    console.log(JSON.stringify(names))`
  const run = spawnSync('node', ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout)
}

describe.each([...entries()])('%s', (path, entry) => {
  test.each(Object.entries(entry))('its %s file exists', (_, file) => {
    expect(existsSync(root + file)).toBe(true)
  })

  test('follows its folder', () => {
    const folder = path.replace('mcp-edge', '').replace('/', '')
    const home = existsSync(`${root}src/${folder}`) ? `src/${folder}` : folder
    expect(`${root}${entry['mcp-edge-source']}`).toBe(
      `${root}./${home}/index.ts`.replaceAll('//', '/').replace('src//', 'src/'),
    )
  })
})

test('every folder of src with an index is either public or an inner layer', () => {
  const inner = ['shared', 'schema', 'rpc']
  const folders = readdirSync(`${root}src`, { withFileTypes: true })
    .filter((found) => found.isDirectory() && existsSync(`${root}src/${found.name}/index.ts`))
    .map(({ name }) => name)
  for (const folder of folders) {
    expect([...paths, ...inner], folder).toContain(
      inner.includes(folder) ? folder : `mcp-edge/${folder}`,
    )
  }
})

test('the public names are the ones on record', async () => {
  const text = `${JSON.stringify(namesOf(paths), undefined, 2)}\n`
  await expect(text).toMatchFileSnapshot('./exports.snapshot.json')
})
