/**
 * The package as `package.json` describes it.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a slash at the end. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** The three places one public path points to. */
export interface Entry {
  readonly 'mcp-edge-source': string
  readonly types: string
  readonly default: string
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, Entry | string>>
}

/** Every public path with its files, `./package.json` apart. */
export function entries(): ReadonlyMap<string, Entry> {
  const manifest: Manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const found = new Map<string, Entry>()
  for (const [path, entry] of Object.entries(manifest.exports)) {
    if (typeof entry !== 'string') found.set(path.replace('.', manifest.name), entry)
  }
  return found
}
