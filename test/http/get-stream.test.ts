import { expect, test } from 'vitest'
import { GetStream } from '../../src/http/get-stream.ts'
import type { HandlerOptions } from '../../src/http/options.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memoryEvents } from '../../src/stores/memory-events.ts'
import type { SessionPatch } from '../../src/stores/session-store.ts'
import { sessionParts, textOf } from './session-parts.ts'

/** The stream of a session that was changed by `patches`, on a bus that a test publishes to. */
async function opened(patches: readonly SessionPatch[] = [], options: HandlerOptions = {}) {
  const bus = memoryBus()
  const watching: string[] = []
  const parts = sessionParts({
    bus,
    onSubscribe: (uri) => void watching.push(uri),
    onUnsubscribe: (uri) => void watching.splice(watching.indexOf(uri), 1),
    ...options,
  })
  const { id } = await parts.open()
  for (const patch of patches) await parts.sessions.update(id, patch)
  const record = await parts.sessions.store.get(id)
  if (record === undefined) throw new Error('the session is gone')
  const { sessions } = parts
  const stream = new GetStream(sessions, sessions.live(id), { record, auth: undefined })
  await stream.subscribe()
  const publish = (topic: string, data: unknown): Promise<void> => bus.publish({ topic, data })
  const heard = async (): Promise<readonly string[]> => {
    stream.close()
    return [...(await textOf(stream.sse)).matchAll(/data: (.*)/g)].map(([, data = '']) => data)
  }
  return { ...parts, id, stream, publish, watching, heard }
}

test('what arrives before the stream begins is sent after what was missed', async () => {
  const { stream, publish, heard } = await opened()
  await publish('tools', '"tools"')
  stream.start('data: missed\n\n', false)
  await publish('prompts', '"prompts"')
  await publish('resources', '"resources"')
  await publish('else', '"else"')
  expect(await heard()).toEqual(['missed', '"tools"', '"prompts"', '"resources"'])
})

test('subscriptions are followed while they last, and watched as long', async () => {
  const { sessions, id, stream, publish, watching, heard } = await opened([{ subscribe: 'x://1' }])
  stream.start('', false)
  await publish('resource/x://1', '1')
  await sessions.update(id, { subscribe: 'x://2' })
  expect(watching).toEqual(['x://1', 'x://2'])
  await publish('resource/x://2', '2')
  await sessions.update(id, { unsubscribe: 'x://1' })
  await sessions.update(id, { unsubscribe: 'x://2' })
  expect(watching).toEqual([])
  await publish('resource/x://1', 'late')
  await publish('resource/x://2', 'late')
  await sessions.update(id, { subscribe: 'x://1' })
  await sessions.update(id, { subscribe: 'x://2' })
  await publish('resource/x://1', '3')
  await publish('resource/x://2', '4')
  expect(await heard()).toEqual(['1', '2', '3', '4'])
  expect(watching).toEqual([])
})

test('logs are heard from the level on that the session has then', async () => {
  const { sessions, id, stream, publish, heard } = await opened()
  stream.start('', false)
  const log = (level: string, text: unknown) => publish('log', { level, text })
  await log('emergency', 'before any level')
  await sessions.update(id, { logLevel: 'warning' })
  await log('info', 'too low')
  await log('warning', '1')
  await log('loud', 'no level')
  await log('error', { no: 'text' })
  await sessions.update(id, { logLevel: 'debug' })
  await log('info', '2')
  expect(await heard()).toEqual(['1', '2'])
})

test('LC-20 a completed page is heard once, by the session that waits for it', async () => {
  const { sessions, id, stream, publish, heard } = await opened()
  stream.start('', false)
  const done = (elicitationId: string) =>
    publish('elicitations', JSON.stringify({ params: { elicitationId } }))
  sessions.live(id).expect('mine')
  await done('another')
  await done('mine')
  await done('mine')
  expect(await heard()).toEqual(['{"params":{"elicitationId":"mine"}}'])
  expect(sessions.expectedBy(id)).toEqual([])
})

test('with a store each event has an id, and a primed stream one to begin with', async () => {
  const { stream, publish } = await opened([], { events: memoryEvents() })
  stream.start('', true)
  await publish('tools', '1')
  stream.close()
  const text = await textOf(stream.sse)
  expect(text).toMatch(/^: keepalive\n\nid: \S+\ndata: \n\nevent: message\nid: \S+\ndata: 1\n\n$/)
})

test('a reader too slow is sent away', async () => {
  const { stream, publish } = await opened([], {
    events: memoryEvents(),
    limits: { streamBytes: 60 },
  })
  stream.start('', false)
  await publish('tools', '1'.repeat(60))
  await publish('tools', '2')
  expect(stream.open).toBe(false)
})

test('a bus that fails later on is reported, and the stream goes on', async () => {
  const bus = memoryBus()
  let failing = false
  const subscribe: typeof bus.subscribe = (...all) => {
    if (failing) throw new Error('down')
    return bus.subscribe(...all)
  }
  const publish: typeof bus.publish = (event) => bus.publish(event)
  const { sessions, id, stream, reported } = await opened([], { bus: { publish, subscribe } })
  stream.start('', false)
  failing = true
  await sessions.update(id, { subscribe: 'x://1' })
  expect([stream.open, reported.map(({ error }) => String(error))]).toEqual([true, ['Error: down']])
})
