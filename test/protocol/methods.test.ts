import { expect, test } from 'vitest'
import { isMethod, METHODS } from '../../src/protocol/methods.ts'

test('a method is one of the table, and names of prototypes are not', () => {
  expect(Object.keys(METHODS).every(isMethod)).toBe(true)
  expect(['constructor', '__proto__', 'toString', 'tools/List', ''].some(isMethod)).toBe(false)
})

test('a name says whether a method is a notification', () => {
  for (const [name, { kind }] of Object.entries(METHODS))
    expect(kind === 'notification', name).toBe(name.startsWith('notifications/'))
})
