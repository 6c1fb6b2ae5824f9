import { describe, expect, test } from 'vitest'
import { eventually, expectRefusal, expectSame, expectThat } from '../../src/testing/contract.ts'

describe('a broken contract', () => {
  test('says what was expected', () => {
    expect(() => expectThat(false, 'ids differ')).toThrow('The contract is broken: ids differ')
    expect(() => expectSame([1], [2], 'the order')).toThrow('the order should be [2], but is [1]')
  })

  test('is also a refusal that does not come', async () => {
    await expect(expectRefusal(() => 1, 'a write')).rejects.toThrow('a write should be refused')
  })
})

test('a contract that holds says nothing', async () => {
  expectThat(true, 'fine')
  expectSame({ a: [1] }, { a: [1] }, 'it')
  const refusal = new TypeError('no')
  expect(await expectRefusal(() => Promise.reject(refusal), 'a write')).toBe(refusal)
})

test('what comes true later is waited for', async () => {
  let asked = 0
  await eventually(() => (asked += 1) > 3, 'the fourth time')
  expect(asked).toBeGreaterThan(3)
})
