import { isMcpError } from 'mcp-edge'
import { sealedSessions } from 'mcp-edge/stores'
import type { SessionInit } from 'mcp-edge/stores'
import { sessionStoreContract } from 'mcp-edge/testing'
import { describe, expect, test } from 'vitest'

const KEY = 'A'.repeat(43)
const OTHER_KEY = `${'B'.repeat(42)}A`

const init: SessionInit = {
  revision: '2025-11-25',
  clientInfo: { name: 'test', version: '1' },
  capabilities: { elicitation: {} },
  owner: 'ada',
}

describe('the contract of session stores', () => {
  let time = 1_000
  const cases = sessionStoreContract({
    create: ({ idleTimeoutMs }) =>
      sealedSessions({ keys: [KEY], maxAgeMs: idleTimeoutMs, clock: { now: () => time } }),
    advance: (ms) => void (time += ms),
    bounded: false,
  })
  test.each(cases)('$name', ({ run }) => run())
})

test('another process with the key finds the session, one without does not', async () => {
  const { id } = await made(sealedSessions({ keys: [OTHER_KEY] }))
  const rotated = sealedSessions({ keys: [KEY, OTHER_KEY] })
  expect(await rotated.get(id)).toMatchObject({ id, owner: 'ada', clientInfo: init.clientInfo })
  expect(await sealedSessions({ keys: [KEY] }).get(id)).toBeUndefined()
})

test('a session is found by its owner only', async () => {
  const store = sealedSessions({ keys: [KEY] })
  const { id } = await made(store)
  expect(await store.get(id, { owner: 'ada' })).toMatchObject({ id })
  expect(await store.get(id, { owner: 'bob' })).toBeUndefined()
  expect(await store.get(id, { owner: undefined })).toBeUndefined()
})

test('a changed id is unknown', async () => {
  const { id } = await made(sealedSessions({ keys: [KEY] }))
  const store = sealedSessions({ keys: [KEY] })
  for (let at = 0; at < id.length; at += 7) {
    const forged = `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`
    expect(await store.get(forged)).toBeUndefined()
  }
})

test('a client that says too much of itself keeps its name; one that declares too much is refused', async () => {
  const store = sealedSessions({ keys: [KEY] })
  const wordy = { ...init, clientInfo: { ...init.clientInfo, description: 'x'.repeat(4_000) } }
  const record = await store.create(wordy)
  const id = record === 'full' ? '' : record.id
  expect(id.length).toBeLessThanOrEqual(2_048)
  expect((await sealedSessions({ keys: [KEY] }).get(id))?.clientInfo).toEqual(init.clientInfo)
  const greedy = { ...init, capabilities: { experimental: { x: { y: 'x'.repeat(4_000) } } } }
  const refusal = await Promise.resolve(store.create(greedy)).catch((error: unknown) => error)
  expect(isMcpError(refusal)).toBe(true)
})

test('what would have to be remembered is refused in words', async () => {
  const store = sealedSessions({ keys: [KEY] })
  const { id } = await made(store)
  expect(() => store.update(id, { logLevel: 'info' })).toThrow(/cannot change/)
  await expect(store.delete(id)).rejects.toThrow(/end by themselves/)
})

async function made(store: ReturnType<typeof sealedSessions>) {
  const record = await store.create(init)
  if (record === 'full') throw new Error('a sealed store is never full')
  return record
}
