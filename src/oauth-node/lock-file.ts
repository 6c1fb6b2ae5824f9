/**
 * Locks between processes, made of files that exist or do not.
 *
 * @module
 */
import { open, rm, stat, utimes } from 'node:fs/promises'
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
  await take(path)
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
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<void> {
  while (!(await create(path))) {
    if (await isStale(path)) await rm(path, { force: true })
    else await sleep(RETRY_MS)
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
