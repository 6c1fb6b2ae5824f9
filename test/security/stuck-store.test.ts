/**
 * Stores that never answer.
 *
 * @module
 */
import { expect, test } from 'vitest'
import type { EventStore } from '../../src/stores/index.ts'
import { quiet } from '../http/served.ts'
import { messagesIn, rig } from '../http/session-rig.ts'

test('an event store that never answers costs the ids of events, not the answer', async () => {
  const { server, reported } = quiet()
  server.tool('report', {}, async (_input, ctx) => {
    await ctx.progress(1)
    return 'done'
  })
  const events: EventStore = {
    reach: 'process',
    append: () => new Promise<string>(() => undefined),
    replay: () => 'unknown',
    delete: () => undefined,
  }
  const { handler, clock, open } = rig(server, { events })
  const client = await open()
  const meta = { progressToken: 1 }
  const params = { name: 'report', arguments: {}, _meta: meta }
  const reading = client.send('tools/call', params).then(messagesIn)
  await clock.advance(20_000)
  expect(await reading).toMatchObject([
    { method: 'notifications/progress' },
    { id: 1, result: { content: [{ text: 'done' }] } },
  ])
  expect(reported.length).toBeGreaterThan(0)
  expect(handler.stats()).toMatchObject({ inFlight: 0, streams: 0, sessions: 0 })
  expect(clock.armed()).toBe(0)
})
