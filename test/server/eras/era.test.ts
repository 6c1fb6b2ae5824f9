import { expect, test } from 'vitest'
import { idText } from '../../../src/server/eras/era.ts'

test('an id is the JSON it was', () => {
  for (const id of [0, -1, 1e21, '', 'a"b', '\u2028']) expect(JSON.parse(idText(id))).toBe(id)
  expect(idText(undefined)).toBe('null')
})
