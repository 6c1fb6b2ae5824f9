/**
 * Locks between processes, made of files that exist or do not.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two attempts to take a lock. */
const RETRY_MS = 25
/** Milliseconds between the signs of life of a holder. */
const HEARTBEAT_MS = 2_000
/** Milliseconds without a sign of life after which a holder counts as dead. */
const STALE_MS = 10_000

/**
 * Runs work while the lock file is ours. A holder that died is noticed, and its lock taken over.
 *
 * @param path the lock file
 * @param work what to do
 */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID()
  while (!(await create(path, owner))) if (!(await removeStale(path))) await sleep(RETRY_MS)
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {
      // The file is gone: whoever removed it has the lock, and the work cannot be undone.
    })
  }, HEARTBEAT_MS)
  heartbeat.unref()
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    // After a long sleep of this machine the lock may be somebody else's.
    if ((await ownerOf(path)) === owner) await rm(path, { force: true })
  }
}

async function create(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Only one of several processes that see the same dead holder removes its lock. */
async function removeStale(path: string): Promise<boolean> {
  const dead = await ownerOf(path)
  if (dead === undefined || !(await isStale(path))) return false
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
    // Another process was faster, and this is its lock: it gets it back.
    if ((await ownerOf(aside)) !== dead) await link(aside, path)
    await rm(aside)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    return Date.now() - mtimeMs > STALE_MS
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
