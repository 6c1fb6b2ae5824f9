import { describe, expect, it } from 'vitest'
import { SealedBox } from '../../src/shared/sealed-box.ts'

const KEY = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const OTHER = 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA'

it('F54 opens what it sealed, for the same context only', async () => {
  const box = new SealedBox([KEY], 'keys')
  const text = 'grüße 🎉'.repeat(20_000)
  const sealed = await box.seal(text, 'context')
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(await box.open(sealed, 'context')).toBe(text)
  expect(await box.open(sealed, 'contexT')).toBeUndefined()
  expect(await box.open(await box.seal('', ''), '')).toBe('')
})

it('never seals a text the same way twice', async () => {
  const box = new SealedBox([KEY], 'keys')
  expect(await box.seal('x', '')).not.toBe(await box.seal('x', ''))
})

it('opens nothing that was changed in any place', async () => {
  const box = new SealedBox([KEY], 'keys')
  const sealed = await box.seal('secret', '')
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(await box.open(sealed.slice(0, at) + other + sealed.slice(at + 1), '')).toBeUndefined()
  }
  for (const broken of [
    '',
    'A',
    'AAAAAAAAAAAAAAAA',
    '§',
    sealed.slice(1),
    `${sealed}A`,
    `${sealed}=`,
  ])
    expect(await box.open(broken, '')).toBeUndefined()
})

describe('keys', () => {
  it('the first seals, each opens', async () => {
    const [old, both, young] = [[KEY], [OTHER, KEY], [OTHER]].map(
      (keys) => new SealedBox(keys, 'keys'),
    )
    const before = (await old?.seal('x', '')) ?? ''
    const after = (await both?.seal('y', '')) ?? ''
    expect(await both?.open(before, '')).toBe('x')
    expect(await young?.open(after, '')).toBe('y')
    expect(await old?.open(after, '')).toBeUndefined()
  })

  it.each([[[]], [['password']], [[KEY, 'short']], [[`${KEY}=`]], [[KEY.replace(/A$/, 'B')]]])(
    '%j are refused, under the name of their option',
    (keys) => {
      expect(() => new SealedBox(keys, 'requestState.keys')).toThrow(/requestState\.keys/)
    },
  )
})

it.each([
  ['no list', undefined, 'keys must be an array of keys'],
  ['a variable that is not set', [undefined], /^keys: a key is 32 random bytes/],
])('%s is a mistake that is named at once', (_, keys: unknown, message) => {
  expect(() => Reflect.construct(SealedBox, [keys, 'keys'])).toThrow(message)
})
