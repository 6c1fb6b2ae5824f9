/**
 * Collects the titles of all tests.
 *
 * @module
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { titlesIn } from '../requirements.ts'
import type { Title } from '../requirements.ts'

/** These speak about ids without proving them. */
const ABOUT_IDS: readonly string[] = ['requirements.test.ts', join('conformance', 'judge.test.ts')]

/** Every title under `test/`. */
export async function readTitles(): Promise<readonly Title[]> {
  const root = fileURLToPath(new URL('../../test', import.meta.url))
  const names = await readdir(root, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !ABOUT_IDS.includes(name))
  const titles = await Promise.all(
    files.map(async (name) => titlesIn(name, await readFile(join(root, name), 'utf8'))),
  )
  return titles.flat()
}
