import { expect, test } from 'vitest'
import { Registry } from '../../src/server/registry.ts'

test('order is that of insertion, a taken key is a TypeError, changes are told', () => {
  let changes = 0
  const registry = new Registry<number>('thing', () => {
    changes += 1
  })
  registry.add('b', 1)
  registry.add('a', 2)
  expect(() => registry.add('a', 3)).toThrow(/^thing 'a' is already defined$/)
  expect([registry.values(), registry.size, registry.get('a'), changes]).toEqual([[1, 2], 2, 2, 2])
  expect([registry.remove('b'), registry.remove('b'), changes]).toEqual([true, false, 3])
})

test('names of prototypes are plain keys', () => {
  const registry = new Registry<number>('thing', () => undefined)
  expect(registry.get('__proto__')).toBeUndefined()
  registry.add('constructor', 1)
  expect([registry.get('constructor'), registry.remove('toString')]).toEqual([1, false])
})
