import { SessionIds } from 'mcp-edge/stores'
import { expect, test } from 'vitest'

const KEY = 'A'.repeat(43)
const OTHER_KEY = `${'B'.repeat(42)}A`

const fresh = (keys = [KEY], now = () => 1_000_000) =>
  new SessionIds({ keys, maxAgeMs: 60_000, clock: { now } }, 'keys')

test('an id is verified by whoever holds the key, and has the documented form', async () => {
  const { id, expiresAt } = await fresh().create('ada')
  expect(id).toMatch(/^v1\.[\w-]{6}\.[\w-]{22}\.[0-9a-z]+\.[\w-]{54}$/)
  expect(expiresAt).toBe(1_060_000)
  expect(await fresh().verify(id)).toMatchObject({ id, expiresAt })
  expect(await fresh().verify(id, { owner: 'ada' })).toMatchObject({ id })
})

test('an id of somebody else is worth nothing, known or not', async () => {
  const ids = fresh()
  for (const [owner, other] of [
    ['ada', 'bob'],
    ['ada', undefined],
    [undefined, 'ada'],
  ] as const) {
    const { id } = await ids.create(owner)
    for (const verifier of [ids, fresh()]) {
      expect(await verifier.verify(id, { owner: other })).toBeUndefined()
      expect(await verifier.verify(id, { owner })).toMatchObject({ id })
      expect(await verifier.verify(id, { owner: other })).toBeUndefined()
    }
  }
})

test('whatever part is changed, the id is forged', async () => {
  const { id } = await fresh().create('ada')
  for (let at = 0; at < id.length; at += 1) {
    const forged = `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`
    expect(await fresh().verify(forged), `position ${at}`).toBeUndefined()
  }
  for (const other of ['', 'v1', `${id}x`, id.slice(1), `${id}\n`, '__proto__'])
    expect(await fresh().verify(other)).toBeUndefined()
})

test('an id ends at its age, also where it is remembered', async () => {
  let time = 0
  const ids = fresh([KEY], () => time)
  const { id } = await ids.create(undefined)
  time = 59_999
  expect(await ids.verify(id)).toBeDefined()
  time = 60_000
  expect(await ids.verify(id)).toBeUndefined()
  expect(await fresh([KEY], () => time).verify(id)).toBeUndefined()
})

test('keys are rotated: the first signs, all verify, others do not', async () => {
  const { id: old } = await fresh([OTHER_KEY]).create('ada')
  const rotated = fresh([KEY, OTHER_KEY])
  expect(await rotated.verify(old, { owner: 'ada' })).toBeDefined()
  const { id } = await rotated.create('ada')
  expect(await fresh([KEY]).verify(id)).toBeDefined()
  expect(await fresh([OTHER_KEY]).verify(id)).toBeUndefined()
})

test('what is not a key is a TypeError that names the option', () => {
  expect(() => fresh([])).toThrow(TypeError)
  expect(() => fresh(['a passphrase'])).toThrow(/keys: a key is 32 random bytes/)
})
