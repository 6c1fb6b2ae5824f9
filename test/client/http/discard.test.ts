import { expect, it, vi } from 'vitest'
import { discard } from '../../../src/client/http/discard.ts'

it('lets go of a body, and waits for nobody', () => {
  const cancelled = vi.fn<() => Promise<void>>(() => new Promise(() => undefined))
  discard(new Response(new ReadableStream({ cancel: cancelled })))
  discard(new Response(null))
  const broken = new ReadableStream({ cancel: () => Promise.reject(new Error('no')) })
  discard(new Response(broken))
  expect(cancelled).toHaveBeenCalledTimes(1)
})
