import { expect, test } from 'vitest'
import { ResultText } from '../../src/server/result-text.ts'

const decode = (body: string | Uint8Array) =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

test('a short text is spliced as text, a long finished one as bytes that say the same', () => {
  expect(new ResultText('{"a":1}', true).between('<', '>')).toBe('<{"a":1}>')
  const long = `{"a":"${'ü'.repeat(70_000)}"}`
  const kept = new ResultText(long, true)
  expect(kept.between('ä', '>')).toBeInstanceOf(Uint8Array)
  for (const before of ['ä', '{"id":2'])
    expect(decode(kept.between(before, '>'))).toBe(`${before}${long}>`)
  expect(new ResultText(long).between('<', '>')).toBe(`<${long}>`)
})

test('it carries what was thrown, for hooks only', () => {
  const error = new Error('x')
  expect(new ResultText('{}', false, error).failure).toBe(error)
  expect(new ResultText('{}').failure).toBeUndefined()
})
