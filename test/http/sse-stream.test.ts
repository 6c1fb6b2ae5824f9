import { expect, test } from 'vitest'
import { SseStream } from '../../src/http/sse-stream.ts'
import { fakeClock, settle } from '../support/index.ts'

function open(options: { readonly maxBytes?: number; readonly keepaliveMs?: number } = {}) {
  const clock = fakeClock()
  let gone = 0
  const { keepaliveMs = 1_000, maxBytes: streamBytes = 100 } = options
  const settings = { clock, keepaliveMs, streamBytes, encoder: new TextEncoder() }
  const stream = new SseStream(settings, () => {
    gone += 1
  })
  return { stream, clock, gone: () => gone }
}

test('what is written is read in order, and the end is an end', async () => {
  const { stream, clock, gone } = open()
  stream.write('a')
  void stream.offer('b')
  stream.end()
  stream.write('late')
  expect(await new Response(stream.readable).text()).toBe('ab')
  expect([gone(), clock.armed(), stream.open]).toEqual([0, 0, false])
})

test('offers are dropped at the bound, and wait for room; writes never are', async () => {
  const { stream } = open({ maxBytes: 10 })
  expect(stream.offer('12345')).toBeUndefined()
  const room = stream.offer('67890')
  expect(room).toBeInstanceOf(Promise)
  void stream.offer('dropped')
  stream.write('kept')
  const reader = stream.readable.getReader()
  for (let part = 0; part < 3; part += 1) await reader.read()
  // A reader that wants more says so by asking.
  const next = reader.read()
  await room
  stream.write('more')
  expect(new TextDecoder().decode((await next).value)).toBe('more')
})

test('keepalives go to idle readers only', async () => {
  const { stream, clock } = open()
  const reader = stream.readable.getReader()
  const first = reader.read()
  await clock.advance(1_200)
  expect(new TextDecoder().decode((await first).value)).toBe(': keepalive\n\n')
  stream.write('waiting')
  await clock.advance(1_200)
  expect(stream.backlog).toBe(7)
  stream.end()
})

test('a backlog that moves is patience, one that does not is a reader that is gone', async () => {
  const moving = open({ maxBytes: 1_000 })
  const reader = moving.stream.readable.getReader()
  for (let chunk = 0; chunk < 20; chunk += 1) moving.stream.write('x')
  for (let tick = 0; tick < 8; tick += 1) {
    await reader.read()
    await moving.clock.advance(1_200)
  }
  expect(moving.gone()).toBe(0)
  const stuck = open()
  stuck.stream.write('x')
  await stuck.clock.advance(10_000)
  expect([stuck.gone(), stuck.clock.armed(), stuck.stream.open]).toEqual([1, 0, false])
  await expect(stuck.stream.readable.getReader().read()).rejects.toThrow(/stopped reading/)
})

test('a reader that cancels, or is abandoned, is gone once', async () => {
  const cancelled = open()
  await cancelled.stream.readable.cancel()
  cancelled.stream.abandon()
  cancelled.stream.end()
  expect([cancelled.gone(), cancelled.clock.armed()]).toEqual([1, 0])
  const abandoned = open()
  abandoned.stream.abandon()
  await settle()
  expect([abandoned.gone(), abandoned.clock.armed()]).toEqual([1, 0])
  expect(await new Response(abandoned.stream.readable).text()).toBe('')
})

test('whoever waits for room is let go at the end', async () => {
  const { stream } = open({ maxBytes: 1 })
  const room = stream.offer('xx')
  stream.end()
  await room
})

test('without keepalives there is no timer', () => {
  const { stream, clock } = open({ keepaliveMs: Infinity })
  expect(clock.armed()).toBe(0)
  stream.end()
})

test('ED-03 a reader that is found gone while a keepalive is written arms no other', async () => {
  const clock = fakeClock()
  const encoder = new TextEncoder()
  const encode = (text: string): Uint8Array<ArrayBuffer> => {
    stream.abandon()
    return encoder.encode(text)
  }
  const own = Object.assign(new TextEncoder(), { encode })
  const settings = { clock, keepaliveMs: 1_000, streamBytes: 100, encoder: own }
  const stream: SseStream = new SseStream(settings, () => undefined)
  await clock.advance(5_000)
  expect([stream.open, clock.armed()]).toEqual([false, 0])
})
