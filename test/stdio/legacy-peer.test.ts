import { expect, it } from 'vitest'
import { LegacyPeer } from '../../src/stdio/legacy-peer.ts'

const hello = {
  revision: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
} as const

it('remembers what the client said and set, within bounds', async () => {
  const peer = new LegacyPeer(hello)
  await peer.update({ logLevel: 'error', subscribe: 'a:1' })
  await peer.update({ subscribe: 'a:1' })
  expect(peer.identity).toEqual({ ...hello, logLevel: 'error' })
  expect([peer.wants('a:1'), peer.wants('a:2'), peer.revision]).toEqual([true, false, '2025-11-25'])
  await peer.update({ unsubscribe: 'a:1' })
  expect(peer.wants('a:1')).toBe(false)
  for (let n = 0; n < 1_000; n += 1) await peer.update({ subscribe: `a:${n}` })
  await expect(peer.update({ subscribe: 'one:more' })).rejects.toMatchObject({ code: -32600 })
  await peer.update({ subscribe: 'a:1' })
})
