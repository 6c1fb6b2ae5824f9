import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileTokens } from '../../src/oauth-node/index.ts'

let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokens-'))
  path = join(folder, 'deep', 'tokens.json')
})

afterEach(() => rm(folder, { recursive: true }))

test('keeps values across instances, for the owner only', async () => {
  await fileTokens({ path }).set('grant x', 'one')
  const again = fileTokens({ path })
  expect(await again.get('grant x')).toBe('one')
  expect(await again.get('else')).toBeUndefined()
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect((await stat(join(folder, 'deep'))).mode & 0o077).toBe(0)
})

test('takes a value once', async () => {
  const tokens = fileTokens({ path })
  await tokens.set('sign-in', 'x')
  const taken = await Promise.all([tokens.take('sign-in'), fileTokens({ path }).take('sign-in')])
  expect(taken.filter((value) => value === 'x').length).toBe(1)
})

test('concurrent writers lose nothing', async () => {
  const writers = Array.from({ length: 10 }, (_, index) =>
    fileTokens({ path }).set(`key ${String(index)}`, String(index)),
  )
  await Promise.all(writers)
  expect(Object.keys(JSON.parse(await readFile(path, 'utf8'))).length).toBe(10)
  expect(await readdir(join(folder, 'deep'))).toEqual(['tokens.json'])
})

test('keys that are words of the language are keys like others', async () => {
  const tokens = fileTokens({ path })
  expect(await tokens.get('__proto__')).toBeUndefined()
  await tokens.set('constructor', 'x')
  expect(await tokens.get('constructor')).toBe('x')
})

test('a lock is held by one at a time, and let go when the work fails', async () => {
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setTimeout(resolve, 5))
    inside -= 1
  }
  const holders = Array.from({ length: 5 }, async () => fileTokens({ path }).lock?.('grant', work))
  await Promise.all(holders)
  expect(most).toBe(1)
  const failing = fileTokens({ path }).lock?.('grant', () => Promise.reject(new TypeError('no')))
  await expect(failing).rejects.toThrow('no')
  await fileTokens({ path }).lock?.('grant', work)
})

test('the lock of a process that died is taken over', async () => {
  const tokens = fileTokens({ path })
  await tokens.set('a', '1')
  await writeFile(`${path}.lock`, '')
  const past = new Date(Date.now() - 60_000)
  await utimes(`${path}.lock`, past, past)
  await tokens.set('a', '2')
  expect(await tokens.get('a')).toBe('2')
})

test('ten processes that see a dead holder lose nothing', async () => {
  await fileTokens({ path }).set('a', '1')
  await writeFile(`${path}.lock`, 'dead')
  const past = new Date(Date.now() - 60_000)
  await utimes(`${path}.lock`, past, past)
  const names = Array.from({ length: 10 }, (_, index) => `key ${String(index)}`)
  await Promise.all(names.map((name) => fileTokens({ path }).set(name, 'x')))
  const kept = Object.keys(JSON.parse(await readFile(path, 'utf8')))
  expect(new Set(kept)).toEqual(new Set(['a', ...names]))
  expect(await readdir(join(folder, 'deep'))).toEqual(['tokens.json'])
})

test('a file that was cut short holds nothing', async () => {
  const tokens = fileTokens({ path })
  await tokens.set('a', '1')
  await writeFile(path, '{"a": "1')
  expect(await tokens.get('a')).toBeUndefined()
  await tokens.set('b', '2')
  expect(await tokens.get('b')).toBe('2')
})
