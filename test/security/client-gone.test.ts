/**
 * Clients that leave, and handlers that do not care.
 *
 * @module
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { InternalError } from '../../src/protocol/errors.ts'
import type { Context } from '../../src/server/index.ts'
import { quiet, served } from '../http/served.ts'
import { Reader, rig } from '../http/session-rig.ts'
import { modern, settle } from '../support/index.ts'

const idle = { inFlight: 0, streams: 0, listeners: 0, sessions: 0, questions: 0 }

const unhandled = vi.fn<(reason: unknown) => void>()
beforeEach(() => {
  unhandled.mockClear()
  process.on('unhandledRejection', unhandled)
})
afterEach(() => {
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test.each(['application/json', 'text/event-stream', '*/*'])(
  'a tool that never ends does not outlive its client that accepts %s',
  async (accept) => {
    const { server } = quiet()
    server.tool('never', {}, () => new Promise<string>(() => undefined))
    const { handler, clock } = served(server)
    const leaving = new AbortController()
    const { signal } = leaving
    const answering = handler(
      modern('tools/call', { name: 'never' }, { headers: { accept }, signal }),
    )
    await settle()
    expect(handler.stats()).toEqual({ ...idle, inFlight: 1 })
    leaving.abort()
    await clock.advance(5_000)
    expect([handler.stats(), clock.armed()]).toEqual([idle, 0])
    await answering
  },
)

test('a client that reads no further ends the exchange of a tool that never ends', async () => {
  const { server } = quiet()
  server.tool('never', {}, async (_input, ctx) => {
    await ctx.progress(1)
    return new Promise<string>(() => undefined)
  })
  const { handler, clock } = served(server)
  const meta = { progressToken: 1 }
  const response = await handler(modern('tools/call', { name: 'never' }, { meta }))
  expect(handler.stats()).toEqual({ ...idle, inFlight: 1, streams: 1 })
  await response.body?.cancel()
  expect([handler.stats(), clock.armed()]).toEqual([idle, 0])
})

test('the signal of a call that is over keeps nothing alive', async () => {
  const { server } = quiet()
  const contexts: Context[] = []
  server.tool('keep', {}, (_input, ctx) => {
    contexts.push(ctx)
    return 'kept'
  })
  const { handler, clock, open } = rig(server)
  for (let round = 0; round < 3; round += 1) await (await open()).tool('keep')
  expect(contexts.map((ctx) => ctx.signal.aborted)).toEqual([false, false, false])
  await settle()
  expect([handler.stats(), clock.armed()]).toEqual([idle, 0])
})

test('clients that come and go do not fill the log', async () => {
  const { server, reported } = quiet()
  server.tool('polite', {}, async (_input, ctx) => {
    await sleep(60_000, undefined, { signal: ctx.signal })
    return 'slept'
  })
  server.resource('polite://r', { name: 'r' }, async (_uri, ctx) => {
    await new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
    })
    return 'read'
  })
  server.tool('ask', {}, async (_input, ctx) => {
    const schema = z.object({ name: z.string() })
    return JSON.stringify(await ctx.elicit('who', { message: 'Who?', schema }))
  })
  const { handler, open } = rig(server)

  for (const [method, params] of [
    ['tools/call', { name: 'polite' }],
    ['resources/read', { uri: 'polite://r' }],
  ] as const) {
    const leaving = new AbortController()
    const answering = handler(modern(method, params, { signal: leaving.signal }))
    await settle()
    leaving.abort()
    await answering
  }
  const client = await open({ capabilities: { elicitation: {} } })
  const asking = new Reader(await client.send('tools/call', { name: 'ask', arguments: {} }))
  await asking.message()
  await client.delete()
  await asking.rest()
  await settle()

  expect(reported).toEqual([])
  expect(handler.stats()).toEqual(idle)
})

test('closing the handler is no failure of the calls that it ends', async () => {
  const { server, reported } = quiet()
  server.tool('polite', {}, async (_input, ctx) => {
    await new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
    })
    return 'waited'
  })
  server.tool('own', {}, () => {
    throw new InternalError({ cause: 'the disk is full' })
  })
  const { handler } = served(server)
  const answering = handler(modern('tools/call', { name: 'polite' }))
  await handler(modern('tools/call', { name: 'own' }))
  await handler.close()
  expect((await answering).status).toBe(503)
  await settle()
  expect(reported.map(({ error }) => error)).toEqual(['the disk is full'])
})

test('what fails for another reason is reported, whoever leaves', async () => {
  const { server, reported } = quiet()
  server.tool('clumsy', {}, async (_input, ctx) => {
    await new Promise((resolve) => {
      ctx.signal.addEventListener('abort', resolve)
    })
    throw new Error('the clean-up failed')
  })
  server.tool('aborted elsewhere', {}, () => {
    throw new DOMException('An upstream gave up', 'AbortError')
  })
  const { handler } = served(server)
  const leaving = new AbortController()
  const answering = handler(modern('tools/call', { name: 'clumsy' }, { signal: leaving.signal }))
  await settle()
  leaving.abort()
  await answering
  await handler(modern('tools/call', { name: 'aborted elsewhere' }))
  await settle()
  expect(reported.map(({ error }) => String(error))).toEqual([
    'Error: the clean-up failed',
    'AbortError: An upstream gave up',
  ])
})
