import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPkce, randomToken } from '../../src/oauth/pkce.ts'

test('a verifier has 256 bits in an alphabet that needs no escaping', async () => {
  const { verifier } = await createPkce()
  expect(verifier).toMatch(/^[A-Za-z0-9\-_]{43}$/)
})

test('the challenge is the SHA-256 digest of the verifier, as base64url', async () => {
  // Enough rounds that `+`, `/` and padding had to be replaced in some.
  for (let round = 0; round < 50; round += 1) {
    const { verifier, challenge } = await createPkce()
    expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'))
  }
})

test('no two tokens are the same', () => {
  expect(new Set(Array.from({ length: 1000 }, randomToken)).size).toBe(1000)
})
