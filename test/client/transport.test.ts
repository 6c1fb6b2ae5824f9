import { expect, it } from 'vitest'
import { isFetchTarget } from '../../src/client/transport.ts'

it('a handler in the same process is told from an address and a connector', () => {
  expect(isFetchTarget({ fetch: () => new Response() })).toBe(true)
  for (const target of ['https://x', new URL('https://x'), () => Promise.reject(new Error())])
    expect(isFetchTarget(target)).toBe(false)
})
