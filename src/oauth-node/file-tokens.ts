/**
 * Tokens in a file that only its owner can read, shared by all processes of that user.
 *
 * @module
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createHash, randomUUID } from 'node:crypto'
import type { TokenStorage } from '../oauth/storage.ts'
import { withLockFile } from './lock-file.ts'

/** Where the file is. */
export interface FileTokensOptions {
  /** By default `mcp-edge/tokens.json` in the user's configuration directory. */
  readonly path?: string | undefined
}

/**
 * Keeps tokens in a JSON file. Writes replace the file as a whole, so a crash leaves the old one; a lock
 * file next to it serves all processes, so that they refresh a token once.
 *
 * @param options where the file is
 */
export function fileTokens(options: FileTokensOptions = {}): TokenStorage {
  const path = options.path ?? defaultPath()
  async function change<T>(work: (values: Map<string, string>) => T): Promise<T> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return withLockFile(`${path}.lock`, async () => {
      const values = await read(path)
      const result = work(values)
      await write(path, values)
      return result
    })
  }
  return {
    get: async (key) => (await read(path)).get(key),
    set: (key, value) =>
      change((values) => {
        values.set(key, value)
      }),
    delete: (key) =>
      change((values) => {
        values.delete(key)
      }),
    take: (key) =>
      change((values) => {
        const value = values.get(key)
        values.delete(key)
        return value
      }),
    async lock(key, work) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const name = createHash('sha256').update(key).digest('hex').slice(0, 16)
      return withLockFile(`${path}.${name}.lock`, work)
    },
  }
}

function defaultPath(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  const base = XDG_CONFIG_HOME ?? APPDATA ?? join(homedir(), '.config')
  return join(base, 'mcp-edge', 'tokens.json')
}

async function read(path: string): Promise<Map<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return new Map(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch (error) {
    // Without a file, or with one that was cut short, the user signs in again.
    if (isMissing(error) || error instanceof SyntaxError) return new Map()
    throw error
  }
}

async function write(path: string, values: ReadonlyMap<string, string>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const text = JSON.stringify(Object.fromEntries(values), undefined, 2)
  await writeFile(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' })
  await rename(temporary, path)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
