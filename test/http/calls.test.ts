import { expect, test } from 'vitest'
import { SilentOutbox } from '../../src/http/calls.ts'
import { quiet, served } from './served.ts'
import { legacy, modern, settle } from '../support/index.ts'

test('a call inside a batch has a signal, and nothing can precede its answer', () => {
  const outbox = new SilentOutbox()
  expect([outbox.notify(), outbox.signal, outbox.signal.aborted]).toEqual([
    undefined,
    outbox.signal,
    false,
  ])
})

test('a notification handler is kept alive after its 202', async () => {
  const { server } = quiet()
  const done: string[] = []
  server.notification('acme/n', {}, async () => {
    await settle()
    done.push('n')
  })
  const { handler } = served(server)
  const kept: Promise<unknown>[] = []
  const execution = { waitUntil: (work: Promise<unknown>) => void kept.push(work) }
  for (const build of [modern, legacy]) {
    expect((await handler(build('acme/n', {}, { id: null }), undefined, execution)).status).toBe(
      202,
    )
  }
  expect(done).toEqual([])
  await Promise.all(kept)
  expect(done).toEqual(['n', 'n'])
})

test('a context that fails for a notification is 500, without an id', async () => {
  const { server, reported } = quiet()
  const { ask } = served(server, { context: () => Promise.reject(new Error('secret')) })
  const answer = await ask(legacy('acme/n', {}, { id: null }))
  expect([answer.status, answer.response]).toEqual([
    500,
    { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' } },
  ])
  expect(reported).toHaveLength(1)
})
