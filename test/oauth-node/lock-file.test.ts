import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLockFile } from '../../src/oauth-node/lock-file.ts'

let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
  path = join(folder, 'it.lock')
})

afterEach(() => rm(folder, { recursive: true }))

/** A lock whose holder showed no sign of life for so long. */
async function heldFor(ms: number): Promise<void> {
  await writeFile(path, 'somebody')
  const then = new Date(Date.now() - ms)
  await utimes(path, then, then)
}

test('the file is there while the work is done, for the owner only, and gone afterwards', async () => {
  const mode = await withLockFile(path, async () => (await stat(path)).mode)
  expect(mode & 0o077).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

test('work that fails lets go, and its error is told', async () => {
  const error = new Error('no')
  await expect(withLockFile(path, () => Promise.reject(error))).rejects.toBe(error)
  expect(await readdir(folder)).toEqual([])
})

test('a holder that may be alive is waited for', async () => {
  await heldFor(5_000)
  let done = false
  const waiting = withLockFile(path, async () => {
    done = true
  })
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(done).toBe(false)
  await rm(path)
  await waiting
  expect(done).toBe(true)
})

test('the lock of a holder that died is taken over, and nothing of it is left', async () => {
  await heldFor(11_000)
  expect(await withLockFile(path, async () => 'mine')).toBe('mine')
  expect(await readdir(folder)).toEqual([])
})

test('a lock that somebody else has by now is left to them', async () => {
  await withLockFile(path, () => writeFile(path, 'somebody'))
  expect(await readdir(folder)).toEqual(['it.lock'])
})

test('where no file can be made nothing is done', async () => {
  let done = false
  const work = async (): Promise<void> => {
    done = true
  }
  await expect(withLockFile(join(folder, 'missing', 'it'), work)).rejects.toThrow('ENOENT')
  expect(done).toBe(false)
})
