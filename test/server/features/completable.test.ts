import { expect, test } from 'vitest'
import { anyCompletes, toCompletable } from '../../../src/server/features/completable.ts'

const none = toCompletable("prompt 'p'", ['a'])
const some = toCompletable("prompt 'p'", ['a'], { a: () => ['x'] })

test('a completer needs a name that the definition has', () => {
  const complete = { b: () => [] }
  expect(() => toCompletable("prompt 'p'", ['a'], complete)).toThrow(TypeError)
  expect(() => toCompletable("prompt 'p'", ['a'], complete)).toThrow("prompt 'p' has no 'b'")
  expect([none.names, some.names]).toEqual([['a'], ['a']])
})

test('one completer among many definitions is enough', () => {
  expect([anyCompletes([]), anyCompletes([none]), anyCompletes([none, some])]).toEqual([
    false,
    false,
    true,
  ])
})
