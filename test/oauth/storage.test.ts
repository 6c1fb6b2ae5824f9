import { expect, test } from 'vitest'
import { memoryTokens } from '../../src/oauth/storage.ts'

test('keeps a value until it is replaced or deleted', async () => {
  const storage = memoryTokens()
  expect(await storage.get('a')).toBeUndefined()
  await storage.set('a', '1')
  await storage.set('a', '')
  expect(await storage.get('a')).toBe('')
  await storage.delete('a')
  await storage.delete('a')
  expect(await storage.get('a')).toBeUndefined()
})

test('takes a value once, however many want it at once', async () => {
  const storage = memoryTokens()
  await storage.set('a', '1')
  const taken = await Promise.all([storage.take('a'), storage.take('a'), storage.take('b')])
  expect(taken).toEqual(['1', undefined, undefined])
})

test('two storages share nothing, and words of the language are keys like others', async () => {
  const [one, two] = [memoryTokens(), memoryTokens()]
  await one.set('__proto__', '1')
  expect([await one.get('__proto__'), await two.get('__proto__')]).toEqual(['1', undefined])
  expect(await one.get('constructor')).toBeUndefined()
})
